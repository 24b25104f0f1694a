import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type AttackClass, type AttackRun, type Defect, type Random, seedRandom } from './attack-class.ts';
import { randomCredential } from './credentials.ts';
import { hostileText, plainWord } from './hostile-texts.ts';
import { findCrash, pathsIn } from './output-checks.ts';
import { type Asked, type Behaviour, honestRouter, serve } from './router.ts';
import type { Bounds } from './run-child.ts';
import { makeDocument } from './schema-documents.ts';

const bounds: Bounds = { wallMs: 60_000, cpuMs: 40_000, peakMb: 1_200 };
type Problem = [kind: string, what: string];
type Place = { run: AttackRun; random: Random; folder: string };

/** What others have left: locks of ended processes, caches of other callers, and a catalog that others keep busy. */
export const neighbourAttack: AttackClass = {
  name: 'neighbours',
  cases: 60,
  run: async (run) => {
    const defects: Defect[] = [];
    for (const [at, index] of run.cases.entries()) {
      const random = seedRandom(run, 'neighbours', index);
      const folder = join(run.folder, `case-${index}`);
      mkdirSync(folder, { recursive: true });
      const attack = random.one([leftClaim, otherCaller, slowCatalog]);
      const problems = await attack({ run, random, folder });
      defects.push(...problems.map(([kind, what]) => ({ case: index, kind, what })));
      rmSync(folder, { recursive: true, force: true });
      run.progress(at + 1);
    }
    return defects;
  },
};

const id = 'shared-provider/one';
const listModels = (word: string) =>
  new Map([[id, JSON.stringify(makeDocument(id, { input: { type: 'object', description: word } }))]]);

/** A claim of a process that ended: the next one takes over two minutes after its last sign of life. */
async function leftClaim({ run, random, folder }: Place): Promise<Problem[]> {
  const place = join(folder, random.one(['.out.switchyard', '.out.switchyard', 'out/.switchyard-staging']));
  mkdirSync(place, { recursive: true });
  const text = random.one([
    JSON.stringify({ token: plainWord(random), since: random.one([0, Date.now(), 9e15, 'x', hostileText(random)]) }),
    JSON.stringify({ token: plainWord(random) }),
    random.one(['', '{', 'null', '7', '[]', '"x"', hostileText(random)]),
  ]);
  const claim = join(place, `owner.claim-${random.one(['1', '7', '999999999', '0', 'x', '1e3', '-1', ''])}`);
  writeFileSync(claim, text);
  const age = random.one([115, 130, 86_400, -86_400]);
  utimesSync(claim, Date.now() / 1000 - age, Date.now() / 1000 - age);
  if (random.chance(0.3)) writeFileSync(join(place, 'owner.claim-2'), text);
  const router = await serve(honestRouter(listModels('shared')));
  const env = { SWITCHYARD_API_KEY: 'sk-attack-neighbours' };
  const flags = [
    ['--router-url', router.url],
    ['--out', 'out'],
    ['--cache', 'cache'],
  ] as const;
  const ended = await run.checkout.run('generate', flags, { cwd: folder, env, bounds }).finally(() => router.close());
  const crash = findCrash(ended, [0]);
  if (crash === undefined && ended.wallMs < 30_000) return [];
  const seen = `${text} of ${age} s as ${claim.slice(folder.length)}`;
  return [['lock kept', `${seen}: ${crash ?? `waited ${ended.wallMs} ms`}`.slice(0, 280)]];
}

