/** Replaces `patient-fetch.ts` in browser bundles, by the package's `browser` field. */
export const liftTimeouts = (): object => ({});
