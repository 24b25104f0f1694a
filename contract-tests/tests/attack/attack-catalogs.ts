import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AttackClass, type AttackRun, type Defect, type Random, seedRandom } from './attack-class.ts';
import { hostileText, plainWord, terminalSigns } from './hostile-texts.ts';
import { findCrash } from './output-checks.ts';
import { type Behaviour, honestRouter, serve } from './router.ts';
import type { Bounds, Ended } from './run-child.ts';
import { makeDocument } from './schema-documents.ts';

const bounds: Bounds = { wallMs: 180_000, cpuMs: 60_000, peakMb: 900 };
const mostPrinted = 400_000;
const key = 'sk-attack-catalogs';
type Problem = [kind: string, what: string];

/** Routers of another brand than the setting says, and catalogs full of entries that are none. */
export const catalogAttack: AttackClass = {
  name: 'catalogs',
  cases: 80,
  run: async (run) => {
    const defects: Defect[] = [];
    for (const [at, index] of run.cases.entries()) {
      const random = seedRandom(run, 'catalogs', index);
      const folder = join(run.folder, `case-${index}`);
      const attack = random.one([wrongBrand, wrongBrand, foundBrand, oneHeader, malformed, malformed]);
      const problems = await attack({ run, random, folder });
      defects.push(...problems.map(([kind, what]) => ({ case: index, kind, what })));
      run.progress(at + 1);
    }
    return defects;
  },
};

type Place = { run: AttackRun; random: Random; folder: string };
type Command = 'generate' | 'conform' | 'diff';

function listModels(brand: string): Map<string, string> {
  const input = { type: 'object', properties: { prompt: { type: 'string' } } };
  const ids = ['branded-provider/one', 'branded-provider/two'];
  return new Map(ids.map((id) => [id, JSON.stringify(makeDocument(id, { input }, brand.toLowerCase()))]));
}

const word = (random: Random): string => {
  const letters = plainWord(random, random.size(3, 9));
  return letters.slice(0, 1).toUpperCase() + letters.slice(1);
};

/** Two names that disagree end the generation, with one line that has both. */
async function wrongBrand({ run, random, folder }: Place): Promise<Problem[]> {
  const served = random.chance(0.4) ? 'Service' : word(random);
  const set = served === 'Service' || random.chance(0.7) ? word(random) : 'Service';
  const command = random.one<Command>(['generate', 'conform', 'diff']);
  const ended = await runAgainst(served, [], { run, folder, command, flags: ['--brand', set] });
  const name = `${command} with the wrong brand`;
  if (ended.code !== 2) return [[name, `exit ${ended.code} where ${served} is served and ${set} is set`]];
  const [line = '', ...more] = splitLines(ended.err);
  const hasBoth = [served, set].every((brand) => line.toLowerCase().includes(brand.toLowerCase()));
  return hasBoth && more.length === 0 ? [] : [[name, `does not name both in a line: ${ended.err.slice(0, 200)}`]];
}

/** Without a setting, what documents and headers show is taken. */
async function foundBrand({ run, random, folder }: Place): Promise<Problem[]> {
  const served = word(random);
  const ended = await runAgainst(served, [], { run, folder, command: 'generate', flags: [] });
  if (ended.code !== 0) return [['brand not found', `exit ${ended.code}: ${ended.err.slice(0, 200)}`]];
  return isAuthored(folder) ? [] : [['brand not found', `the models of ${served} are said to have no authored input`]];
}

/** A header that a proxy adds, or one that is misspelt, is no other brand. */
async function oneHeader({ run, random, folder }: Place): Promise<Problem[]> {
  const other = word(random).toLowerCase();
  const header = `x-${other}-${random.one(['request-id', 'error-type', 'trace', 'cache'])}`;
  const add: Behaviour = async (_asked, response) => {
    response.setHeader(header, '5f0c7c2e-33f1-4c1b-9a53-1d6f6b1f0a99');
    return false;
  };
  const flags = random.chance(0.5) ? ['--brand', 'Service'] : [];
  const ended = await runAgainst('Service', [add], { run, folder, command: 'generate', flags });
  return ended.code === 0 && isAuthored(folder)
    ? []
    : [['one header', `exit ${ended.code} with the header ${header}: ${ended.err.slice(0, 200)}`]];
}

function isAuthored(folder: string): boolean {
  const script = join(folder, 'out/models/branded-provider/one.js');
  return existsSync(script) && readFileSync(script, 'utf8').includes('inputAuthored: true');
}

/** Many malformed entries cost no more memory and no more lines than good ones. */
async function malformed({ run, random, folder }: Place): Promise<Problem[]> {
  const isMost = random.chance(0.6);
  const pages = random.size(1, 40);
  const size = random.size(300, 9_000_000);
  // A page larger than 16 MiB is refused as a whole.
  const perPage = Math.min(isMost ? 1_000 : 20, Math.max(1, Math.floor(14_000_000 / size)));
  const long = 'x'.repeat(size);
  const make = random.one<(at: number) => unknown>([
    (at) => ({ id: `${long}${at}/y` }),
    (at) => ({ id: `a/${long}${at}`, provider: 'a', model: long }),
    (at) => ({ id: at, provider: long }),
    (at) => [at, long],
    (at) => ({ id: `${hostileText(random)}${at}/m${long}` }),
    (at) => ({ id: `p${at}/../${long.slice(0, 300)}` }),
  ]);
  const good = isMost
    ? []
    : Array.from({ length: 80 }, (_, at) => ({
        id: `p/m${at}`,
        provider: 'p',
        model: `m${at}`,
        billing: { charges_on_policy_rejection: 'no' },
      }));
  let page = 0;
  const flood: Behaviour = async ({ url }, response) => {
    if (url.pathname !== '/v2/models') return false;
    page += 1;
    const data = [...good, ...Array.from({ length: perPage }, (_, at) => make(page * perPage + at))];
    const more = page < pages;
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ data, has_more: more, limit: 100, ...(more ? { next_cursor: `c${page}` } : {}) }));
    return true;
  };
  const ended = await runAgainst('Service', [flood], { run, folder, command: 'generate', flags: [] });
  const name = `${isMost ? 'most' : 'some'} malformed`;
  const problems: Problem[] = [];
  const crash = findCrash(ended, isMost && perPage * pages > 50 ? [3] : [0, 3]);
  if (crash !== undefined) problems.push([name, crash]);
  if (ended.printed > mostPrinted) problems.push([name, `${ended.printed} bytes were printed`]);
  if (terminalSigns(ended.out + ended.err) !== undefined) problems.push([name, 'a control or format sign is printed']);
  return problems;
}

type Run = { run: AttackRun; folder: string; command: Command; flags: string[] };

async function runAgainst(
  served: string,
  behaviours: readonly Behaviour[],
  { run, folder, command, flags }: Run,
): Promise<Ended> {
  const router = await serve(honestRouter(listModels(served), { brand: served }), behaviours);
  const own = {
    generate: ['--out', 'out', '--cache', 'cache'],
    conform: ['--out', 'report'],
    diff: ['before', '--cache', 'cache'],
  };
  const env = { SWITCHYARD_API_KEY: key };
  try {
    if (command === 'diff')
      await run.checkout.run(
        'generate',
        ['--router-url', router.url, '--out', 'before', '--cache', 'first', '--brand', served],
        { cwd: folder, env, bounds },
      );
    return await run.checkout.run(command, [...own[command], '--router-url', router.url, ...flags], {
      cwd: folder,
      env,
      bounds,
    });
  } finally {
    await router.close();
  }
}

/** Messages without the lines of progress. */
function splitLines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '' && !line.endsWith('…'));
}
