/** Replaces `patient-fetch.ts` in browser bundles, through the package's `browser` field. */
export const removeTimeouts = (): object => ({});
