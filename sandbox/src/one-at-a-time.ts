type Connection = { destroyed: boolean; destroy(): unknown };
type Incoming = { socket: Connection };
type Outgoing = { once(event: 'close', then: () => void): unknown };

const waitingAtMost = 10_000; // a connection with more of them is closed: the server cannot be told to read no further

/**
 * Hands on the requests of a connection one after another. Pipelined ones are parsed in one go, and would all be answered into
 * memory for a caller that reads nothing; so the next one begins when the answer before it is on its way.
 */
export function oneAtATime<I extends Incoming, O extends Outgoing>(
  take: (incoming: I, outgoing: O) => void,
): (incoming: I, outgoing: O) => void {
  const waiting = new WeakMap<Connection, (() => void)[]>(); // there while a request of the connection is under way
  const begin = (incoming: I, outgoing: O): void => {
    const { socket } = incoming;
    outgoing.once('close', () => {
      const queue = waiting.get(socket) ?? [];
      const next = queue.shift();
      if (next === undefined) waiting.delete(socket);
      else if (!socket.destroyed) next();
    });
    take(incoming, outgoing);
  };
  return (incoming, outgoing) => {
    const queue = waiting.get(incoming.socket);
    if (queue === undefined) {
      waiting.set(incoming.socket, []);
      return begin(incoming, outgoing);
    }
    if (queue.length < waitingAtMost) return void queue.push(() => begin(incoming, outgoing));
    queue.length = 0;
    incoming.socket.destroy();
  };
}
