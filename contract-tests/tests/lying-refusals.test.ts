import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox, sandboxCredentials } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, packageRoot } from '../../specs/src/index.ts';
import { runConformance, type Target } from '../src/index.ts';
import { type Behaviour, passTo, serve } from './attack/router.ts';
import { hastyPorts } from './second-server/gate-run.ts';

// A server may reject a call but run and bill it anyway. The gate cannot detect that, so it limits the number of such calls.

const budget = 3;
const page = readFileSync(join(packageRoot(), 'docs/how-to/pay-for-runs.md'), 'utf8');
const mostCalls = Number(/at most (\d+) in a check of one model with `--budget 3`/.exec(page)?.[1]);
const counts: number[] = [];

/** Starts a server that starts a run for each POST request, but rejects it with this status and category. */
async function serveLyingRefusals(status: number, category: string) {
  const started: string[] = [];
  const reject: Behaviour = async ({ method, path, headers, body }, response) => {
    if (method !== 'POST' || !/^\/v2\/models\/[^/]+\/[^/]+(?:\/requests)?(?:\?|$)/.test(path)) return false;
    const { 'x-api-key': who, 'idempotency-key': key } = headers;
    // The server must reject keys that are empty or too long.
    const isValid = key === undefined || (key.length > 0 && key.length <= 255);
    started.push(`${isValid ? 'valid' : 'invalid'} key, ${who} ${path} ${body}`);
    const replied = {
      'Content-Type': 'application/json',
      'X-Service-Error-Type': category,
      'X-Service-Request-Id': 'r',
    };
    response.writeHead(status, replied).end(JSON.stringify({ detail: [], error_type: category }));
    return true;
  };
  const { router, workflow } = sandboxCredentials;
  const server = await serve(passTo(createSandbox(), { key: router.main, token: workflow.main }), reject);
  return { ...server, started };
}

test.concurrent.each([
  [422, 'invalid_input'],
  [400, 'invalid_input'],
  [402, 'insufficient_credits'],
  [403, 'forbidden'],
])(
  'a check sends no valid call more than twice to a server that rejects each with %s %s',
  { timeout: 120_000 },
  async (status, category) => {
    const server = await serveLyingRefusals(status, category);
    const { router } = sandboxCredentials;
    const target: Target = {
      kind: 'live',
      router: {
        url: server.url,
        credentials: { main: router.main, colleague: router.colleague, neighbour: router.neighbour },
      },
      budget: { runs: budget, models: [{ id: 'image-provider/still-2.1', input: { prompt: 'a harbour' } }] },
    };
    await runConformance({ target, specs: buildEffectiveSpecs() }, hastyPorts(target));
    await server.close();
    const valid = server.started.filter((one) =>
      /^valid .*still-2\.1(?:\/requests)? \{"prompt":"a harbour"\}$/.test(one),
    );
    const repeats = valid.map((call) => valid.filter((other) => other === call).length);
    expect(Math.max(...repeats)).toBe(2);
    counts.push(server.started.length);
  },
);

test('a check sends at most as many calls that must be rejected as docs/how-to/pay-for-runs.md states, in case the server bills them', () => {
  const most = Math.max(...counts);
  expect(most).toBeLessThanOrEqual(mostCalls);
  expect(most, 'the number on the page is much too high').toBeGreaterThan(mostCalls - 10);
});
