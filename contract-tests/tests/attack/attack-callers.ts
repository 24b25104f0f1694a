import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type AttackClass, type AttackRun, type Defect, type Random, seedRandom } from './attack-class.ts';
import { hostileModel } from './documents.ts';
import { dangerousPattern } from './hostile-texts.ts';
import { readUsage } from './run-child.ts';
import { openSandbox, type RunningSandbox } from './running-sandbox.ts';
import { makeDocument } from './schema-documents.ts';
import { valueCase } from './value-cases.ts';

const healthy = 'healthy-provider/one';
/** How long a caller who does nothing wrong may be kept waiting by one who does; longer where others use the machine as well. */
function longestWait(): number {
  const [load = 0] = loadavg();
  return Math.min(7_000, 2_500 * Math.max(1, load / availableParallelism()));
}

const longestStartMs = 20_000;
const peakMb = 1_200;

/** A sandbox over strangers' documents, with callers who send strangers' values: another caller is served all the while. */
export const callerAttack: AttackClass = {
  name: 'callers',
  cases: 72,
  run: async (run) => {
    const defects: Defect[] = [];
    for (const [at, index] of run.cases.entries()) {
      const problems = await attackOnce(index, run);
      defects.push(...problems.map(([kind, what]) => ({ case: index, kind, what })));
      run.progress(at + 1);
    }
    return defects;
  },
};

/** A model, and bodies that are sent to it. */
type Hostile = { kind: string; document: (id: string) => string; bodies: string[] };

