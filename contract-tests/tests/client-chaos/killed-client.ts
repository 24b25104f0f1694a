import { appendFileSync, readFileSync } from 'node:fs';
import { createModelRouter, RouterError } from '../../../generated/model-router/index.js';
import { createFileKeyStore } from '../../../generated/model-router/runtime/node/index.js';

// A program that is killed again and again: goes on with what an earlier process left, then starts calls that none has started.
const [, , baseUrl = '', apiKey = '', folder = '', calls = '0'] = process.argv;
const router = createModelRouter({
  baseUrl,
  apiKey,
  keyStore: createFileKeyStore(`${folder}/keys`),
  maxAttempts: 6,
  runTimeoutMs: 1000,
  clock: { now: Date.now, random: Math.random, sleep: (ms) => new Promise((later) => setTimeout(later, ms / 20)) },
});
const note = (line: string): void => appendFileSync(`${folder}/log`, `${line}\n`);
const isTyped = (error: unknown): string => (error instanceof RouterError ? error.kind : `untyped ${String(error)}`);

for (const call of await router.pending()) {
  await router.resume(call).then(
    ({ replayed }) => note(`resumed ${replayed ? 'replayed' : 'fresh'}`),
    (error) => note(`resumed ${isTyped(error)}`),
  );
}
const started = readFileSync(`${folder}/log`, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('start '))
  .map((line) => Number(line.slice('start '.length)));
let next = Math.max(-1, ...started) + 1;
const worker = async (): Promise<void> => {
  while (next < Number(calls)) {
    const index = next++;
    note(`start ${index}`);
    await router.untyped.run('image-provider/still-2.1', { prompt: `killed ${index}` }).then(
      () => note(`end ${index}`),
      (error) => note(`end ${index} ${isTyped(error)}`),
    );
  }
};
await Promise.all(Array.from({ length: 8 }, worker));
if ((await router.pending()).length === 0) note('settled');
