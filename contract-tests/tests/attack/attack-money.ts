import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type AttackClass, type AttackRun, type Defect, seedRandom } from './attack-class.ts';
import type { Flag } from './checkout.ts';
import { findCrash } from './output-checks.ts';
import { throughTo } from './pass-through.ts';
import { type Asked, type Behaviour, serve } from './router.ts';
import { openSandbox } from './running-sandbox.ts';

const known = { key: 'sk-attack-money', token: 'sk-attack-money-workflow' };
const env = { SWITCHYARD_API_KEY: known.key, SWITCHYARD_WORKFLOW_TOKEN: known.token };

/** Servers that lose the answers to runs after they have billed them: nothing that costs may be sent once more. */
export const moneyAttack: AttackClass = {
  name: 'money',
  cases: 48,
  run: async (run) => {
    const usual = await countRuns(run, { target: 'sandbox', behaviour: undefined, name: 'usual' });
    const defects: Defect[] = [];
    for (const [at, index] of run.cases.entries()) {
      const problems = await attackOnce(index, run, usual.counts);
      defects.push(...problems.map(([kind, what]) => ({ case: index, kind, what })));
      run.progress(at + 1);
    }
    return defects;
  },
};

type Target = 'live' | 'sandbox';
type Counts = ReadonlyMap<string, number>;

async function attackOnce(index: number, run: AttackRun, usual: Counts): Promise<[string, string][]> {
  const random = seedRandom(run, 'money', index);
  const target = random.one<Target>(['live', 'sandbox']);
  const share = random.one([0.02, 0.1, 0.5, 1]);
  const loss = random.one(losses);
  let number = 0;
  const chances = Array.from({ length: 4_000 }, () => random.chance(share));
  const isLost = (asked: Asked): boolean =>
    (target === 'live' || asked.method === 'POST') && chances[number++ % chances.length] === true;
  const behaviour: Behaviour = async (asked, response, healthy) => {
    if (!isLost(asked)) return false;
    await healthy();
    loss.act(response);
    return true;
  };
  const { counts, billed, crash } = await countRuns(run, { target, behaviour, name: String(index) });
  const name = `${target}, ${loss.name}`;
  if (crash !== undefined) return [[`${name}: crash`, crash]];
  // A live target gets only what costs nothing.
  if (target === 'live') return billed === 0 ? [] : [[`${name}: billed`, `${billed} runs were billed`]];
  return [...counts]
    .filter(([call, count]) => count > (usual.get(call) ?? 0))
    .map(([call, count]) => [
      `${name}: sent again`,
      `${call} was sent ${count} times, ${usual.get(call) ?? 0} is usual`,
    ]);
}

type Response = Parameters<Behaviour>[1];
const losses: readonly { name: string; act: (response: Response) => void }[] = [
  { name: 'reset', act: (response) => void response.socket?.resetAndDestroy() },
  { name: 'closed', act: (response) => void response.socket?.end() },
  {
    name: 'cut short',
    act: (response) =>
      void response.socket?.end(
        'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"a":',
      ),
  },
  { name: 'no answer', act: () => {} },
  {
    name: '503',
    act: (response) =>
      void response
        .writeHead(503, { 'Retry-After': '0', 'content-type': 'application/json' })
        .end('{"detail":"later","error_type":"service_unavailable"}'),
  },
  {
    name: '429',
    act: (response) =>
      void response
        .writeHead(429, { 'Retry-After': '0', 'content-type': 'application/json' })
        .end('{"detail":"later","error_type":"rate_limited"}'),
  },
  { name: '500', act: (response) => void response.writeHead(500).end() },
  {
    name: 'redirect',
    act: (response) => void response.writeHead(307, { Location: '/v2/models/sandbox/outcomes' }).end(),
  },
];

// The usual run has none: what it has no time for would seem to be sent once more by the others.
const shortDeadlines: readonly Flag[] = [
  { optional: ['--run-deadline', '40s'] },
  { optional: ['--rule-deadline', '8s'] },
  { optional: ['--request-deadline', '2s'] },
];

type Plan = { target: Target; behaviour: Behaviour | undefined; name: string };

async function countRuns(
  run: AttackRun,
  { target, behaviour, name }: Plan,
): Promise<{ counts: Counts; billed: number; crash: string | undefined }> {
  const folder = join(run.folder, name);
  const sandbox = await openSandbox(run.checkout, folder);
  const server = await serve(throughTo(sandbox, known), behaviour === undefined ? [] : [behaviour]);
  const flags: Flag[] = [
    ['--router-url', server.url],
    ['--target', target],
    ['--out', 'report'],
    ...(behaviour === undefined ? [] : shortDeadlines),
  ];
  try {
    const ended = await run.checkout.run('conform', flags, {
      cwd: folder,
      env,
      bounds: { wallMs: behaviour === undefined ? 600_000 : 80_000, cpuMs: 60_000, peakMb: 1_500 },
    });
    const ledger: { billed: number } = await (await fetch(`${sandbox.url}/__sandbox/ledger`)).json();
    const counts = new Map<string, number>();
    for (const asked of server.asked.filter(costs))
      counts.set(signature(asked), (counts.get(signature(asked)) ?? 0) + 1);
    // What waits for longer than we do is no concern of this class.
    const crash = ended.stopped === undefined ? findCrash(ended, [0, 1, 3, 4]) : undefined;
    return { counts, billed: ledger.billed, crash };
  } finally {
    await server.close();
    await sandbox.close();
  }
}

// The rules on quotas ask with one credential until a slot is free; those repetitions are meant.
function costs({ method, url, headers }: Asked): boolean {
  const isPolling = `${headers['x-api-key']} ${headers.authorization}`.includes('solo');
  return method === 'POST' && url.pathname.startsWith('/v2/models/') && !isPolling;
}

/** The same for the same step of the same rule in every run: keys without what is unique in them. */
function signature({ path, headers, body }: Asked): string {
  const key = String(headers['idempotency-key'] ?? 'no key')
    .replace(/-\d{6,}.*$/, '')
    .slice(0, 60);
  const text = body.toString('latin1').replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{10,}/g, '');
  const credential = createHash('sha256')
    .update(`${headers['x-api-key']} ${headers.authorization}`)
    .digest('hex')
    .slice(0, 6);
  return `${path} ${key} ${credential} ${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}
