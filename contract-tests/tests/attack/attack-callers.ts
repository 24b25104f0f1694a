import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openSandbox, type RunningSandbox, readUsage } from './child.ts';
import { type HostileModel, hostileModels, makeDocument, object, patterned } from './documents.ts';
import { type AttackOptions, type AttackResult, checkProperty } from './property.ts';
import { type DangerousPattern, dangerousPattern, weighted } from './texts.ts';

const healthy = 'healthy-provider/one';
const hostile = 'hostile-provider/one';
const healthyText = JSON.stringify(makeDocument(healthy, { input: object({ prompt: { type: 'string' } }) }));
const peakMb = 1_200;

/** A model and bodies that are sent to it. */
type Calls = { readonly model: HostileModel; readonly bodies: readonly string[] };

const matching = (dangerous: DangerousPattern): Calls => ({
  model: patterned(dangerous),
  bodies: [{ a: dangerous.text }, { b: { [dangerous.text]: 1 } }].map((body) => JSON.stringify(body)),
});
const someBodies = ['{}', '{"a":{"a":[[]]}}', '{"x":1,"y":[]}'];
const cases = weighted<Calls>(
  [1, dangerousPattern.map(matching)],
  [1, hostileModels('sk-attack-callers').map((model) => ({ model, bodies: someBodies }))],
);
const named = ['^(a+)+$', '^(a|a)*\\1$'].map((pattern) => matching({ pattern, text: `${'a'.repeat(60_000)}!` }));

/** Hostile documents and bodies for `sandbox --catalog`: other callers are answered meanwhile. */
export function attackCallers(options: AttackOptions): Promise<AttackResult> {
  return checkProperty<Calls>(options, {
    runs: 12,
    cases,
    named,
    describe: ({ model, bodies }) => `${model.name}, bodies ${bodies.map((body) => body.slice(0, 60)).join(' ')}`,
    check: async ({ model, bodies }) => {
      const folder = mkdtempSync(join(options.folder, 'case-'));
      writeCatalog(join(folder, 'catalog'), { [healthy]: healthyText, [hostile]: model.print(hostile) });
      const startedAt = performance.now();
      const sandbox = await openSandbox(folder, ['--catalog', 'catalog']);
      const startMs = performance.now() - startedAt;
      const problems = startMs > 20_000 ? [`it started after ${Math.round(startMs)} ms`] : [];
      problems.push(...(await callMeanwhile(sandbox, bodies)));
      await sandbox.kill();
      return problems;
    },
  });
}

function writeCatalog(folder: string, texts: Readonly<Record<string, string>>): void {
  const entries = Object.entries(texts).map(([id, text]) => {
    const path = join(folder, 'models', id, 'openapi.json');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    const [provider, model] = id.split('/');
    return { id, provider, model, billing: { charges_on_policy_rejection: 'no' } };
  });
  writeFileSync(join(folder, 'catalog.json'), JSON.stringify(entries));
}

/** Sends the bodies at once and, until they are answered, one healthy call after another. */
async function callMeanwhile(sandbox: RunningSandbox, bodies: readonly string[]): Promise<string[]> {
  // Longer where other programs use the machine as well.
  const longestWaitMs = Math.min(7_000, 2_500 * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()));
  let isOver = false;
  const problems: string[] = [];
  const healthyCalls = async (): Promise<void> => {
    while (!isOver && problems.length === 0) {
      const startedAt = performance.now();
      const status = await send(sandbox, healthy, '{"prompt":"a"}', 8_000);
      const waitedMs = performance.now() - startedAt;
      if (waitedMs > longestWaitMs) problems.push(`a healthy call took ${Math.round(waitedMs)} ms`);
      else if (status !== 200) problems.push(`a healthy call was answered ${status}`);
      await pause(20);
    }
  };
  const calling = healthyCalls();
  const paths = [hostile, `${hostile}/requests`];
  const sent = bodies.flatMap((body) => paths.map((path) => send(sandbox, path, body, 12_000)));
  const read = [hostile, `${hostile}/openapi.json`].map((path) => send(sandbox, path, undefined, 12_000));
  await Promise.race([Promise.all([...sent, ...read]), calling]);
  await pause(50);
  isOver = true;
  await calling;
  if (!sandbox.isUp()) return [`the sandbox ended: ${sandbox.err().slice(-300)}`];
  const used = readUsage(sandbox.pid).peakMb;
  return used > peakMb ? [...problems, `it held ${Math.round(used)} MB`] : problems;
}

/** Returns the status, or the name of the error if there is no response. */
async function send({ url, key }: RunningSandbox, path: string, body: string | undefined, waitMs: number) {
  try {
    const response = await fetch(`${url}/v2/models/${path}`, {
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      signal: AbortSignal.timeout(waitMs),
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    return error instanceof Error ? error.name : 'lost';
  }
}
