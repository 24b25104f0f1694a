import { createServer } from 'node:http';
import { readDocuments, routeCatalog } from '../documents.ts';

// A child process of the bench: serves a folder in catalog form, and prints the port.
const answer = routeCatalog(readDocuments(process.argv[2] ?? '.'));
const server = createServer((request, response) => {
  const { status, headers, bytes } = answer(request.url ?? '/', request.headers['if-none-match']);
  response.writeHead(status, status === 304 ? headers : { ...headers, 'content-length': bytes.length });
  response.end(status === 304 ? undefined : bytes);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) process.stdout.write(`${address.port}\n`);
});
