import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { serveLocally } from '../../contract-tests/tests/local-servers.ts';

export type Gateway = { readonly port: number; readonly passed: string[]; close(): Promise<void> };

/**
 * Starts a gateway that forwards requests to the local server `behind`, but only from clients with the certificate in
 * `pem`, and only with this header. The gateway uses the same certificate itself, and trusts it as its CA.
 */
export async function startGateway(
  behind: string,
  pem: { readonly cert: string; readonly key: string },
  [name, value]: readonly [string, string],
): Promise<Gateway> {
  const cert = readFileSync(pem.cert);
  const tls = { cert, key: readFileSync(pem.key), ca: cert, requestCert: true, rejectUnauthorized: true };
  const passed: string[] = [];
  const server = https.createServer(tls, (request, response) => {
    if (request.headers[name] !== value) {
      response.writeHead(403, { 'content-type': 'text/plain' }).end('not for you');
      return;
    }
    passed.push(`${request.method} ${request.url}`);
    const { host, [name]: _, ...headers } = request.headers;
    const onward = http.request(`${behind}${request.url}`, { method: request.method, headers }, (answer) =>
      answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)),
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  const { url, close } = await serveLocally(server);
  return { port: Number(new URL(url).port), passed, close };
}
