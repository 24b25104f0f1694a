/**
 * Bytes for the socket in place of a response, for what a Response cannot hold: a 304 with a body, a length that lies, a
 * connection that is cut or stalls. In process there is no wire, and the response itself is all there is.
 */
export type WireAnswer = { bytes: Uint8Array | string; then: 'keep' | 'close' | 'cut' | 'stall' };

const wireAnswers = new WeakMap<Response, WireAnswer>();

export function sendOnWire(response: Response, answer: WireAnswer): Response {
  wireAnswers.set(response, answer);
  return response;
}

export function wireAnswerOf(response: Response): WireAnswer | undefined {
  return wireAnswers.get(response);
}
