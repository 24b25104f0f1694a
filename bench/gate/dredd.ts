import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createSandbox, listen, sandboxCredentials } from '../../sandbox/src/index.ts';
import { type EffectiveSpecs, isJsonObject } from '../../specs/src/index.ts';
import { createClient } from '../measure/client.ts';
import { toOpenApi30 } from './dredd-document.ts';
import type { Deviation } from './own-gate.ts';

export type DreddRun = { findings: ReadonlySet<string>; calls: number; seconds: number };
export type Dredd = {
  /** Why it cannot run. */ problem: string | undefined;
  check(deviation: Deviation): Promise<DreddRun>;
};

const model = 'sandbox/outcomes';
const { router, workflow } = sandboxCredentials;

/** Dredd on a sandbox of its own behind a socket, once per document. */
export async function prepareDredd(specs: EffectiveSpecs, folder: string): Promise<Dredd> {
  const documents: string[] = [];
  for (const name of ['modelRouter', 'workflowExecution'] as const) {
    const path = join(folder, `dredd-${name}.json`);
    const document: unknown = JSON.parse(JSON.stringify(specs[name]));
    await writeFile(path, JSON.stringify(isJsonObject(document) ? toOpenApi30(document) : {}));
    documents.push(path);
  }
  const command = findCommand();
  return {
    problem: command === undefined ? 'is not installed' : undefined,
    check: (deviation) => checkWithDredd({ specs, documents, command: command ?? '' }, deviation),
  };
}

function findCommand(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('dredd/package.json')), 'bin', 'dredd');
  } catch {
    return undefined;
  }
}

type Setting = { specs: EffectiveSpecs; documents: readonly string[]; command: string };

async function checkWithDredd(
  { specs, documents, command }: Setting,
  { faults, variants }: Deviation,
): Promise<DreddRun> {
  const sandbox = createSandbox({ specs, faults, variants });
  const listening = await listen(sandbox, { port: 0, host: '127.0.0.1' });
  const start = performance.now();
  try {
    const facts = {
      keys: { ...router, workflow: workflow.main, forbidden: workflow.forbidden },
      model,
      requests: { done: await submit(listening.url), live: await submit(listening.url, 3_600_000) },
      job: sandbox.jobs.save,
    };
    const said = await Promise.all(documents.map((document) => runDredd([command, document, listening.url], facts)));
    const lines = said.flatMap((text) => text.split('\n'));
    return {
      findings: findingsIn(lines),
      calls: lines.filter((line) => /^(pass|fail|error): \w+ \(/.test(line)).length,
      seconds: (performance.now() - start) / 1000,
    };
  } finally {
    await listening.close();
    sandbox.close();
  }
}

async function submit(url: string, delayMs = 0): Promise<string> {
  const client = createClient({ 'x-api-key': router.main }, 1);
  try {
    const { body } = await client.ask('POST', `${url}/v2/models/${model}/requests`, { delay_ms: delayMs });
    return String(JSON.parse(body).request_id);
  } catch {
    return '00000000-0000-4000-8000-000000000000';
  } finally {
    client.close();
  }
}

const longestMs = 60_000;

function runDredd([command = '', document = '', url = '']: string[], facts: object): Promise<string> {
  return new Promise((done, fail) => {
    const args = [
      '--no-deprecation',
      command,
      document,
      url,
      '--hookfiles',
      join(import.meta.dirname, 'dredd-hooks.cjs'),
      '--no-color',
    ];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, BENCH_DREDD: JSON.stringify(facts) },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: longestMs,
    });
    const parts: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part));
    child.on('error', fail);
    child.on('close', () => done(Buffer.concat(parts).toString()));
  });
}

/** Each violation with its transaction. */
function findingsIn(lines: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  let about = '';
  for (const line of lines.filter((one) => /^(fail|error):/.test(one)).map(withoutAccidents)) {
    if (/^\w+: [A-Z]+ \(\d+\)/.test(line)) about = line;
    found.add(line === about ? line : `${about} ${line}`);
  }
  return found;
}

// Durations, ids and times differ from run to run and say nothing.
function withoutAccidents(line: string): string {
  return line
    .replace(/ duration: \d+ms/, '')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, '<time>');
}
