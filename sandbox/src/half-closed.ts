type Connection = { end(): unknown; on(event: 'end', then: () => void): unknown };
/** Node ends a connection as soon as its caller has no more to say, unless this is set. */
type Server = { httpAllowHalfOpen?: boolean; on(event: 'connection', then: (connection: Connection) => void): unknown };

/**
 * Whoever ends a connection has gone as far as anybody can tell, and a call that is under way is over. Somebody who waits to be served, though,
 * may just have said that nothing more will come, and is served first.
 */
export function mindHalfClosed(server: Server): {
  hold(connection: Connection): void;
  serve(connection: Connection): void;
} {
  const waiting = new WeakSet<Connection>();
  const ended = new WeakSet<Connection>();
  server.httpAllowHalfOpen = true;
  server.on('connection', (connection) => {
    connection.on('end', () => {
      if (waiting.has(connection)) ended.add(connection);
      else connection.end();
    });
  });
  return {
    hold: (connection) => void waiting.add(connection),
    serve(connection) {
      waiting.delete(connection);
      if (ended.has(connection)) setImmediate(() => connection.end()); // when all is written that can be at once
    },
  };
}
