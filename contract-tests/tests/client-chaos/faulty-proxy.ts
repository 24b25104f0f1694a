import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Dice } from '../../../generator/tests/random-documents/dice.ts';
import { type LocalServer, serveLocally } from '../local-servers.ts';

export const disturbances = ['reset-before', 'reset-after', 'delay', 'truncate', 'duplicate', 'html'] as const;
export type Disturbance = (typeof disturbances)[number];
export type FaultyProxy = LocalServer & {
  /** Number of times that each disturbance happened. */
  readonly counts: Readonly<Record<Disturbance, number>>;
};

type Answer = { status: number; headers: IncomingMessage['headers']; body: Buffer };
/** Longer than the timeout of the client. */
const delayMs = 1500;

/** Forwards requests to a server on loopback. Of each thirty requests, it disturbs six, each in a different way. */
export async function startFaultyProxy(target: string, random: Dice): Promise<FaultyProxy> {
  const counts = { 'reset-before': 0, 'reset-after': 0, delay: 0, truncate: 0, duplicate: 0, html: 0 };
  let upcoming: (Disturbance | undefined)[] = [];
  const next = (): Disturbance | undefined => {
    if (upcoming.length === 0)
      upcoming = shuffled([...disturbances, ...Array.from({ length: 24 }, () => undefined)], random);
    return upcoming.pop();
  };
  const server = await serveLocally(async (incoming, response) => {
    const body = await buffer(incoming);
    const disturbance = next();
    if (disturbance !== undefined) counts[disturbance] += 1;
    const send = (): Promise<Answer> => forward(target, incoming, body);
    await disturb(disturbance, { send, response }).catch(() => response.destroy());
  });
  return { ...server, counts };
}

type Exchange = { readonly send: () => Promise<Answer>; readonly response: ServerResponse };

async function disturb(disturbance: Disturbance | undefined, { send, response }: Exchange): Promise<void> {
  if (disturbance === 'reset-before') return void response.destroy();
  if (disturbance === 'html') {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html><body>Bad gateway</body></html>');
    return;
  }
  const answer = await send();
  if (disturbance === 'reset-after') return void response.destroy();
  if (disturbance === 'delay') await new Promise((later) => setTimeout(later, delayMs));
  const { status, headers, body } = disturbance === 'duplicate' ? await send() : answer;
  if (disturbance !== 'truncate') return void response.writeHead(status, headers).end(body);
  response.writeHead(status, { ...headers, 'content-length': String(body.length + 1) });
  response.write(body.subarray(0, body.length / 2), () => response.destroy());
}

function forward(target: string, { url = '/', method, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const upstream = request(
      new URL(url, target),
      { method, headers: { ...headers, connection: 'close' } },
      (answer) => {
        buffer(answer).then((read) => {
          const { 'transfer-encoding': _, ...kept } = answer.headers;
          resolve({ status: answer.statusCode ?? 500, headers: kept, body: read });
        }, reject);
      },
    );
    upstream.on('error', reject);
    upstream.end(body);
  });
}

function shuffled<T>(values: T[], random: Dice): T[] {
  for (let last = values.length - 1; last > 0; last -= 1) {
    const other = random.below(last + 1);
    [values[last], values[other]] = [values[other] as T, values[last] as T]; // Both indices are within the list.
  }
  return values;
}
