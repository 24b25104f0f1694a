import { createCredentialDetector } from '../../../specs/src/index.ts';
import type { Http, HttpOutcome } from '../ports.ts';

/**
 * Leaves out every response that repeats the credential, in the value of a header or in the body: what is read from a
 * response is printed, cached and published.
 */
export function refuseEchoes(http: Http, secret: string | undefined): Http {
  if (secret === undefined) return http;
  const isHeld = createCredentialDetector([secret]);
  return async (request) => {
    const outcome = await http(request);
    if (!isHeld(textOf(outcome))) return outcome;
    const detail = outcome.kind === 'response' ? `status ${outcome.status}` : outcome.because;
    return { kind: 'no-response', because: 'credential-repeated', detail };
  };
}

function textOf(outcome: HttpOutcome): string {
  if (outcome.kind === 'no-response') return outcome.detail;
  const headers = [...outcome.headers.values()].join(' ');
  return outcome.bytes.length === 0
    ? headers
    : `${headers} ${Buffer.from(outcome.bytes.buffer, outcome.bytes.byteOffset, outcome.bytes.length).toString('latin1')}`;
}
