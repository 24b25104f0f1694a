import type { ConformanceReport } from './report.ts';

type Format = {
  readonly file: string;
  /** `shown`: read by users, so characters that hide or reorder text are escaped. `data`: parsed by tools. */
  readonly holds: 'shown' | 'data';
  readonly load: () => Promise<(report: ConformanceReport) => string>;
};

/**
 * Formats in the order in which they are written: `result.json` is last, so it only exists if all others do. Renderers
 * are loaded on demand, so that help texts are fast.
 */
export const formats = {
  junit: { file: 'junit.xml', holds: 'data', load: async () => (await import('./render-junit.ts')).renderJunit },
  html: { file: 'report.html', holds: 'shown', load: async () => (await import('./render-html.ts')).renderHtml },
  sarif: { file: 'report.sarif', holds: 'data', load: async () => (await import('./render-sarif.ts')).renderSarif },
  markdown: {
    file: 'report.md',
    holds: 'shown',
    load: async () => (await import('./render-markdown.ts')).renderMarkdown,
  },
  json: { file: 'result.json', holds: 'data', load: async () => (await import('./report.ts')).renderJson },
} as const satisfies Record<string, Format>;

const always = ['junit', 'html', 'json'] as const;
export type ReportFormat = Exclude<keyof typeof formats, (typeof always)[number]>;

export const reportFormats = Object.keys(formats).filter(
  (name): name is ReportFormat => !always.some((one) => one === name),
);
