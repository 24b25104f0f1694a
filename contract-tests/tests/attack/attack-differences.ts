import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { type AttackClass, type AttackRun, type Defect, seedRandom } from './attack-class.ts';
import { documentPair, type Pair } from './document-pairs.ts';
import { findCrash } from './output-checks.ts';
import { honestRouter, serve } from './router.ts';
import { type Bounds, runChild } from './run-child.ts';
import { mutate, sample } from './samples.ts';

const bounds: Bounds = { wallMs: 300_000, cpuMs: 120_000, peakMb: 3_000 };
const batchSize = 60;
type Case = { index: number; id: string; pair: Pair };
type Verdicts = ReadonlyMap<string, { verdict: string; rules: string }>;

/** Pairs of documents: what the compiler and the validators say of a change against what diff says of it. */
export const differenceAttack: AttackClass = {
  name: 'differences',
  cases: 360,
  run: async (run) => {
    const defects: Defect[] = [];
    for (let at = 0; at < run.cases.length; at += batchSize) {
      const batch = run.cases.slice(at, at + batchSize).map((index): Case => {
        const id = `changed-provider/case-${index}`;
        return { index, id, pair: documentPair(seedRandom(run, 'differences', index), id) };
      });
      defects.push(...(await attackBatch(batch, run)));
      run.progress(at + batch.length);
    }
    return defects;
  },
};

async function attackBatch(batch: readonly Case[], run: AttackRun): Promise<Defect[]> {
  rmSync(run.folder, { recursive: true, force: true });
  for (const side of ['before', 'after'] as const) await generateSide(side, batch, run);
  const ended = await run.checkout.run('diff', ['before', 'after', '--format', 'json'], { cwd: run.folder, bounds });
  const crash = findCrash(ended, [0, 1]);
  if (crash !== undefined) return [{ case: batch[0]?.index ?? 0, kind: 'diff fails', what: crash }];
  const verdicts = readVerdicts(ended.out);
  const broken = await brokenUsers(batch, run);
  const refused = await refusedValues(batch, run);
  return batch.flatMap(({ index, id, pair }) => {
    const { verdict, rules } = verdicts.get(id) ?? { verdict: 'none', rules: '' };
    const proof = broken.get(index) ?? refused.get(index);
    const found = (kind: string, what: string): Defect[] => [{ case: index, kind: `${pair.kind}: ${kind}`, what }];
    if (proof !== undefined && verdict !== 'breaking') return found(`called ${verdict}`, proof);
    if (pair.expected === 'loud' && ['none', 'cosmetic'].includes(verdict))
      return found(`called ${verdict}`, 'callers of the operation notice it');
    return pair.expected === 'quiet' && proof === undefined && verdict === 'breaking'
      ? found('called breaking', `nothing breaks (${rules})`)
      : [];
  });
}

async function generateSide(side: 'before' | 'after', batch: readonly Case[], run: AttackRun): Promise<void> {
  const router = await serve(honestRouter(new Map(batch.map(({ id, pair }) => [id, JSON.stringify(pair[side])]))));
  const flags = ['--router-url', router.url, '--out', side, '--cache', `cache-${side}`];
  const env = { SWITCHYARD_API_KEY: 'sk-attack-differences' };
  const ended = await run.checkout
    .run('generate', flags, { cwd: run.folder, env, bounds })
    .finally(() => router.close());
  if (ended.code !== 0) throw new Error(`the models ${side} the change are not generated: ${ended.err.slice(0, 300)}`);
}

function readVerdicts(report: string): Verdicts {
  const { models }: { models: { id: string; verdict: string; changes: { rule: string }[] }[] } = JSON.parse(report);
  return new Map(
    models.map(({ id, verdict, changes }) => [id, { verdict, rules: changes.map(({ rule }) => rule).join(' ') }]),
  );
}

/** What the compiler refuses of code that was written for the packages before, by case. */
async function brokenUsers(batch: readonly Case[], run: AttackRun): Promise<Map<number, string>> {
  const folder = join(run.folder, 'users');
  mkdirSync(folder, { recursive: true });
  for (const { index, id } of batch) {
    const types = ['before', 'after'].map((side) => readTypes(join(run.folder, side, 'models', `${id}.d.ts`)));
    writeFileSync(join(folder, `before-${index}.ts`), types[0] ?? '');
    writeFileSync(join(folder, `after-${index}.ts`), types[1] ?? '');
    const names = [...(types[0] ?? '').matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name);
    const user = [
      `import type { Input as OldInput, Output as OldOutput } from './before-${index}.ts';`,
      `import type { ${names.join(', ')} } from './after-${index}.ts';`,
      `export type Names = [${names.join(', ')}];`,
      'declare const given: OldInput;',
      'export const taken: Input = given;',
      'declare const answer: Output;',
      'export const read: OldOutput = answer;',
    ];
    writeFileSync(join(folder, `user-${index}.ts`), `${user.join('\n')}\n`);
  }
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    types: [],
    allowImportingTsExtensions: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const broken = new Map<number, string>();
  for (const line of (await run.checkout.compile(join(folder, 'tsconfig.json'))).split('\n')) {
    const found = /user-(\d+)\.ts\(\d+,\d+\): error (.*)/.exec(line);
    if (found !== null) broken.set(Number(found[1]), `the compiler: ${found[2]}`);
    else if (/(?:before|after)-\d+\.ts.*error/.test(line)) throw new Error(`the types do not stand alone: ${line}`);
  }
  return broken;
}

/** The types of a model without its values. */
function readTypes(path: string): string {
  const text = readFileSync(path, 'utf8');
  return text.replace(/^import type .*$/gm, '').replace(/\n\/\/ Values[\s\S]*$/, '\n');
}

const asker = join(import.meta.dirname, 'ask-validators.ts');

/** Inputs that the validator took before the change and refuses after it, by case. */
async function refusedValues(batch: readonly Case[], run: AttackRun): Promise<Map<number, string>> {
  const values = batch.map(({ index, id, pair }) => {
    const random = seedRandom(run, 'differing-values', index);
    // A value under the name of a member that is added is no change of diff's: docs/reference/changes.md.
    const sides = pair.kind === 'member added' ? [pair.before] : [pair.before, pair.after];
    const samples = sides.flatMap((document) =>
      Array.from({ length: 6 }, () => sample(findInput(document), document, random)),
    );
    return { index, id, values: [...samples, ...samples.map((one) => mutate(one, random))] };
  });
  const file = join(run.folder, 'values.json');
  writeFileSync(file, JSON.stringify(values));
  const { code, out, err, stopped } = await runChild([asker, run.folder, file], { cwd: run.folder, bounds });
  if (code !== 0) throw new Error(`the validators were not asked: ${stopped ?? err}`);
  const lines: [number, string][] = JSON.parse(out);
  return new Map(lines.map(([index, value]) => [index, `the validator refuses ${value.slice(0, 150)} now`]));
}

function findInput(document: JsonObject): JsonValue | undefined {
  const at = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
    isJsonObject(value) ? value[key] : undefined;
  const [item] = Object.values(isJsonObject(document['paths']) ? document['paths'] : {});
  return ['post', 'requestBody', 'content', 'application/json', 'schema'].reduce(at, item);
}