async function attackOnce(index: number, run: AttackRun): Promise<[string, string][]> {
  const random = seedRandom(run, 'callers', index);
  const folder = join(run.folder, `case-${index}`);
  const hostiles = Array.from({ length: 3 }, () => random.one(makers)(random, run));
  const texts = new Map(
    hostiles.map(({ document }, at) => [`hostile-provider/case-${at}`, document(`hostile-provider/case-${at}`)]),
  );
  texts.set(
    healthy,
    JSON.stringify(
      makeDocument(healthy, {
        input: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
      }),
    ),
  );
  writeCatalog(join(folder, 'catalog'), texts);
  const kinds = hostiles.map(({ kind }) => kind).join(' + ');
  const startedAt = performance.now();
  const sandbox = await openSandbox(run.checkout, folder, [['--catalog', 'catalog']]).catch((error: unknown) =>
    String(error),
  );
  if (typeof sandbox === 'string') return [[`${kinds}: start`, sandbox.slice(0, 300)]];
  const found: [string, string][] = [];
  const startMs = performance.now() - startedAt;
  if (startMs > longestStartMs) found.push([`${kinds}: slow start`, `${Math.round(startMs)} ms`]);
  try {
    for (const [at, { kind, bodies }] of hostiles.entries()) {
      const problem = await callMeanwhile(sandbox, `hostile-provider/case-${at}`, bodies);
      if (problem === undefined) continue;
      found.push([`${kind}: ${problem[0]}`, problem[1]]);
      break; // It does not recover from some.
    }
  } finally {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return found;
}

function writeCatalog(folder: string, texts: ReadonlyMap<string, string>): void {
  const entries = [...texts].map(([id, text]) => {
    const [provider = '', model = ''] = id.split('/');
    const path = join(folder, 'models', provider, model, 'openapi.json');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return { id, provider, model, billing: { charges_on_policy_rejection: 'no' } };
  });
  writeFileSync(join(folder, 'catalog.json'), JSON.stringify(entries));
}

/** Sends the hostile bodies at once and, from before until they are answered, one healthy call after another. */
async function callMeanwhile(
  sandbox: RunningSandbox,
  id: string,
  bodies: readonly string[],
): Promise<[string, string] | undefined> {
  const longestWaitMs = longestWait();
  let isOver = false;
  let longest = 0;
  let failed: string | undefined;
  const caller = async (): Promise<void> => {
    while (!isOver && longest < longestWaitMs && failed === undefined) {
      const began = performance.now();
      const answer = await send(sandbox, { id: healthy, body: '{"prompt":"a"}', waitMs: 8_000 });
      longest = Math.max(longest, performance.now() - began);
      if (answer !== 200 && longest < longestWaitMs) failed = `a healthy call was answered ${answer}`;
      await pause(20);
    }
  };
  const calling = caller();
  const paths = ['', '/requests'];
  const hostile = bodies.flatMap((body) => paths.map((path) => send(sandbox, { id: id + path, body, waitMs: 12_000 })));
  await Promise.race([
    Promise.all([
      ...hostile,
      send(sandbox, { id, waitMs: 12_000 }),
      send(sandbox, { id: `${id}/openapi.json`, waitMs: 12_000 }),
    ]),
    calling,
  ]);
  await pause(50);
  isOver = true;
  await calling;
  if (!sandbox.isUp()) return ['ended', `the sandbox ended: ${sandbox.err().slice(-300)}`];
  const used = readUsage(sandbox.pid).peakMb;
  if (longest >= longestWaitMs) return ['others wait', `a healthy call took ${Math.round(longest)} ms`];
  if (failed !== undefined) return ['others fail', failed];
  return used > peakMb ? ['memory', `${Math.round(used)} MB`] : undefined;
}

type Call = { id: string; body?: string; waitMs: number };

/** The status; a word where there is none. */
async function send({ url, key }: RunningSandbox, { id, body, waitMs }: Call): Promise<number | string> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  try {
    const signal = AbortSignal.timeout(waitMs);
    const response = await fetch(`${url}/v2/models/${id}`, {
      headers,
      signal,
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    return error instanceof Error ? error.name : 'lost';
  }
}

const makers: readonly ((random: Random, run: AttackRun) => Hostile)[] = [
  (random) => {
    const { pattern, text } = dangerousPattern(random);
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', pattern }, b: { type: 'object', patternProperties: { [pattern]: true } } },
      additionalProperties: false,
    };
    const bodies = [{ a: text.slice(0, random.size(20, text.length)) }, { b: { [text]: 1 } }].map((body) =>
      JSON.stringify(body),
    );
    return { kind: 'pattern', document: (id) => JSON.stringify(makeDocument(id, { input: schema })), bodies };
  },
  (random, run) => {
    // A schema of the other class with its value a level down, where JSON can carry it.
    const { kind, schema, document, probes } = hostileValueCase(random, run);
    const bodies = probes.slice(0, 6).flatMap(({ value }) => printValue({ a: value() }));
    const components = Object(document['components']).schemas;
    return {
      kind: `value ${kind}`,
      document: (id) =>
        JSON.stringify(makeDocument(id, { input: { type: 'object', properties: { a: schema } }, components })),
      bodies,
    };
  },
  (random) => {
    const { kind, text } = hostileModel(random, random.below(100_000));
    return { kind: `document ${kind}`, document: () => text, bodies: ['{}', '{"a":{"a":[[]]}}', '{"x":1,"y":[]}'] };
  },
  (random) => {
    const depth = random.size(1_000, 2_000_000);
    const bodies = random.one([
      [`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`],
      [`${'{"a":'.repeat(depth / 4)}1${'}'.repeat(depth / 4)}`],
      [`{"a":[${'{},'.repeat(depth)}1]}`],
      [`{"a":"${'\\u0000'.repeat(depth / 2)}"}`],
      [`{"a":${'9'.repeat(depth)}}`],
      [`{${Array.from({ length: depth / 20 }, (_, at) => `"k${at}":0`).join()}}`],
    ]);
    return {
      kind: 'body',
      document: (id) =>
        JSON.stringify(
          makeDocument(id, {
            input: {
              type: 'object',
              properties: { a: { enum: [[[]], {}, 1] }, b: { type: 'array', uniqueItems: true } },
            },
          }),
        ),
      bodies,
    };
  },
];

function hostileValueCase(random: Random, run: AttackRun): ReturnType<typeof valueCase> {
  for (;;) {
    const found = valueCase(run, random.below(1_000_000));
    if (found.kind !== 'agreement' && found.kind !== 'foreign' && found.kind !== 'inherited') return found;
  }
}

/** Nothing for a value that is nested too deeply to be printed here. */
function printValue(value: unknown): string[] {
  try {
    const text = JSON.stringify(value);
    return text.length < 8_000_000 ? [text] : [];
  } catch {
    return [];
  }
}
