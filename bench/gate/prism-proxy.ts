import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Client, createClient } from '../measure/client.ts';
import { freePort } from './free-port.ts';
import type { Recorded, TapePlayer } from './tape.ts';

export type PrismProxy = {
  /** The distinct violations in these exchanges. */
  check(tape: readonly Recorded[]): Promise<ReadonlySet<string>>;
  stop(): void;
};

const { resolve } = createRequire(import.meta.url);
const cli = join(dirname(resolve('@stoplight/prism-cli/package.json')), 'dist', 'index.js');
const atOnce = 16;
// Malformed JSON is never answered.
const patienceMs = 1000;

/** `prism proxy` before the recorded answers; it reports violations in a header. */
export async function startPrismProxy(document: string, player: TapePlayer): Promise<PrismProxy> {
  const port = await freePort();
  const child = spawn(process.execPath, [cli, 'proxy', document, player.url, '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await listening(child);
  const url = `http://127.0.0.1:${port}`;
  const client = createClient({}, atOnce, patienceMs);
  return {
    async check(tape) {
      player.load(tape);
      const found = new Set<string>();
      let next = 0;
      const worker = async (): Promise<void> => {
        for (let index = next++; index < tape.length; index = next++) {
          const one = tape[index];
          if (one !== undefined)
            for (const violation of await readViolations(client, url, { one, index })) found.add(violation);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, worker));
      return found;
    },
    stop() {
      client.close();
      child.kill('SIGKILL');
    },
  };
}

function listening(child: ChildProcess): Promise<void> {
  return new Promise((done, fail) => {
    child.once('exit', (code) => fail(new Error(`prism proxy ended with ${code}`)));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (part: Buffer) => {
        if (part.includes('listening')) done();
      });
    }
  });
}

type Shown = { one: Recorded; index: number };

async function readViolations(client: Client, url: string, { one, index }: Shown): Promise<string[]> {
  const { 'content-length': _, connection: __, ...headers } = one.requestHeaders;
  try {
    const sent = { ...headers, 'x-tape': String(index) };
    const answer = await client.send(one.method, url + one.path, one.requestBody, sent);
    const header = answer.headers['sl-violations'];
    return typeof header === 'string' ? signatures(JSON.parse(header), one) : [];
  } catch {
    return [];
  }
}

function signatures(
  violations: { location?: string[]; message?: string; code?: string }[],
  { method, status }: Recorded,
): string[] {
  return violations.map(({ location = [], message = '', code = '' }) =>
    [method, status, code, location.map((step) => (/^\d+$/.test(step) ? '*' : step)).join('.'), message].join(' '),
  );
}
