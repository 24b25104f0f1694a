type Connection = { destroyed: boolean };
type Incoming = { socket: Connection };
type Outgoing = { once(event: 'close', then: () => void): unknown };

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
      const next = waiting.get(socket)?.shift();
      if (next === undefined) waiting.delete(socket);
      else if (!socket.destroyed) next();
    });
    take(incoming, outgoing);
  };
  return (incoming, outgoing) => {
    const queue = waiting.get(incoming.socket);
    if (queue !== undefined) return void queue.push(() => begin(incoming, outgoing));
    waiting.set(incoming.socket, []);
    begin(incoming, outgoing);
  };
}
