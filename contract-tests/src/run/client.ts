import { NotAffordable, SetupFailure, Unanswered } from '../contract/endings.ts';
import { HarnessError } from '../contract/errors.ts';
import { readMember } from '../contract/evidence.ts';
import type { Evidence, Hooks } from '../contract/exchange.ts';
import type { Answer, CallOptions, Client, QueueCall, Scenario, ScenarioContext } from '../contract/scenario.ts';
import { listRows } from '../requires.ts';
import { Calls, type ScenarioRunOptions } from './calls.ts';
import type { Check } from './check.ts';
import { repeatCall, untilCompleted } from './repeat.ts';

export type ScenarioRun = {
  readonly evidence: Evidence;
  /** Reason why findings don't count against the target: a call was rejected for a reason unrelated to the rule. */
  readonly inconclusive?: string | undefined;
  readonly durationMs: number;
} & ({ readonly responses: unknown } | { readonly error: unknown });

/** True if the scenario moves the clock or scripts failures, which would affect all running scenarios. */
export function affectsOthers({ requires }: Scenario): boolean {
  return requires.flatMap(listRows).some(({ id }) => id === 'clock' || id === 'script');
}

export async function runScenario(scenario: Scenario, check: Check, options: ScenarioRunOptions): Promise<ScenarioRun> {
  const { clock, hooks } = check.ports;
  const startedAtMs = clock.now();
  const calls = new Calls(scenario, check, options);
  let ended: { readonly responses: unknown } | { readonly error: unknown };
  try {
    ended = { responses: await scenario.run(createClient(calls)) };
  } catch (error) {
    ended = { error };
  }
  await calls.settle();
  // Clear unused scripted failures so they don't leak into the next rule.
  if (scenario.requires.flatMap(listRows).some(({ id }) => id === 'script')) await hooks?.clearScript();
  const evidence = calls.listEvidence('responses' in ended ? ended.responses : undefined);
  return { ...ended, evidence, inconclusive: calls.inconclusive, durationMs: clock.now() - startedAtMs };
}

/** Methods of the calls on a queued request, and the members of a handle with their URLs. */
const queueCalls = {
  status: { method: 'GET', pointer: '/status_url' },
  collect: { method: 'GET', pointer: '/response_url' },
  cancel: { method: 'PUT', pointer: '/cancel_url' },
} as const;

