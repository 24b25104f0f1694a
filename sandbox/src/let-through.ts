import type { IncomingMessage, ServerResponse } from 'node:http';

const longestMs = 2000;

/**
 * A connection that ends with its answer would cut off whoever still sends a body, and the answer with it: first the rest is let
 * through and thrown away, for a while. On a connection that is kept, node reads on by itself; undefined where nothing is left to wait for.
 */
export function letThrough(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> | undefined {
  if (incoming.complete || outgoing.shouldKeepAlive) return undefined;
  return new Promise((through) => {
    const patience = setTimeout(through, longestMs);
    for (const event of ['end', 'close', 'error']) {
      incoming.once(event, () => {
        clearTimeout(patience);
        through();
      });
    }
    incoming.resume();
  });
}
