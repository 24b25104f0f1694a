import { type Duplex, duplexPair } from 'node:stream';

/** A server of Node takes any stream for a connection. */
type Server = { emit(event: 'connection', connection: Duplex): boolean };

/**
 * Takes the same request through a server so many times, one after another, on a connection that is no socket. What a process does for
 * the first time takes it ten times as long, and the first crowd of callers would stand and wait for that.
 */
export function rehearse(server: Server, request: string, times: number): Promise<void> {
  const [near, far] = duplexPair();
  let left = times;
  return new Promise((done) => {
    near.on('close', () => done());
    near.on('data', () => {
      left -= 1;
      if (left > 0) near.write(request);
      else near.destroy();
    });
    near.write(request);
    server.emit('connection', far);
  });
}
