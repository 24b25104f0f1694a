import type { Transport } from './transport.ts';

/** Takes the place of `patient-fetch.ts` where a bundler makes code for browsers, by the field `browser` of the package. */
export function createPatientFetch(): Transport {
  return (url, init) => globalThis.fetch(url, init);
}
