import { appendFileSync, readFileSync } from 'node:fs';
import { createModelRouter, RouterError } from '../../../generated/model-router/index.js';
import { createFileKeyStore } from '../../../generated/model-router/node.js';
import { listPending, resume } from '../../../generated/model-router/resume.js';

// A program that is repeatedly killed. It resumes the pending calls of earlier processes, then starts the calls that no process has
// started. It writes each result to its log before it settles the key.
const [, , baseUrl = '', apiKey = '', folder = '', keys = '', name = '', calls = '0', workers = '1'] = process.argv;
const router = createModelRouter({
  baseUrl,
  apiKey,
  keyStore: createFileKeyStore(`${folder}/${keys}`),
  maxAttempts: 6,
  runTimeoutMs: 1000,
  clock: { now: Date.now, random: Math.random, sleep: (ms) => new Promise((later) => setTimeout(later, ms / 20)) },
});
const log = `${folder}/log-${name}`;
const note = (line: string): void => appendFileSync(log, `${line}\n`);
const explain = (error: unknown): string => (error instanceof RouterError ? error.kind : `untyped ${String(error)}`);

type Result = { readonly settle: () => Promise<void>; readonly replayed: boolean };

/**
 * Logs the result of a call and settles its key. If `settle` fails, for example on a full disk, a later process collects the
 * call again.
 */
async function collect(what: string, body: string, work: Promise<Result>): Promise<void> {
  try {
    const { settle, replayed } = await work;
    note(`got ${what} ${body}`);
    if (replayed) note('replayed');
    await settle();
  } catch (error) {
    note(`failed ${what} ${explain(error)}`);
  }
}

for (const call of await listPending(router)) {
  if (call.damaged !== undefined) note(`damaged ${call.damaged}`);
  else await collect('again', call.body ?? '', resume(router, call, { settle: 'manual' }));
}
const started = readFileSync(log, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('start '))
  .map((line) => Number(line.slice('start '.length)));
let next = Math.max(-1, ...started) + 1;
const worker = async (): Promise<void> => {
  while (next < Number(calls)) {
    const index = next++;
    note(`start ${index}`);
    const input = { prompt: `${name} ${index}` };
    await collect(
      'new',
      JSON.stringify(input),
      router.run({ id: 'image-provider/still-2.1' }, input, { settle: 'manual', idempotencyKey: `${name}-${index}` }),
    );
  }
};
await Promise.all(Array.from({ length: Number(workers) }, worker));
note('done');
if ((await listPending(router)).length === 0) note('settled');
