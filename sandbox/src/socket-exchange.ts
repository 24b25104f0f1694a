import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Bytes } from './digest.ts';
import type { DirectExchange } from './direct-exchange.ts';
import { letThrough } from './let-through.ts';

/** Reads the body from the connection and writes the answer to it. */
export function socketExchange(incoming: IncomingMessage, outgoing: ServerResponse): DirectExchange {
  return {
    readBody: (limitBytes) => readBody(incoming, limitBytes),
    send(status, headers, body) {
      // What is sent without a type of its own gets one as a Response does.
      if (body !== undefined && headers['Content-Type'] === undefined) return false;
      try {
        outgoing.writeHead(status, body === undefined ? headers : { ...headers, 'Content-Length': lengthOf(body) });
      } catch {
        return false; // a header that HTTP does not know
      }
      const through = letThrough(incoming, outgoing);
      if (through === undefined) outgoing.end(body);
      else void through.then(() => outgoing.end(body));
      return true;
    },
  };
}

function lengthOf(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
}

function readBody(incoming: IncomingMessage, limitBytes: number): Promise<Bytes | undefined> {
  if (Number(incoming.headers['content-length'] ?? '0') > limitBytes) return Promise.resolve(undefined);
  const chunks: Uint8Array[] = [];
  let total = 0;
  return new Promise((done, failed) => {
    incoming.on('data', (chunk: Uint8Array) => {
      total += chunk.length;
      if (total <= limitBytes) chunks.push(chunk);
      else done(undefined);
    });
    incoming.on('end', () => done(new Uint8Array(Buffer.concat(chunks))));
    incoming.on('error', failed);
    incoming.on('close', () => {
      if (!incoming.complete) failed(new Error('the caller went away'));
    });
  });
}
