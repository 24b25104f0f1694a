import { systemClock } from './clock.ts';

/** What an incoming message of HTTP/1 says of its body, and an outgoing one of the connection. */
type Incoming = {
  complete: boolean;
  destroyed: boolean;
  once(event: string, then: () => void): unknown;
  resume(): unknown;
};
type Outgoing = { shouldKeepAlive: boolean };

const longestMs = 2000;

/**
 * A connection that ends with its answer would cut off whoever still sends a body, and the answer with it: first the rest is let
 * through and thrown away, for a while. On a connection that is kept, node reads on by itself; undefined where nothing is left to wait for.
 */
export function letThrough(incoming: Incoming, outgoing: Outgoing): Promise<void> | undefined {
  if (incoming.complete || incoming.destroyed || outgoing.shouldKeepAlive) return undefined;
  const ended = new AbortController();
  for (const event of ['end', 'close', 'error']) incoming.once(event, () => ended.abort());
  incoming.resume();
  return systemClock.sleep(longestMs, ended.signal);
}
