import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Take = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Hands on the requests of a connection one after another. Pipelined ones are parsed in one go, and would all be answered into
 * memory for a caller that reads nothing; so the next one begins when the answer before it is on its way.
 */
export function oneAtATime(take: Take): Take {
  const waiting = new WeakMap<Socket, (() => void)[]>(); // there while a request of the connection is under way
  const begin = (socket: Socket, incoming: IncomingMessage, outgoing: ServerResponse): void => {
    outgoing.once('close', () => {
      const next = waiting.get(socket)?.shift();
      if (next === undefined) waiting.delete(socket);
      else if (!socket.destroyed) next();
    });
    take(incoming, outgoing);
  };
  return (incoming, outgoing) => {
    const { socket } = incoming;
    const queue = waiting.get(socket);
    if (queue !== undefined) return void queue.push(() => begin(socket, incoming, outgoing));
    waiting.set(socket, []);
    begin(socket, incoming, outgoing);
  };
}
