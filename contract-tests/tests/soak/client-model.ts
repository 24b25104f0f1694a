import { setTimeout as pause } from 'node:timers/promises';
import { sandboxCredentials } from '../../../sandbox/src/index.ts';
import { type Call, callUntilSettled, type Patience, type Reply } from './patient-call.ts';
import type { Dice } from './seeded-random.ts';

/** What a client believes of one key when it is done with it. */
export type Belief = {
  key: string;
  scope: string;
  operation: 'run' | 'submit';
  /** What became of the work, by category; undefined for a result. */
  category: string | undefined;
  call: Call;
  digest: string;
  requestId: string | undefined;
};
export type Client = { beliefs: Belief[]; problems: string[]; work(until: () => boolean): Promise<void> };

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

/** One caller with a credential of its own choice; what it does next is the dice's. */
export function createClient(name: string, dice: Dice, patience: Patience): Client {
  const identity = identities[dice.below(identities.length)] ?? { credential: router.main, scope: mainScope };
  const client: Client = {
    beliefs: [],
    problems: [],
    work: async (until) => {
      for (let turn = 0; !until(); turn += 1) {
        const key = `${name}-${turn}`;
        const act = dice.next();
        if (act < 0.45) await run(key);
        else if (act < 0.8) await submit(key);
        else if (act < 0.9) await repeat();
        else await contradict();
      }
    },
  };
  const callOf = (key: string, path: string): Call => {
    const outcome = dice.pick(outcomes) ?? 'succeed';
    const input = { outcome, delay_ms: 1 + dice.below(400), size_bytes: dice.below(400) };
    return { method: 'POST', path, credential: identity.credential, key, body: JSON.stringify(input) };
  };
  const believe = (belief: Omit<Belief, 'scope'>): void => {
    client.beliefs.push({ ...belief, scope: identity.scope });
  };
  const complain = (problem: string, reply: Reply): void => {
    client.problems.push(`${problem}: ${reply.status} ${reply.category ?? ''} ${reply.text.slice(0, 120)}`);
  };

  async function run(key: string): Promise<void> {
    const call = callOf(key, model);
    const reply = await callUntilSettled(call, patience);
    if (![200, 400, 502].includes(reply.status)) return complain(`run ${key}`, reply);
    believe({ key, operation: 'run', category: reply.category, call, digest: reply.digest, requestId: undefined });
  }

  async function submit(key: string): Promise<void> {
    const call = callOf(key, `${model}/requests`);
    const reply = await callUntilSettled(call, patience);
    if (reply.status !== 201) return complain(`submit ${key}`, reply);
    const requestId = memberOf(reply, 'request_id');
    const request: Call = { method: 'GET', path: `${model}/requests/${requestId}`, credential: identity.credential };
    if (dice.next() < 0.3) await cancel(request);
    const ended = await follow(request);
    const collected = await callUntilSettled(request, patience);
    const category = memberOf(ended, 'error_type');
    if ((category === undefined) !== (collected.status === 200))
      complain(`collect ${key} after ${ended.text}`, collected);
    believe({ key, operation: 'submit', category, call, digest: reply.digest, requestId });
  }

  async function cancel(request: Call): Promise<void> {
    await pause(dice.below(300));
    const reply = await callUntilSettled({ ...request, method: 'PUT', path: `${request.path}/cancel` }, patience);
    if (![202, 409].includes(reply.status)) complain('cancel', reply);
  }

  async function follow(request: Call): Promise<Reply> {
    for (let poll = 0; poll < 400; poll += 1) {
      const reply = await callUntilSettled({ ...request, path: `${request.path}/status` }, patience);
      if (reply.status !== 200) complain('status', reply);
      if (reply.status !== 200 || memberOf(reply, 'status') === 'COMPLETED') return reply;
      await pause(30);
    }
    throw new Error(`${request.path} never completed`);
  }

  async function repeat(): Promise<void> {
    const earlier = dice.pick(client.beliefs);
    if (earlier === undefined) return;
    const reply = await callUntilSettled(earlier.call, patience);
    if (!reply.replayed || reply.digest !== earlier.digest) complain(`replay of ${earlier.key}`, reply);
  }

  async function contradict(): Promise<void> {
    const earlier = dice.pick(client.beliefs);
    if (earlier === undefined) return;
    const reply = await callUntilSettled({ ...earlier.call, body: `${earlier.call.body} ` }, patience);
    if (reply.status !== 409 || reply.category !== 'invalid_input') complain(`conflict with ${earlier.key}`, reply);
  }

  return client;
}

function memberOf(reply: Reply, name: string): string | undefined {
  const value: unknown = JSON.parse(reply.text);
  if (typeof value !== 'object' || value === null) return undefined;
  const member: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof member === 'string' ? member : undefined;
}
