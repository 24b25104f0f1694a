import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AttackClass, type AttackRun, type Defect, inParallel, type Random, seedRandom } from './attack-class.ts';
import { hostility } from './behaviours.ts';
import type { Flag } from './checkout.ts';
import { findLeak, randomCredential } from './credentials.ts';
import { buildCommand, terminalSigns } from './hostile-texts.ts';
import { findCrash, pathsIn } from './output-checks.ts';
import { throughTo } from './pass-through.ts';
import { honestRouter, serve } from './router.ts';
import type { Ended } from './run-child.ts';
import { openSandbox, type RunningSandbox } from './running-sandbox.ts';
import { makeDocument } from './schema-documents.ts';

type Command = 'conform' | 'generate' | 'diff';
const deadlineS = 20;
const graceS = 30;
const models = new Map(
  ['one', 'two'].map((name) => {
    const id = `healthy-provider/${name}`;
    return [
      id,
      JSON.stringify(makeDocument(id, { input: { type: 'object', properties: { prompt: { type: 'string' } } } })),
    ] as const;
  }),
);

/** Hostile servers over real sockets, against each command that asks one. */
export const serverAttack: AttackClass = {
  name: 'servers',
  cases: 140,
  run: async (run) => {
    const sandbox = await openSandbox(run.checkout, join(run.folder, 'sandbox'));
    const canary = await serve(honestRouter(new Map()));
    const defects: Defect[] = [];
    let done = 0;
    try {
      await earlierOutput(run);
      await inParallel(run.cases, 3, async (index) => {
        defects.push(...(await attackOnce(index, run, { sandbox, canaryUrl: canary.url })));
        run.progress(++done);
      });
      const first = canary.asked[0];
      if (first !== undefined)
        defects.push({ case: run.cases[0] ?? 0, kind: 'foreign host asked', what: `${first.method} ${first.path}` });
    } finally {
      await canary.close();
      await sandbox.close();
    }
    return defects.sort((one, other) => one.case - other.case);
  },
};

type Around = { sandbox: RunningSandbox; canaryUrl: string };

async function attackOnce(index: number, run: AttackRun, { sandbox, canaryUrl }: Around): Promise<Defect[]> {
  const random = seedRandom(run, 'servers', index);
  const command = random.one<Command>(['conform', 'conform', 'conform', 'generate', 'generate', 'diff']);
  const [key, token] = [randomCredential(random), randomCredential(random)];
  const { kind, behaviour } = hostility({
    random,
    credentials: command === 'conform' ? [key, token] : [key],
    canary: canaryUrl,
  });
  const healthy = command === 'conform' ? throughTo(sandbox, { key, token }) : honestRouter(models);
  const server = await serve(healthy, [behaviour]);
  const folder = join(run.folder, `case-${index}`);
  mkdirSync(folder, { recursive: true });
  if (command === 'diff') cpSync(join(run.folder, 'earlier'), join(folder, 'before'), { recursive: true });
  const ended = await run.checkout
    .run(command, pickFlags(command, server.url, random), {
      cwd: folder,
      env: { SWITCHYARD_API_KEY: key, SWITCHYARD_WORKFLOW_TOKEN: token },
      // Two processes: the gate's own, and one that may have 400 MB beside the responses that it holds and decodes.
      bounds: { wallMs: (deadlineS + graceS) * 1000, cpuMs: 45_000, peakMb: 1_200 },
    })
    .finally(() => server.close());
  const found = listProblems(command, ended, { folder, credentials: [key, token], run });
  return found.map(([problem, what]) => ({ case: index, kind: `${kind} × ${command}: ${problem}`, what }));
}

function pickFlags(command: Command, url: string, random: Random): Flag[] {
  if (command === 'generate')
    return [
      ['--router-url', url],
      ['--out', 'out'],
      ['--cache', 'cache'],
    ];
  if (command === 'diff') return ['before', ['--router-url', url], ['--cache', 'cache']];
  const isSandbox = random.chance(0.2);
  return [
    ['--router-url', url],
    ...(random.chance(0.5) ? ([['--workflow-url', url]] as const) : []),
    ...(isSandbox ? ([['--target', 'sandbox']] as const) : []),
    ['--out', 'report'],
    { optional: ['--run-deadline', `${deadlineS}s`] },
    { optional: ['--rule-deadline', '8s'] },
    { optional: ['--request-deadline', '3s'] },
  ];
}

type Case = { folder: string; credentials: string[]; run: AttackRun };

function listProblems(command: Command, ended: Ended, { folder, credentials, run }: Case): [string, string][] {
  const found: [string, string][] = [];
  const leak = findLeak(ended.out + ended.err, folder, credentials);
  if (leak !== undefined) found.push(['leak', leak]);
  const sign = terminalSigns(ended.out + ended.err);
  if (sign !== undefined) found.push(['terminal', `U+${(sign.codePointAt(0) ?? 0).toString(16)} is printed`]);
  const order = buildCommand(ended.out + ended.err);
  if (order !== undefined) found.push(['build command', order]);
  // A killed run leaves its staging folder to the next one.
  const own =
    ended.stopped === undefined ? /^(?:out|cache|report|before)\// : /^(?:out|cache|report|before|\.out\.switchyard)\//;
  const strange = pathsIn(folder).filter((path) => !own.test(path));
  if (strange.length > 0) found.push(['file outside', strange.join(', ').slice(0, 200)]);
  if (ended.printed > 2_000_000) found.push(['console', `${ended.printed} bytes were printed`]);
  if (mayStillWait(command, ended, run)) return found;
  const crash = findCrash(ended, [0, 1, 2, 3, 4]);
  if (crash !== undefined) found.push(['crash', crash]);
  if (command === 'conform' && ended.stopped === undefined && ended.code !== 2)
    found.push(...reportProblems(join(folder, 'report')));
  return found;
}

/** A command whose deadline is fixed and longer than we wait is only held to what it uses. */
function mayStillWait(command: Command, { stopped = '', cpuMs }: Ended, { checkout }: AttackRun): boolean {
  return /had not ended/.test(stopped) && cpuMs < 30_000 && !checkout.has(command, '--run-deadline');
}

function reportProblems(folder: string): [string, string][] {
  const result = join(folder, 'result.json');
  if (!existsSync(result) || !existsSync(join(folder, 'junit.xml'))) return [['no report', 'the run wrote no report']];
  try {
    JSON.parse(readFileSync(result, 'utf8'));
    return [];
  } catch (error) {
    return [['no report', `result.json cannot be read: ${String(error).slice(0, 100)}`]];
  }
}

/** Output of an earlier run for diff to compare with. */
async function earlierOutput(run: AttackRun): Promise<void> {
  const router = await serve(honestRouter(models));
  const flags: Flag[] = [
    ['--router-url', router.url],
    ['--out', 'earlier'],
    ['--cache', 'earlier-cache'],
  ];
  const bounds = { wallMs: 120_000, cpuMs: 60_000, peakMb: 2_000 };
  const env = { SWITCHYARD_API_KEY: 'sk-attack-earlier' };
  const { code, err } = await run.checkout
    .run('generate', flags, { cwd: run.folder, env, bounds })
    .finally(() => router.close());
  if (code !== 0) throw new Error(`the healthy models are not generated: ${err}`);
}
