import { setTimeout as pause } from 'node:timers/promises';
import type { Dice } from '../../../generator/tests/random-documents/dice.ts';
import { sandboxCredentials } from '../../../sandbox/src/index.ts';
import { type Call, callUntilSettled, type Reply, type RetryTarget } from './retried-call.ts';

/** What a client knows of one key when it is done with it. */
export type ClientRecord = {
  key: string;
  scope: string;
  operation: 'run' | 'submit';
  /** What became of the work, by category; undefined for a result. */
  category: string | undefined;
  call: Call;
  digest: string;
  requestId: string | undefined;
};
export type Client = { records: ClientRecord[]; problems: string[]; work(until: () => boolean): Promise<void> };

const { router } = sandboxCredentials;
const mainScope = 'workspace:workspace-one';
const identities = [
  { credential: router.main, scope: mainScope },
  { credential: router.colleague, scope: mainScope },
  { credential: router.neighbour, scope: 'workspace:workspace-two' },
  { credential: router.solo, scope: 'user:user-solo' },
];
export const model = '/v2/models/sandbox/outcomes';
const outcomes = ['succeed', 'succeed', 'succeed', 'provider_error', 'content_policy_violation'] as const;

/** A caller with a random credential; the random sequence decides what it does next. */
export function createClient(name: string, random: Dice, retryTarget: RetryTarget): Client {
  const identity = identities[random.below(identities.length)] ?? { credential: router.main, scope: mainScope };
  const client: Client = {
    records: [],
    problems: [],
    work: async (until) => {
      for (let turn = 0; !until(); turn += 1) {
        const key = `${name}-${turn}`;
        const act = random.next();
        if (act < 0.45) await run(key);
        else if (act < 0.8) await submit(key);
        else if (act < 0.9) await repeat();
        else await contradict();
      }
    },
  };
  const makeCall = (key: string, path: string): Call => {
    const outcome = random.pick(outcomes);
    const input = { outcome, delay_ms: 1 + random.below(400), size_bytes: random.below(400) };
    return { method: 'POST', path, credential: identity.credential, key, body: JSON.stringify(input) };
  };
  const remember = (record: Omit<ClientRecord, 'scope'>): void => {
    client.records.push({ ...record, scope: identity.scope });
  };
  const addProblem = (problem: string, reply: Reply): void => {
    client.problems.push(`${problem}: ${reply.status} ${reply.category ?? ''} ${reply.text.slice(0, 120)}`);
  };

  async function run(key: string): Promise<void> {
    const call = makeCall(key, model);
    const reply = await callUntilSettled(call, retryTarget);
    if (![200, 400, 502].includes(reply.status)) return addProblem(`run ${key}`, reply);
    remember({ key, operation: 'run', category: reply.category, call, digest: reply.digest, requestId: undefined });
  }

  async function submit(key: string): Promise<void> {
    const call = makeCall(key, `${model}/requests`);
    const reply = await callUntilSettled(call, retryTarget);
    if (reply.status !== 201) return addProblem(`submit ${key}`, reply);
    const requestId = readMember(reply, 'request_id');
    const request: Call = { method: 'GET', path: `${model}/requests/${requestId}`, credential: identity.credential };
    if (random.next() < 0.3) await cancel(request);
    const ended = await follow(request);
    const collected = await callUntilSettled(request, retryTarget);
    const category = readMember(ended, 'error_type');
    if ((category === undefined) !== (collected.status === 200))
      addProblem(`collect ${key} after ${ended.text}`, collected);
    remember({ key, operation: 'submit', category, call, digest: reply.digest, requestId });
  }

  async function cancel(request: Call): Promise<void> {
    await pause(random.below(300));
    const reply = await callUntilSettled({ ...request, method: 'PUT', path: `${request.path}/cancel` }, retryTarget);
    if (![202, 409].includes(reply.status)) addProblem('cancel', reply);
  }

  async function follow(request: Call): Promise<Reply> {
    for (let poll = 0; poll < 400; poll += 1) {
      const reply = await callUntilSettled({ ...request, path: `${request.path}/status` }, retryTarget);
      if (reply.status !== 200) addProblem('status', reply);
      if (reply.status !== 200 || readMember(reply, 'status') === 'COMPLETED') return reply;
      await pause(30);
    }
    throw new Error(`${request.path} never completed`);
  }

  async function repeat(): Promise<void> {
    if (client.records.length === 0) return;
    const earlier = random.pick(client.records);
    const reply = await callUntilSettled(earlier.call, retryTarget);
    if (!reply.replayed || reply.digest !== earlier.digest) addProblem(`replay of ${earlier.key}`, reply);
  }

  async function contradict(): Promise<void> {
    if (client.records.length === 0) return;
    const earlier = random.pick(client.records);
    const reply = await callUntilSettled({ ...earlier.call, body: `${earlier.call.body} ` }, retryTarget);
    if (reply.status !== 409 || reply.category !== 'invalid_input') addProblem(`conflict with ${earlier.key}`, reply);
  }

  return client;
}

function readMember(reply: Reply, name: string): string | undefined {
  const value: unknown = JSON.parse(reply.text);
  if (typeof value !== 'object' || value === null) return undefined;
  const member: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof member === 'string' ? member : undefined;
}