/** Two callers with one cache: a gateway serves each its own documents, and neither gets those of the other. */
async function otherCaller({ run, random, folder }: Place): Promise<Problem[]> {
  const key = randomCredential(random);
  const mine = { key, gateway: randomCredential(random), header: 'x-gateway-key', cert: 'first' };
  const change = random.one<Partial<typeof mine>>([
    { gateway: randomCredential(random) },
    { gateway: `${mine.gateway}x` },
    { header: 'x-other-gateway' },
    { cert: 'second' },
    { key: `${key}2` },
  ]);
  const callers = [mine, { ...mine, ...change }];
  const secret = plainWord(random, 24);
  let word = secret;
  const router = await serve((asked: Asked) => honestRouter(listModels(word))(asked));
  const runAs = async (at: number, more: readonly string[]) => {
    const { key: credential, gateway, header, cert } = callers[at] ?? mine;
    for (const name of ['cert', 'key']) writeFileSync(join(folder, `${cert}.${name}.pem`), makePem(name, cert));
    const http = { headers: { [header]: 'env:GATEWAY' }, cert: `./${cert}.cert.pem`, key: `./${cert}.key.pem` };
    const { cert: _cert, key: _key, ...plain } = http;
    const config = { routerUrl: router.url, http: change.cert === undefined ? plain : http };
    writeFileSync(join(folder, 'switchyard.config.mjs'), `export default ${JSON.stringify(config)};\n`);
    const env = { SWITCHYARD_API_KEY: credential, GATEWAY: gateway };
    const flags = ['--config', 'switchyard.config.mjs', '--out', `out-${at}`, '--cache', 'cache', ...more];
    return run.checkout.run('generate', flags, { cwd: folder, env, bounds });
  };
  try {
    const first = await runAs(0, []);
    if (first.code !== 0) return [['caches', `the first caller failed: ${first.err.slice(0, 200)}`]];
    word = 'other';
    const mode = random.one([['--offline'], []]);
    const second = await runAs(1, mode);
    const crash = findCrash(second, mode.length === 0 ? [0] : [2, 3]);
    const read = pathsIn(join(folder, 'out-1')).find((path) =>
      readFileSync(join(folder, 'out-1', path), 'utf8').includes(secret),
    );
    return [
      ...(crash === undefined
        ? []
        : [['caches', `${mode.join('')} ${Object.keys(change)}: ${crash}`] satisfies Problem]),
      ...(read === undefined
        ? []
        : [['caches', `${read} is that of another ${Object.keys(change)}`] satisfies Problem]),
    ];
  } finally {
    await router.close();
  }
}

const testFolder = join(import.meta.dirname, '../../../scripts/tests');

/** A real pair; a comment before it makes it another one. */
function makePem(name: string, word: string): string {
  const text = readFileSync(join(testFolder, name === 'cert' ? 'router-test.pem' : 'router-test.key.pem'), 'utf8');
  return `${word}\n${text}`;
}

/** A router that keeps answering, but slowly: the generation ends at its deadline. */
async function slowCatalog({ run, random, folder }: Place): Promise<Problem[]> {
  const seconds = 2 + random.below(3);
  const endless = random.chance(0.5);
  const slow: Behaviour = async ({ url }, response, healthy) => {
    const isPage = url.pathname === '/v2/models';
    const way = random.one(['wait', 'trickle', 'retry', 'pages']);
    if (way === 'wait') await pause(random.size(100, 20_000), undefined, { ref: false });
    if (way === 'retry') {
      response.writeHead(random.one([429, 503]), { 'retry-after': String(random.size(1, 100)) }).end();
      return true;
    }
    if (way === 'trickle') return trickle((await healthy()).body.toString(), response, random);
    if (!isPage || !endless) return false;
    const page = { data: [], has_more: true, limit: 100, next_cursor: plainWord(random, 20) };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
    return true;
  };
  const router = await serve(honestRouter(listModels('slow')), [slow]);
  const env = { SWITCHYARD_API_KEY: 'sk-attack-neighbours' };
  const command = random.one(['generate', 'docs', 'diff'] as const);
  const flags = [
    ['--router-url', router.url],
    ['--cache', 'cache'],
    ['--deadline', `${seconds}s`],
  ] as const;
  const own = { generate: ['--out', 'out'], docs: ['--out', 'site'], diff: ['before'] };
  if (command === 'diff') writeLock(folder);
  const ended = await run.checkout
    .run(command, [...own[command], ...flags], { cwd: folder, env, bounds })
    .finally(() => router.close());
  const crash = findCrash(ended, [0, 1, 2, 3]);
  const late = ended.wallMs - seconds * 1000 - 4 * ended.cpuMs;
  return [
    ...(crash === undefined ? [] : [[`${command}: crash`, crash] satisfies Problem]),
    ...(late < 8_000
      ? []
      : [[`${command}: late`, `ended ${Math.round(late)} ms after its deadline`] satisfies Problem]),
  ];
}

async function trickle(text: string, response: ServerResponse, random: Random): Promise<true> {
  response.writeHead(200, { 'content-type': 'application/json' });
  for (const letter of text) {
    if (response.destroyed) return true;
    response.write(letter);
    await pause(random.below(300), undefined, { ref: false });
  }
  response.end();
  return true;
}

function writeLock(folder: string): void {
  mkdirSync(join(folder, 'before'), { recursive: true });
  writeFileSync(join(folder, 'before/switchyard.lock.json'), '{}');
}
