import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../specs/src/index.ts';
import { formats, reportFormats } from '../../src/report/formats.ts';
import { type AttackClass, type AttackRun, type Defect, type Random, seedRandom } from './attack-class.ts';
import type { Flag } from './checkout.ts';
import { findLeak, randomCredential, randomForm } from './credentials.ts';
import { buildCommand, hostileText, plainWord, terminalSigns } from './hostile-texts.ts';
import { mutantText } from './mutants.ts';
import { findCrash, pathsIn } from './output-checks.ts';
import { type Behaviour, honestRouter, type Models, serve } from './router.ts';
import type { Bounds, Ended } from './run-child.ts';
import { makeDocument } from './schema-documents.ts';
import { componentRef } from './schemas.ts';

const bounds: Bounds = { wallMs: 180_000, cpuMs: 60_000, peakMb: 1_500 };
type Problem = [kind: string, what: string];
type Place = { run: AttackRun; folder: string; key: string; url: string };
const shown: readonly string[] = Object.values(formats).flatMap(({ file, holds }) => (holds === 'shown' ? [file] : []));

/** One hostile router against every command that reads it or what was made of it. */
export const commandAttack: AttackClass = {
  name: 'commands',
  cases: 40,
  run: async (run) => {
    const defects: Defect[] = [];
    for (const [at, index] of run.cases.entries()) {
      const random = seedRandom(run, 'commands', index);
      const problems = await attackOnce(run, join(run.folder, `case-${index}`), random);
      defects.push(...problems.map(([kind, what]) => ({ case: index, kind, what })));
      run.progress(at + 1);
    }
    return defects;
  },
};

async function attackOnce(run: AttackRun, folder: string, random: Random): Promise<Problem[]> {
  const key = randomCredential(random);
  const ids = Array.from({ length: random.size(1, 6) }, () => modelId(random));
  const sides = [listModels(ids, random, key), listModels(ids, random, key)] as const;
  const header = headerName(key, random);
  const brand: Behaviour = async (_asked, response) => {
    for (const [name, value] of header) response.setHeader(name, value);
    return false;
  };
  const problems: Problem[] = [];
  for (const [side, models] of sides.entries()) {
    const router = await serve(honestRouter(models), random.chance(0.6) ? [brand] : []);
    const place = { run, folder, key, url: router.url };
    const out: Flag[] = [['--out', `out-${side}`]];
    const flags = [...out, ['--cache', 'cache'], ['--router-url', router.url]] as const satisfies Flag[];
    problems.push(...(await attempt('generate', flags, place)), ...(await attempt('verify', [`out-${side}`], place)));
    if (side === 1) {
      problems.push(...(await attempt('docs', [...flags.slice(1), ['--out', 'site']], place)));
      problems.push(...(await attempt('diff', ['out-0', 'out-1'], place)));
      problems.push(...(await attempt('diff', ['out-0', ['--cache', 'other'], ['--router-url', router.url]], place)));
      problems.push(...(await attempt('conform', conformFlags(router.url), place)), ...reportProblems(folder));
    }
    await router.close();
  }
  rmSync(folder, { recursive: true, force: true });
  return problems;
}

const conformFlags = (url: string): Flag[] => [
  ['--router-url', url],
  ['--out', 'report'],
  ['--report', `${reportFormats}`],
  ['--rule', 'catalog.*'],
  ['--rule', 'model.*'],
  ['--run-deadline', '40s'],
  '--verbose',
];

async function attempt(command: Parameters<typeof check>[0], flags: readonly Flag[], place: Place): Promise<Problem[]> {
  const env = { SWITCHYARD_API_KEY: place.key };
  return check(command, await place.run.checkout.run(command, flags, { cwd: place.folder, env, bounds }), place);
}

type Command = 'generate' | 'verify' | 'docs' | 'diff' | 'conform';

function check(command: Command, ended: Ended, { folder, key }: Place): Problem[] {
  const text = ended.out + ended.err;
  const sign = terminalSigns(text);
  return [
    [`${command}: crash`, findCrash(ended, [0, 1, 2, 3, 4])] as const,
    [`${command}: leak`, findLeak(text, folder, [key])] as const,
    [`${command}: terminal`, sign && `U+${(sign.codePointAt(0) ?? 0).toString(16)} is printed`] as const,
    [`${command}: build command`, buildCommand(text)] as const,
    [`${command}: console`, ended.printed > 2_000_000 ? `${ended.printed} bytes were printed` : undefined] as const,
  ].flatMap(([kind, what]) => (what === undefined ? [] : [[kind, what]]));
}

