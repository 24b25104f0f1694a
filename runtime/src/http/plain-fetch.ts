/** Takes the place of `patient-fetch.ts` where a bundler makes code for browsers, by the field `browser` of the package. */
export const createPatientFetch = (): ((url: string, init: RequestInit) => Promise<Response>) => (url, init) =>
  globalThis.fetch(url, init);
