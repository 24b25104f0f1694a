import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type AttackClass, type AttackRun, type Defect, seedRandom, shown } from './attack-class.ts';
import { type HostileModel, heavyKinds, hostileModel } from './documents.ts';
import { terminalSigns } from './hostile-texts.ts';
import { findCrash, outputProblems, type Problem, pathsIn } from './output-checks.ts';
import { honestRouter, serve } from './router.ts';
import type { Bounds } from './run-child.ts';
import { makeDocument } from './schema-documents.ts';

const batchSize = 25;
const batchBounds: Bounds = { wallMs: 400_000, cpuMs: 150_000, peakMb: 2_500 };
/** What a single document may cost. */
const oneBounds: Bounds = { wallMs: 200_000, cpuMs: 60_000, peakMb: 2_000 };
const neighbour = 'healthy-provider/one';
const neighbourText = JSON.stringify(
  makeDocument(neighbour, {
    input: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
  }),
);

type Case = { index: number; model: HostileModel };

/** Hostile schema documents, a catalog of them at a time, with a healthy model among them that has to come out as ever. */
export const documentAttack: AttackClass = {
  name: 'documents',
  cases: 720,
  run: async (run) => {
    const all = run.cases.map(
      (index): Case => ({ index, model: hostileModel(seedRandom(run, 'documents', index), index) }),
    );
    const heavy = all.filter(({ model }) => heavyKinds.has(model.kind));
    const light = all.filter(({ model }) => !heavyKinds.has(model.kind));
    const batches = [...splitBatches(light, batchSize), ...splitBatches(heavy, 1)];
    const healthy = await neighbourOutput(run);
    const defects: Defect[] = [];
    let done = 0;
    for (const batch of batches) {
      defects.push(...(await defectsIn(batch, run, healthy)));
      done += batch.length;
      run.progress(done);
    }
    return defects;
  },
};

function splitBatches(cases: readonly Case[], size: number): Case[][] {
  return Array.from({ length: Math.ceil(cases.length / size) }, (_, at) => cases.slice(at * size, (at + 1) * size));
}

async function neighbourOutput(run: AttackRun): Promise<Map<string, string>> {
  const { files } = await generateFrom([], run, oneBounds);
  if (files.size === 0) throw new Error('the healthy model alone is not generated');
  return files;
}

/** A problem that no file attributes to a model is looked for in each model alone. */
async function defectsIn(batch: readonly Case[], run: AttackRun, healthy: Map<string, string>): Promise<Defect[]> {
  const isAlone = batch.length === 1;
  const { problems, files } = await generateFrom(batch, run, isAlone ? oneBounds : batchBounds);
  for (const [path, text] of healthy)
    if (files.get(path) !== text)
      problems.push({ kind: 'neighbour lost', what: `${path} is not what it is without the others` });
  if (problems.length === 0) return [];
  const named = problems.map((problem) => ({ problem, owner: findOwner(problem, batch) }));
  if (isAlone || named.every(({ owner }) => owner !== undefined))
    return named.map(({ problem, owner }) => describe(problem, owner ?? batch[0]));
  const alone: Defect[] = [];
  for (const one of batch) alone.push(...(await defectsIn([one], run, healthy)));
  return alone.length > 0 ? alone : named.map(({ problem }) => describe(problem, batch[0]));
}

function findOwner({ path = '' }: Problem, batch: readonly Case[]): Case | undefined {
  return batch.find(({ index }) => new RegExp(`\\bcase-${index}\\b`).test(path));
}

function describe({ kind, what }: Problem, owner: Case | undefined): Defect {
  return { case: owner?.index ?? 0, kind: `${owner?.model.kind ?? 'batch'}: ${kind}`, what };
}

type Generated = { problems: Problem[]; files: Map<string, string> };

async function generateFrom(batch: readonly Case[], run: AttackRun, bounds: Bounds): Promise<Generated> {
  const folder = join(run.folder, 'documents');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const models = new Map([[neighbour, neighbourText], ...batch.map(({ model }) => [model.id, model.text] as const)]);
  const router = await serve(honestRouter(models, { pageSize: 10 }));
  const isText = (batch[0]?.index ?? 0) % 2 === 0;
  const ended = await run.checkout
    .run(
      'generate',
      [
        '--router-url',
        router.url,
        '--out',
        'out',
        '--cache',
        'cache',
        '--output-validators',
        ...(isText ? [] : ['--json']),
      ].map(String),
      {
        cwd: folder,
        env: { SWITCHYARD_API_KEY: 'sk-attack-documents' },
        bounds,
      },
    )
    .finally(() => router.close());
  const problems: Problem[] = [];
  // What is no document at all could not be read, which a build has to see.
  const crash = findCrash(ended, batch.some(({ model }) => model.kind === 'broken') ? [0, 3] : [0]);
  if (crash !== undefined) problems.push({ kind: 'crash', what: crash });
  const sign = isText ? terminalSigns(ended.out + ended.err) : undefined;
  if (sign !== undefined)
    problems.push({
      kind: 'terminal',
      what: `${shown(sign)} is printed: ${shown(makeContext(ended.out + ended.err, sign))}`,
    });
  if (!isText && crash === undefined) problems.push(...unexplained(ended.out, batch));
  const out = join(folder, 'out');
  // The healthy model alone is only there to compare with.
  if (batch.length > 0 && existsSync(out)) problems.push(...(await outputProblems(out, { ...run, folder })));
  const strange = readdirSync(folder).filter((name) => !['out', 'cache'].includes(name));
  if (strange.length > 0)
    problems.push({ kind: 'file outside', what: `the run left ${strange.join(', ')} beside its output` });
  const files = new Map(
    pathsIn(out)
      .filter((path) => path.includes(neighbour))
      .map((path) => [path, readFileSync(join(out, path), 'utf8')]),
  );
  return { problems, files };
}

function makeContext(text: string, sign: string): string {
  const at = text.indexOf(sign);
  return text.slice(Math.max(0, at - 60), at + 30);
}

/** Models that have neither an output nor an error with their name. */
function unexplained(report: string, batch: readonly Case[]): Problem[] {
  let parsed: { models: { generated: number; failed: number }; diagnostics: { severity: string; model?: string }[] };
  try {
    parsed = JSON.parse(report);
  } catch {
    return [{ kind: 'report', what: 'the report is no JSON' }];
  }
  const { generated, failed } = parsed.models;
  const listed = batch.filter(({ model }) => model.kind !== 'id').length + 1;
  return generated + failed >= listed
    ? []
    : [{ kind: 'model lost', what: `${generated} generated and ${failed} failed of ${listed}` }];
}
