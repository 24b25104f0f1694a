import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { createSandbox } from '../../../sandbox/src/index.ts';
import { generateFlags, runCommand } from './child.ts';
import { makeDocument, object } from './documents.ts';
import { behaveLike, type HostileServer, hostileServers, namedServers } from './hostile-answers.ts';
import { findProblems, listFiles } from './output.ts';
import { honestRouter, passTo, serve } from './router.ts';
import { credential } from './texts.ts';
import { type AttackTime, tryCases } from './try-cases.ts';

type Attack = {
  readonly command: 'conform' | 'generate' | 'diff';
  readonly server: HostileServer;
  readonly key: string;
  readonly token: string;
};
const deadlineS = 12;
const models = ['one', 'two'].map((name): [string, string] => {
  const id = `healthy-provider/${name}`;
  return [id, JSON.stringify(makeDocument(id, { input: object({ prompt: { type: 'string' } }) }))];
});

/** Attacks each command that sends requests with hostile servers on real sockets. Runs three at a time, because most of them wait. */
export async function attackServers(parent: string, time: AttackTime) {
  const sandbox = createSandbox();
  const canary = await serve(honestRouter(new Map()));
  const router = await serve(honestRouter(new Map(models)));
  // The earlier output that `diff` compares with the server.
  const earlier = join(parent, 'earlier');
  const { code, err } = await runCommand('generate', generateFlags(router.url, 'before'), {
    cwd: earlier,
    env: { SWITCHYARD_API_KEY: 'sk-earlier' },
  });
  if (code !== 0) throw new Error(`generating the healthy models failed: ${err}`);

  const attackOnce = async ({ command, server, key, token }: Attack): Promise<string[]> => {
    const healthy = command === 'conform' ? passTo(sandbox, { key, token }) : honestRouter(new Map(models));
    const { url, close } = await serve(healthy, behaveLike(server, canary.url));
    const folder = mkdtempSync(join(parent, 'case-'));
    if (command === 'diff') cpSync(join(earlier, 'before'), join(folder, 'before'), { recursive: true });
    const ended = await runCommand(command, listFlags(command, url), {
      cwd: folder,
      env: { SWITCHYARD_API_KEY: key, SWITCHYARD_WORKFLOW_TOKEN: token },
      limits: { wallMs: (deadlineS + 25) * 1_000, cpuMs: 45_000, peakMb: 1_200 },
    });
    await close();
    const problems = findProblems(ended, { codes: [0, 1, 2, 3, 4], credentials: [key, token], folder });
    // `generate` and `diff` have no deadline for the whole run, so they may wait for a server, but not use much processor time.
    const mayWait = command !== 'conform' && ended.cpuMs < 30_000;
    const others = mayWait ? problems.filter((problem) => !/had not ended after \d+ s$/.test(problem)) : problems;
    const isOwn = /^(?:out|cache|report|before|\.out\.switchyard)\//;
    for (const path of listFiles(folder)) if (!isOwn.test(path)) others.push(`${path} was written outside the output`);
    if (command === 'conform' && ended.stopped === undefined && ended.code !== 2) others.push(...checkReport(folder));
    for (const { method, path } of canary.requests) others.push(`it sent ${method} ${path} to another host`);
    return others.map((problem) => `${command}, ${server.name}: ${problem}`);
  };

  const cases = credential.chain((key) =>
    fc.record<Attack>({
      command: fc.constantFrom('conform', 'conform', 'generate', 'diff'),
      server: hostileServers(key),
      key: fc.constant(key),
      token: credential,
    }),
  );
  const named = namedServers.map((server, at): Attack => {
    const command = (['conform', 'generate', 'diff'] as const)[at % 3] ?? 'conform';
    return { command, server, key: 'sk-attack-servers-key', token: 'attack-servers-token' };
  });
  const run = await tryCases<readonly Attack[]>(time, {
    cases: fc.array(cases, { minLength: 3, maxLength: 3 }),
    named: Array.from({ length: named.length / 3 }, (_, at) => named.slice(at * 3, at * 3 + 3)),
    check: async (attacks) => (await Promise.all(attacks.map(attackOnce))).flat(),
  });
  await Promise.all([canary.close(), router.close()]);
  sandbox.close();
  return run;
}

function listFlags(command: Attack['command'], url: string): string[] {
  if (command === 'generate') return generateFlags(url);
  if (command === 'diff') return ['before', '--router-url', url, '--cache', 'cache'];
  const deadlines = ['--run-deadline', `${deadlineS}s`, '--rule-deadline', '8s', '--request-deadline', '3s'];
  return ['--router-url', url, '--workflow-url', url, '--out', 'report', ...deadlines];
}

function checkReport(folder: string): string[] {
  try {
    readFileSync(join(folder, 'report/junit.xml'));
    JSON.parse(readFileSync(join(folder, 'report/result.json'), 'utf8'));
    return [];
  } catch (error) {
    return [`no report: ${String(error).slice(0, 100)}`];
  }
}
