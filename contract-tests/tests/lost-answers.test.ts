import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createDice } from '../../generator/tests/random-documents/dice.ts';
import { createSandbox } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs } from '../../specs/src/index.ts';
import type { Exchanger, RawHeaders, WireRequest } from '../src/contract/exchange.ts';
import { inProcessPorts, runConformance } from '../src/index.ts';
import { catalog, limits, targetAt } from './sandbox-under-test.ts';

// If the response to a billed run is lost, the gate must not send the call again.

const specs = buildEffectiveSpecs();
type Result = Awaited<ReturnType<Exchanger>>;

const refused = (status: number, category: string, headers: RawHeaders = []): Result => ({
  kind: 'response',
  status,
  headers: [['Content-Type', 'application/json'], ...headers],
  body: new TextEncoder().encode(JSON.stringify({ detail: 'Later.', error_type: category })),
});
const atOnce: RawHeaders = [['Retry-After', '0']];
const losses: readonly Result[] = [
  { kind: 'no-response', because: 'reset', detail: 'read ECONNRESET' },
  { kind: 'no-response', because: 'malformed', detail: 'the body ends too early' },
  { kind: 'no-response', because: 'timeout', detail: 'no response within 2 s' },
  refused(500, 'internal_error'),
  refused(503, 'service_unavailable', atOnce),
  refused(429, 'rate_limited', atOnce),
  refused(307, '', [['Location', '/v2/models/sandbox/outcomes']]),
];

type Counts = ReadonlyMap<string, number>;
type Loss = { readonly kind: 'sandbox' | 'live'; readonly loses: (request: WireRequest) => Result | undefined };

/** Counts equal POST requests of a check, and its billed runs. */
async function countRuns({ kind, loses }: Loss): Promise<{ counts: Counts; billed: number }> {
  const sandbox = createSandbox({ specs, clock: 'manual', catalog });
  const { hooks, ...deployed } = targetAt('http://sandbox.test');
  const target = { ...deployed, kind, ...(kind === 'sandbox' && hooks && { hooks }) };
  const ports = inProcessPorts(sandbox.handle, sandbox.clock, target);
  const counts = new Map<string, number>();
  const exchange: Exchanger = async (request, deadlineMs) => {
    const response = await ports.exchange(request, deadlineMs);
    const call = describeCall(request);
    if (call !== undefined) counts.set(call, (counts.get(call) ?? 0) + 1);
    return loses(request) ?? response;
  };
  await runConformance({ target, specs, limits }, { ...ports, exchange });
  const { billed } = sandbox.ledger();
  await sandbox.close();
  return { counts, billed };
}

/** Describes a call by a text that is the same in every check, without the unique parts of its key and body. */
function describeCall({ method, url, headers, body }: WireRequest): string | undefined {
  const sent = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  const caller = `${sent.get('x-api-key')} ${sent.get('authorization')}`;
  // Rules on quotas repeat a call of this caller until a slot is free.
  if (method !== 'POST' || !url.includes('/v2/models/') || caller.includes('solo')) return undefined;
  const unique = /-?[0-9a-f]{8}-[0-9a-f-]{27}|-at-\d.*|\d{10,}/g;
  const text = new TextDecoder().decode(body).replace(unique, '');
  const key = sent.get('idempotency-key')?.replace(unique, '');
  return [url, caller, key, createHash('sha256').update(text).digest('hex').slice(0, 8)].join(' ');
}

const usual = await countRuns({ kind: 'sandbox', loses: () => undefined });
const firstSeed = Number(process.env['SWITCHYARD_SEED'] ?? 20_261_122);

/** Loses a share of the responses to POST requests, each in a random way. */
function loseSome(seed: number, share: number): Loss['loses'] {
  const random = createDice(seed);
  return ({ method }) => (method === 'POST' && random.next() < share ? random.pick(losses) : undefined);
}

test.each([firstSeed, firstSeed + 1, firstSeed + 2])(
  'a check repeats no run after a lost response (seed %i)',
  async (seed) => {
    const { counts } = await countRuns({ kind: 'sandbox', loses: loseSome(seed, 0.4) });
    const repeated = [...counts].filter(([call, count]) => count > (usual.counts.get(call) ?? 0));
    expect(repeated).toEqual([]);
  },
);

test(`a check of a live target without a budget bills nothing after lost responses (seed ${firstSeed})`, async () => {
  const { billed } = await countRuns({ kind: 'live', loses: loseSome(firstSeed, 0.3) });
  expect(billed).toBe(0);
});
