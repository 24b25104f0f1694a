import { createServer } from 'node:http';
import { success } from './callers.ts';

// A child process of the bench: a server that answers every call with the same success. Prints its address.
const server = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(success));
});
// A busy client may leave a connection idle for longer than Node's default of five seconds.
Object.assign(server, { keepAliveTimeout: 600_000, requestTimeout: 0, headersTimeout: 0 });
server.listen({ port: 0, host: '127.0.0.1', backlog: 20_000 }, () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
