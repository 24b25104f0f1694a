/** Formats that are written on request, in addition to `result.json`, `report.html` and `junit.xml`. */
export const reportFormats = ['sarif', 'markdown'] as const;
export type ReportFormat = (typeof reportFormats)[number];
