/** Replaces `patient-fetch.ts` in bundles for browsers, by the field `browser` of the package. */
export const liftTimeouts = (): object => ({});
