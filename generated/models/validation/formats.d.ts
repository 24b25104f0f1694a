import type { FormatChecks } from './check.js';
/** Checks of formats, for callers that assert formats; an unlisted format refuses nothing. */
export declare const formats: FormatChecks;
