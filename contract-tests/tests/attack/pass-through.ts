import { request } from 'node:http';
import type { Asked, Reply } from './router.ts';
import type { RunningSandbox } from './running-sandbox.ts';

/** Passes requests on to a sandbox, with the credentials of this case replaced by those it knows. */
export function throughTo(
  { url, key, token }: RunningSandbox,
  own: { key: string; token: string },
): (asked: Asked) => Promise<Reply> {
  const known = (text: string): string => text.replaceAll(own.key, key).replaceAll(own.token, token);
  return ({ method, path, headers, body }) =>
    new Promise((done, failed) => {
      const { hostname, port } = new URL(url);
      const passed = Object.entries(headers).map(([name, value]) => [name, known(String(value))]);
      const sent = request(
        { hostname, port, method, path, headers: { ...Object.fromEntries(passed), connection: 'close' } },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', failed);
          response.on('end', () => {
            const entries = Object.entries(response.headers).filter(
              ([name]) => !['transfer-encoding', 'connection', 'keep-alive'].includes(name),
            );
            done({
              status: response.statusCode ?? 0,
              headers: Object.fromEntries(entries.map(([name, value]) => [name, String(value)])),
              body: Buffer.concat(parts),
            });
          });
        },
      );
      sent.on('error', failed);
      sent.end(body);
    });
}