function createClient(calls: Calls): ScenarioContext {
  const { context } = calls.check;
  const call = (name: string, method: string, to: string, options?: CallOptions): Promise<Answer> =>
    calls.call(name, { api: 'router', method, to, ...options });
  const json = (value: unknown) => ({ kind: 'json', value }) as const;
  const onHandle =
    (name: QueueCall): Client['status'] =>
    async (handle, options) => {
      const { method, pointer } = queueCalls[name];
      const url = readUrl(handle, pointer);
      if (url === undefined) throw new SetupFailure(`step "${handle.step}" returned no absolute URL at ${pointer}`);
      return call(name, method, url, options);
    };
  const client: Client = {
    run: ({ path, input }, { query = '', ...options } = {}) =>
      call('run', 'POST', path + query, { body: json(input), ...options }),
    submit: ({ path, input }, { query = '', ...options } = {}) =>
      call('submit', 'POST', `${path}/requests${query}`, { body: json(input), ...options }),
    status: onHandle('status'),
    collect: onHandle('collect'),
    cancel: onHandle('cancel'),
    onRequest: (name, path, id, options) => {
      const tail = name === 'collect' ? '' : `/${name}`;
      return call(name, queueCalls[name].method, `${path}/requests/${id}${tail}`, options);
    },
    follow: async (from, pointer, options) => {
      const url = readUrl(from, pointer);
      const method = pointer === queueCalls.cancel.pointer ? 'PUT' : 'GET';
      return url === undefined ? undefined : call('follow', method, url, options);
    },
    listModels: (query = '', options) => call('list', 'GET', `/v2/models${query}`, options),
    model: ({ path }, options) => call('model', 'GET', path, options),
    schema: ({ path }, options) => call('schema', 'GET', `${path}/openapi.json`, options),
    jobWorkflow: (id, { query = '', ...options } = {}) =>
      calls.call('job', { api: 'workflow', method: 'GET', to: `/api/v2/jobs/${id}/workflow${query}`, ...options }),
    send: (request, purpose) => calls.call('call', { ...request, ...purpose }),
    trySend: (request, purpose) => calls.tryCall('call', { ...request, ...purpose }),
    must: (answer, ...statuses) => calls.track(must(answer, statuses)),
    after: (ms, make) => calls.track(calls.wait(context.values.ms(ms), 'after a wait').then(make)),
    repeat: (make, repetition) => calls.track(repeatCall(make, repetition, calls)),
    ended: (handle, { mayNeverHold, ...options } = {}) => {
      const repetition = { ...untilCompleted, ...(mayNeverHold && { mayNeverHold }) };
      return client.repeat(() => client.status(handle, options), repetition);
    },
    completed: (handle, options) => client.must(client.ended(handle, options), 200),
    ifPossible: (make) => calls.track(ifPossible(make, calls)),
    sendRejectedCalls: (list, make) => calls.track(sendRejectedCalls(list, make)),
    shared: (other) => calls.track(calls.options.shared(other)),
    text: (answer, pointer) => {
      const value = readMember(answer, pointer);
      if (typeof value !== 'string') throw new SetupFailure(`step "${answer.step}" returned no string at ${pointer}`);
      return value;
    },
    newKey: (label = 'gate') => `${context.values.text(label)}-${crypto.randomUUID()}`,
    pass: (ms) => passTime(ms, calls),
    script: async (failure) => requireHook(calls)?.script(failure),
  };
  // Getters throw for missing facts about the target, so inherit them instead of copying their values.
  return Object.assign(Object.create(context), client);
}

async function must(pending: Answer | Promise<Answer>, statuses: readonly number[]): Promise<Answer> {
  const answer = await Promise.resolve(pending).catch((error: unknown) => {
    throw error instanceof Unanswered ? new SetupFailure(error.message) : error;
  });
  if (statuses.includes(answer.status)) return answer;
  throw new SetupFailure(`step "${answer.step}" returned ${answer.status}, but needed ${statuses.join(' or ')}`);
}

async function ifPossible<T>(make: () => Promise<T>, { check, deadline }: Calls): Promise<T | undefined> {
  if (check.ports.clock.now() + check.limits.requestMs >= deadline.endsAtMs) return undefined;
  try {
    return await make();
  } catch (error) {
    if (error instanceof NotAffordable) return undefined;
    throw error;
  }
}

async function sendRejectedCalls<T>(list: Iterable<T>, make: (one: T) => Promise<Answer>): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const one of list) {
    try {
      answers.push(await make(one));
    } catch (error) {
      const endedEarly = error instanceof NotAffordable && error.why?.code === 'distrusted';
      if (endedEarly && answers.some(({ status }) => status < 400 || status >= 500)) return answers;
      throw error;
    }
  }
  return answers;
}

/** Throws unless the scenario requires a hook: only then does the engine run no other scenario in parallel. */
function requireHook({ scenario, check, options }: Calls): Hooks | undefined {
  if (affectsOthers(scenario)) return check.ports.hooks;
  const problem = 'advances the clock or scripts a failure, but does not require the hook for it';
  throw new HarnessError(`the scenario of ${options.ruleId} ${problem}`);
}

async function passTime(ms: number, calls: Calls): Promise<void> {
  const hook = requireHook(calls);
  if (hook === undefined) throw new SetupFailure('the clock of the target cannot be advanced');
  const { clock } = calls.check.ports;
  const before = clock.now();
  await hook.pass(ms);
  // In process, the target and the check share one clock.
  calls.deadline.endsAtMs += clock.now() - before;
}

function readUrl(answer: Answer, pointer: string): string | undefined {
  const url = readMember(answer, pointer);
  return typeof url === 'string' && URL.canParse(url) ? url : undefined;
}
