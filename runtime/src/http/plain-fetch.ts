/** Replaces `patient-fetch.ts` in bundles for browsers, by the field `browser` of the package. */
export const createPatientFetch = (): ((url: string, init: RequestInit) => Promise<Response>) => (url, init) =>
  globalThis.fetch(url, init);