function reportProblems(folder: string): Problem[] {
  const report = join(folder, 'report');
  return pathsIn(report).flatMap((path): Problem[] => {
    const text = readFileSync(join(report, path), 'utf8');
    const sign = shown.includes(path) ? terminalSigns(text.replaceAll('\t', '')) : undefined;
    if (sign !== undefined) return [['conform: report', `${path} holds U+${(sign.codePointAt(0) ?? 0).toString(16)}`]];
    if (path.endsWith('.html') && (text.match(/<script/g)?.length !== 1 || /<(?:img|iframe|svg onload)/i.test(text)))
      return [['conform: report', `${path} holds an element of the target`]];
    return [];
  });
}

/** What parses as an id: two segments, of which any text is accepted that a path can carry. */
function modelId(random: Random): string {
  const segment = (): string =>
    (random.chance(0.7) ? hostileText(random) : plainWord(random))
      .toWellFormed()
      .replace(/[/\p{Cc}]/gu, '')
      .slice(0, 60)
      .toWellFormed()
      .replace(/^\.{0,2}$/, () => plainWord(random));
  return `${segment()}/${segment()}`;
}

/** A brand or another header whose name holds the credential in a form that a name can have. */
function headerName(key: string, random: Random): [name: string, value: string][] {
  const form = randomForm(random)(key);
  const text = /^[\w!#$%&'*+.^`|~-]+$/.test(form) ? form : Buffer.from(form).toString('hex');
  const name = random.one([`x-${text}-request-id`, `x-${text}`, `${text}-id`, `x-request-${text}`]);
  const more: [string, string] = [`x-${text}-error-type`, plainWord(random)];
  return [[name, plainWord(random)], ...(random.chance(0.5) ? [more] : [])];
}

/** Documents that repeat the credential in layers, and definitions that need each other. */
function listModels(ids: readonly string[], random: Random, key: string): Models {
  const text = (): string => (random.chance(0.15) ? randomForm(random)(key) : hostileText(random).slice(0, 2_000));
  return new Map(
    ids.map((id) => {
      if (random.chance(0.4)) return [id, mutantText(id, random)];
      const components = random.chance(0.7) ? recursion(random, text) : chain(random, text);
      const input = { type: 'object', description: text(), properties: { [text()]: componentRef('D0') } };
      return [id, JSON.stringify(makeDocument(id, { input, output: componentRef('D0'), components }))];
    }),
  );
}

/** Definitions of which each is a choice of a leaf of its own and the others: a comparison without memory never ends. */
function recursion(random: Random, text: () => string): Record<string, JsonObject> {
  const names = Array.from({ length: random.size(2, 9) }, (_, at) => `D${at}`);
  const keyword = random.one(['oneOf', 'anyOf', 'allOf']);
  const around = random.one<(part: JsonObject) => JsonObject>([
    (part) => part,
    (part) => ({ type: 'object', properties: { next: part } }),
    (part) => ({ type: 'array', items: part }),
    (part) => ({ type: 'object', additionalProperties: part }),
  ]);
  const leaf = (): JsonObject => ({ type: 'string', const: `${plainWord(random)}`, description: text() });
  return Object.fromEntries(
    names.map((name) => {
      const others = names.filter((other) => other !== name && random.chance(0.9));
      return [name, { [keyword]: [leaf(), ...others.map((other) => around(componentRef(other)))] }];
    }),
  );
}

/** Definitions that lead through each other for a long way. */
function chain(random: Random, text: () => string): Record<string, JsonObject> {
  const length = random.size(5, 3_000);
  return Object.fromEntries(
    Array.from({ length }, (_, at): [string, JsonObject] => [
      `D${at}`,
      {
        type: 'object',
        ...(at === 0 ? { title: text() } : {}),
        properties: { next: componentRef(`D${(at + 1) % length}`) },
      },
    ]),
  );
}
