/** Declared deadlines in milliseconds; nothing in a run waits longer. */
export type Limits = { readonly requestMs: number; readonly ruleMs: number; readonly runMs: number };

export const defaultLimits: Limits = { requestMs: 10_000, ruleMs: 60_000, runMs: 600_000 };
