import type { FormatChecks } from './check.js';
/** Formats that a value can be held to when somebody asks for it; what is not listed refuses nothing. */
export declare const formats: FormatChecks;
