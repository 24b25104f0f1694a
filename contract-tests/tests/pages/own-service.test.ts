import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { packageRoot } from '../../../specs/src/index.ts';
import { namedBlock } from './code-blocks.ts';
import { freePort, makeProject, type Project, type Ran } from './project.ts';
import { type Context, makeStore, runGitlabJobs, runJobs } from './run-jobs.ts';
import { gitlabJobs, type Job, workflowJobs } from './workflow.ts';

// Executes the jobs of "Gate in CI, from nothing to green" for a service that is not the sandbox: `npm start` of the project
// starts the second server, with bugs or without.

const page = 'docs/how-to/gate-in-ci.md';
const key = 'key-of-the-tests';
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function checkOut(bugs: readonly string[]): Promise<Context> {
  const [port, store] = [await freePort(), makeStore()];
  const project: Project = makeProject({ scripts: { start: 'node service.ts' } });
  const server = pathToFileURL(join(packageRoot(), 'contract-tests/tests/second-server/start.ts')).href;
  const options = `{ routerPort: ${port}, routerKey: '${key}', bugs: new Set(${JSON.stringify(bugs)}) }`;
  project.write('service.ts', `import { startServer } from '${server}';\nawait startServer(${options});\n`);
  closers.push(project.close, store.close);
  return { project, port, store, deployment: { environment: {} }, otherProject: () => project };
}

const block = (name: string, from = page): string => namedBlock(from, name).text;

function githubJob(change = (text: string): string => text): Job {
  const [job] = workflowJobs(change(block('.github/workflows/contract.yml')));
  if (job === undefined) throw new Error(`${page} has no job`);
  return job;
}
const runOnGithub = (context: Context): Promise<Ran> => runJobs([githubJob()], context);
const runOnGitlab = (context: Context): Promise<Ran> =>
  runGitlabJobs(gitlabJobs(block('.gitlab/contract.gitlab-ci.yml')), context);
const runInShell = ({ project, port }: Context): Promise<Ran> =>
  project.run(block('gate.sh', 'docs/how-to/ci-other-systems.md'), {
    SWITCHYARD_ROUTER_URL: `http://127.0.0.1:${port}`,
    SWITCHYARD_API_KEY: key,
  });

const bug = 'read-shows-prices';

test.each([
  ['GitHub', runOnGithub, [], 0],
  ['GitHub', runOnGithub, [bug], 1],
  ['GitLab', runOnGitlab, [bug], 1],
  ['a shell', runInShell, [], 0],
] as const)(
  'in %s the job checks the service that it has started: %#',
  { timeout: 120_000 },
  async (_, run, bugs, code) => {
    const context = await checkOut(bugs);
    expect(await run(context)).toMatchObject({ code });
    const reports = join(context.project.folder, 'reports');
    const { target, results } = JSON.parse(readFileSync(join(reports, 'result.json'), 'utf8'));
    expect(target).toMatchObject({ kind: 'live', routerUrl: `http://127.0.0.1:${context.port}` });
    expect(results.some(({ outcome }: { outcome: { kind: string } }) => outcome.kind === 'passed')).toBe(true);
    for (const name of ['report.html', 'junit.xml']) expect(existsSync(join(reports, name))).toBe(true);
  },
);

test('a service that never starts fails the job', { timeout: 120_000 }, async () => {
  const context = await checkOut([]);
  context.project.write('package.json', JSON.stringify({ private: true, scripts: { start: 'exit 1' } }));
  const job = githubJob((text) => text.replace('--retry 60', '--retry 2'));
  expect((await runJobs([job], context)).code).not.toBe(0);
});

test('with the baseline of the page the check passes, until there is a new finding', { timeout: 180_000 }, async () => {
  const known = await checkOut([bug]);
  const [start = ''] = /^ *npm start .*\n.*curl .*$/m.exec(block('.github/workflows/contract.yml')) ?? [];
  const command = /^npx openapi-switchyard conform .*--write-baseline.*$/m.exec(
    readFileSync(join(packageRoot(), page), 'utf8'),
  )?.[0];
  const environment = { SWITCHYARD_API_KEY: key };
  const written = await known.project.run(`${start}\n${command}`.replaceAll('8080', known.port), environment);
  expect(written).toMatchObject({ code: 0 });
  const waivers = readFileSync(join(known.project.folder, 'conform-waivers.yaml'), 'utf8');
  const withWaivers = async (bugs: readonly string[]): Promise<Ran> => {
    const context = await checkOut(bugs);
    context.project.write('conform-waivers.yaml', waivers);
    return runOnGithub(context);
  };
  expect(await withWaivers([bug])).toMatchObject({ code: 0 });
  expect(await withWaivers([bug, 'read-unknown-model-500'])).toMatchObject({ code: 1 });
});
