import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sandboxCredentials } from '../../sandbox/src/index.ts';
import { runProgram } from '../../scripts/cli/program.ts';
import { fakeIo } from '../../scripts/tests/fake-io.ts';
import { serveSandbox } from '../../scripts/tests/with-sandbox.ts';
import { runScript } from './pages/project.ts';
import { catalog } from './sandbox-under-test.ts';

const folder = mkdtempSync(join(tmpdir(), 'switchyard-sequence-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const env = {
  SWITCHYARD_API_KEY: sandboxCredentials.router.main ?? '',
  SWITCHYARD_ROUTER_NEIGHBOUR: sandboxCredentials.router.neighbour ?? '',
};

/** The script of a rule that fails by a fault, for a sandbox at another address. */
async function scriptOf(rule: string, fault: string): Promise<string> {
  const io = fakeIo({ env: {}, workingFolder: folder });
  const flags = ['conform', '--target', 'sandbox', '--rule', rule, '--fault', fault, '--out', fault];
  expect(await runProgram(flags, io)).toBe(1);
  expect(io.written.out).toContain(`script that repeats all calls: exchanges/${rule}.sh`);
  return readFileSync(join(folder, fault, `exchanges/${rule}.sh`), 'utf8');
}

async function sendTo(faults: readonly string[], script: string, more: Record<string, string>) {
  const server = await serveSandbox({ catalog, faults });
  try {
    // The runs of the scripted model take eight seconds.
    const here = script.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, server.url).replaceAll(/(delay_ms\W+)\d+/g, '$12000');
    const file = join(mkdtempSync(join(folder, 'script-')), 'here.sh');
    writeFileSync(file, here);
    const send = () => runScript(`sh ${file}`, folder, { env: { ...env, ...more } });
    return { first: await send(), second: await send() };
  } finally {
    await server.close();
  }
}

const statusesOf = (output: string) => [...output.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
const confirmed = { MAY_BE_BILLED: 'yes' };

test.concurrent('the script that reproduces a rule takes ids from its own responses, and marks calls that may be billed', async () => {
  const rule = 'status.foreign.is-not-found';
  const fault = 'status.foreign.visible';
  const script = await scriptOf(rule, fault);
  expect(script).toContain('# May be billed: call 1 of 2.');
  for (const credential of Object.values(env)) expect(script).not.toContain(credential);
  const refused = await sendTo([fault], script, {});
  expect(refused.first).toMatchObject({ code: 2, output: expect.stringContaining('set MAY_BE_BILLED=yes') });
  const broken = await sendTo([fault], script, confirmed);
  expect(statusesOf(broken.first.output)).toEqual(['201', '200']);
  const healthy = await sendTo([], script, confirmed);
  expect(statusesOf(healthy.first.output)).toEqual(['201', '404']);
}, 60_000);

test.concurrent('the script of a rule creates new keys, and sends concurrent calls concurrently', async () => {
  const rule = 'idempotency.running.is-409';
  const fault = 'idempotency.running.as-conflict';
  const script = await scriptOf(rule, fault);
  const { first, second } = await sendTo([], script, confirmed);
  // Under the key of the first time, the second one would only be replays.
  for (const { output } of [first, second]) {
    expect(output).toMatch(/concurrency_limit_exceeded/);
    expect(output.match(/idempotent-replayed: true/gi)?.length ?? 0).toBeLessThan(2);
  }
}, 90_000);

test.concurrent('a constant request id is one cause, and its calls on one connection are one command', async () => {
  const io = fakeIo({ env: {}, workingFolder: folder });
  const rules = ['catalog.connection.each-request-has-its-own-id', 'trace.request-id.is-unique'];
  const chosen = rules.flatMap((rule) => ['--rule', rule]);
  const flags = ['conform', '--target', 'sandbox', ...chosen, '--fault', 'errors.request-id.constant'];
  expect(await runProgram([...flags, '--out', 'constant'], io)).toBe(1);
  const { groups } = JSON.parse(readFileSync(join(folder, 'constant/result.json'), 'utf8'));
  expect(groups).toMatchObject([{ cause: expect.stringContaining('X-Service-Request-Id is not a new id') }]);
  const [kept, whole] = rules.map((rule) => readFileSync(join(folder, `constant/exchanges/${rule}.sh`), 'utf8'));
  expect(kept?.match(/^curl .*$/gm)).toEqual([expect.stringMatching(/answers\/1" --next .*answers\/2" --next /)]);
  const { first } = await sendTo(['errors.request-id.constant'], kept ?? '', {});
  expect(first.output.match(/^x-service-request-id: request-1/gim)).toHaveLength(3);
  expect(whole).toContain('# Repeats the calls with findings with new idempotency keys');
}, 60_000);
