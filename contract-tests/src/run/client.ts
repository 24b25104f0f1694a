import { NotAffordable, NotApplicable, OutOfTime, SetupFailure, Unanswered } from '../contract/endings.ts';
import { HarnessError } from '../contract/errors.ts';
import { readHeader, readMember } from '../contract/evidence.ts';
import type { Evidence, Hooks, ScenarioRequest } from '../contract/exchange.ts';
import type { RuleId } from '../contract/rule.ts';
import type {
  Answer,
  CallOptions,
  Client,
  QueueCall,
  Scenario,
  ScenarioContext,
  Silence,
} from '../contract/scenario.ts';
import { listRows } from '../requires.ts';
import { explainInconclusive } from '../wire/inconclusive.ts';
import { prepareRequest } from '../wire/request.ts';
import { isDownPage, outagesInARow, Restart } from '../wire/retries.ts';
import type { Call, Deadline } from '../wire/wire.ts';
import type { Check } from './check.ts';
import { repeatCall, untilCompleted } from './repeat.ts';

export type ScenarioRunOptions = {
  readonly ruleId: RuleId;
  readonly endsAtMs: number;
  readonly skipBecause?: string | undefined;
  /** Called before data of the target is processed. */
  readonly onProcessing?: () => void;
  /** Returns the result of another scenario, which runs once per check. */
  readonly shared?: ScenarioContext['shared'];
  /** Called if a call got no response, or a proxy's page about an unavailable service. */
  readonly onDown?: () => Promise<void>;
};

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

/** Runs a scenario. Restarts it with new keys after an outage in which a call can't be sent again unchanged. */
export async function runScenario(scenario: Scenario, check: Check, options: ScenarioRunOptions): Promise<ScenarioRun> {
  const { clock, hooks } = check.ports;
  const startedAtMs = clock.now();
  const deadline = { endsAtMs: options.endsAtMs };
  options.onProcessing?.();
  if (options.skipBecause !== undefined)
    return { evidence: [], error: new SetupFailure(options.skipBecause), durationMs: 0 };
  for (let restarts = 0; ; restarts += 1) {
    const calls: CallsMade = { answers: [], labels: new Map(), pending: new Set(), hasScripted: false };
    let ended: { readonly responses: unknown } | { readonly error: unknown };
    try {
      ended = { responses: await scenario.run(createClient(scenario, check, options, deadline, calls)) };
    } catch (error) {
      ended = { error };
    }
    // The scenario may not have awaited all of its calls.
    while (calls.pending.size > 0) await Promise.allSettled(calls.pending);
    // Clear unused scripted failures so they don't leak into the next rule.
    if (calls.hasScripted) await hooks?.clearScript();
    const { restart, inconclusive } = calls;
    if (restart !== undefined && restarts < outagesInARow - 1) {
      await clock.sleep(restart.waitMs);
      continue;
    }
    if (restart !== undefined) ended = { error: new NotApplicable(restart.message) };
    if ('responses' in ended) nameAnswers(ended.responses, '', new Set(calls.answers), calls.labels);
    const evidence = calls.answers.map((answer) => {
      const attempt = answer.kind === 'response' ? answer.attempts.indexOf(answer) + 1 : 1;
      return { ...answer.exchange, step: answer.step, attempt, origin: answer.exchange };
    });
    const durationMs = clock.now() - startedAtMs;
    if (evidence.some((one) => one.result.kind === 'no-response' || isDownPage(one))) await options.onDown?.();
    return { ...ended, evidence, inconclusive, durationMs };
  }
}

/** Runs calls of the engine itself. Unlike the calls of rules, these calls keep the names in their options. */
export function runOwnCalls(run: Scenario['run'], check: Check, options: ScenarioRunOptions): Promise<ScenarioRun> {
  const withoutResult: Scenario['run'] = async (client) => void (await run(client));
  return runScenario({ api: 'router', cost: 'billed', requires: [], run: withoutResult }, check, options);
}

const deepest = 5;

/** Names responses after the first member that contains them, and list items after their call or else their position. */
function nameAnswers(
  value: unknown,
  name: string,
  unnamed: Set<unknown>,
  labels: CallsMade['labels'],
  depth = 0,
): void {
  if (unnamed.delete(value)) {
    // `value` is a response. Its `attempts` get the same name.
    const { attempts = [] } = value as Partial<Answer>;
    for (const one of [value, ...attempts] as Writable<Answer>[]) one.step = name;
    return;
  }
  if (value === null || typeof value !== 'object' || depth === deepest) return;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain || ('kind' in value && value.kind === 'response')) return;
  for (const [key, member] of Object.entries(value)) {
    const part = Array.isArray(value) ? (labels.get(member) ?? String(Number(key) + 1)) : key;
    nameAnswers(member, name === '' ? part : `${name} ${part}`, unnamed, labels, depth + 1);
  }
}

/** Steps and attempts are set after the scenario has received a response. */
type Writable<T extends Answer | Silence> = { -readonly [Member in keyof T]: T[Member] };

type CallsMade = {
  readonly answers: (Writable<Answer> | Writable<Silence>)[];
  readonly labels: Map<unknown, string>;
  readonly pending: Set<Promise<unknown>>;
  hasScripted: boolean;
  restart?: Restart;
  inconclusive?: string | undefined;
};

/** Methods of the calls on a queued request, and the members of a handle with their URLs. */
const queueCalls = {
  status: { method: 'GET', pointer: '/status_url' },
  collect: { method: 'GET', pointer: '/response_url' },
  cancel: { method: 'PUT', pointer: '/cancel_url' },
} as const;

function createClient(
  scenario: Scenario,
  check: Check,
  runOptions: ScenarioRunOptions,
  deadline: Deadline,
  calls: CallsMade,
): ScenarioContext {
  const { target, context, limits, log, wire } = check;
  const { clock, hooks } = check.ports;
  const { ruleId, onProcessing = () => undefined } = runOptions;
  const isLive = target.kind === 'live';
  const substitute = check.substitutes();
  const inProgress = new Set<{ isOverlapping: boolean }>();
  const names = new Map<string, number>();

  /** Tracks a call, because it may be awaited late or never: its failure must neither get lost nor end the process. */
  function track<T>(work: Promise<T>): Promise<T> {
    calls.pending.add(work);
    work.then(
      () => calls.pending.delete(work),
      (error) => {
        calls.pending.delete(work);
        if (error instanceof Restart) calls.restart ??= error;
      },
    );
    return work;
  }

  /** Registers the start of a call or wait. After an outage, overlapping calls are not retried; the scenario restarts. */
  function begin(): { readonly isOverlapping: boolean } {
    const entry = { isOverlapping: inProgress.size > 0 };
    for (const other of inProgress) other.isOverlapping = true;
    inProgress.add(entry);
    return entry;
  }

  function requireTime(ms: number, name: string): void {
    if (clock.now() + ms >= deadline.endsAtMs)
      throw new OutOfTime(`step "${name}" had no time left before the rule's deadline`);
  }

  async function wait(ms: number, name: string): Promise<void> {
    requireTime(ms, name);
    if (ms <= 0) return;
    const entry = begin();
    await clock.sleep(ms).finally(() => inProgress.delete(entry));
  }

  /** Sends one call. `usualName`: its name if its options have none; later calls with that name are numbered. */
  async function perform(
    usualName: string,
    api: ScenarioRequest['api'],
    method: string,
    to: string,
    options: CallOptions = {},
  ): Promise<Answer | Silence> {
    const { as, credentials = as && [{ as: 'usual', who: as } as const], key, body, prefer, rejected } = options;
    const count = (names.get(usualName) ?? 0) + 1;
    if (options.name === undefined) names.set(usualName, count);
    const name = options.name ?? (count === 1 ? usualName : `${usualName} ${count}`);
    // Nothing is awaited before the call is sent, so that a wait that the scenario starts later also ends later.
    requireTime(0, name);
    onProcessing();
    const headers = [...(options.headers ?? []), ...(key === undefined ? [] : [['Idempotency-Key', key] as const])];
    const expectsRejection = rejected !== undefined || scenario.cost === 'free';
    const substituted = substitute({ api, method, to, credentials, headers, body, prefer });
    const wanted = isLive && expectsRejection ? withOwnKey(substituted) : substituted;
    const request = prepareRequest(target, wanted);
    const full = log.explainFull();
    if (full !== undefined) throw new NotApplicable(full);
    const entry = begin();
    const call: Call = {
      name,
      ruleId,
      wanted,
      request,
      purpose: options,
      expectsRejection,
      flaw: typeof rejected === 'string' ? rejected : ruleId,
      isOverlapping: () => entry.isOverlapping,
    };
    const { exchange, postponed, isShared } = await wire(call, deadline).finally(() => inProgress.delete(entry));
    onProcessing();
    if (!isShared) log.add(exchange);
    const { result } = exchange;
    const facts = { step: name, exchange, context };
    const answer: Writable<Answer> | Writable<Silence> =
      result.kind === 'no-response'
        ? { ...result, ...facts }
        : { ...result, ...facts, key: readHeader(exchange.request, 'Idempotency-Key'), attempts: [] };
    if (answer.kind === 'response') answer.attempts = [answer];
    if (options.name !== undefined) calls.labels.set(answer, name);
    calls.answers.push(answer);
    if (postponed !== undefined) throw new NotApplicable(postponed);
    if (isLive && !isShared)
      calls.inconclusive ??= explainInconclusive(call, exchange, target.budget?.models ?? [], log.exchanges);
    return answer;
  }

  /** Tracks a call. Ends the scenario if it gets no response. */
  function answered(work: Promise<Answer | Silence>): Promise<Answer> {
    const answer = work.then((answer) => {
      if (answer.kind === 'response') return answer;
      // The request only timed out because the deadline left it less time than `requestMs`.
      if (answer.because === 'timeout' && clock.now() >= deadline.endsAtMs)
        throw new SetupFailure(`step "${answer.step}" was cut off by the deadline of its rule or of the check`);
      throw new Unanswered(answer.step, answer);
    });
    return track(answer);
  }

  const onHandle =
    (name: QueueCall): Client['status'] =>
    async (handle, options) => {
      const { method, pointer } = queueCalls[name];
      const url = readUrl(handle, pointer);
      if (url === undefined) throw new SetupFailure(`step "${handle.step}" returned no absolute URL at ${pointer}`);
      return answered(perform(name, 'router', method, url, options));
    };

  async function ifPossible<T>(make: () => Promise<T>): Promise<T | undefined> {
    if (clock.now() + limits.requestMs >= deadline.endsAtMs) return undefined;
    try {
      return await make();
    } catch (error) {
      if (error instanceof NotAffordable) return undefined;
      throw error;
    }
  }

  /** Throws unless the scenario requires a hook: only then does the engine run no other scenario in parallel. */
  function requireHook(): Hooks | undefined {
    if (affectsOthers(scenario)) return hooks;
    const problem = 'advances the clock or scripts a failure, but does not require the hook for it';
    throw new HarnessError(`the scenario of ${ruleId} ${problem}`);
  }

  const client: Client = {
    run: ({ path, input }, { query = '', ...options } = {}) => {
      const body = { kind: 'json', value: input } as const;
      return answered(perform('run', 'router', 'POST', path + query, { body, ...options }));
    },
    submit: ({ path, input }, { query = '', ...options } = {}) => {
      const body = { kind: 'json', value: input } as const;
      return answered(perform('submit', 'router', 'POST', `${path}/requests${query}`, { body, ...options }));
    },
    status: onHandle('status'),
    collect: onHandle('collect'),
    cancel: onHandle('cancel'),
    onRequest: (name, path, id, options) => {
      const tail = name === 'collect' ? '' : `/${name}`;
      return answered(perform(name, 'router', queueCalls[name].method, `${path}/requests/${id}${tail}`, options));
    },
    follow: async (from, pointer, options) => {
      const url = readUrl(from, pointer);
      const method = pointer === queueCalls.cancel.pointer ? 'PUT' : 'GET';
      return url === undefined ? undefined : answered(perform('follow', 'router', method, url, options));
    },
    listModels: (query = '', options) => answered(perform('list', 'router', 'GET', `/v2/models${query}`, options)),
    model: ({ path }, options) => answered(perform('model', 'router', 'GET', path, options)),
    schema: ({ path }, options) => answered(perform('schema', 'router', 'GET', `${path}/openapi.json`, options)),
    jobWorkflow: (id, { query = '', ...options } = {}) =>
      answered(perform('job', 'workflow', 'GET', `/api/v2/jobs/${id}/workflow${query}`, options)),
    send: ({ api, method, to, ...parts }, options) =>
      answered(perform('call', api, method, to, { ...parts, ...options })),
    trySend: ({ api, method, to, ...parts }, options) =>
      track(perform('call', api, method, to, { ...parts, ...options })),
    must: (answer, ...statuses) => track(must(answer, statuses)),
    after: (ms, make) => track(wait(context.values.ms(ms), 'after a wait').then(make)),
    repeat: (make, repetition) => track(repeatCall(make, repetition, check, deadline, wait)),
    ended: (handle, { mayNeverHold, ...options } = {}) => {
      const repetition = { ...untilCompleted, ...(mayNeverHold && { mayNeverHold }) };
      return client.repeat(() => client.status(handle, options), repetition);
    },
    completed: (handle, options) => client.must(client.ended(handle, options), 200),
    ifPossible: (make) => track(ifPossible(make)),
    sendRejectedCalls: (list, make) => track(sendRejectedCalls(list, make)),
    shared: (other) => {
      if (runOptions.shared === undefined) throw new HarnessError('no scenario is shared here');
      return track(runOptions.shared(other));
    },
    text: (answer, pointer) => {
      const value = readMember(answer, pointer);
      if (typeof value !== 'string') throw new SetupFailure(`step "${answer.step}" returned no string at ${pointer}`);
      return value;
    },
    newKey: (label = 'gate') => `${context.values.text(label)}-${crypto.randomUUID()}`,
    pass: async (ms) => {
      const hook = requireHook();
      if (hook === undefined) throw new SetupFailure('the clock of the target cannot be advanced');
      const before = clock.now();
      await hook.pass(ms);
      // In process, the target and the check share one clock.
      deadline.endsAtMs += clock.now() - before;
    },
    script: async (failure) => {
      calls.hasScripted = true;
      await requireHook()?.script(failure);
    },
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

function readUrl(answer: Answer, pointer: string): string | undefined {
  const url = readMember(answer, pointer);
  return typeof url === 'string' && URL.canParse(url) ? url : undefined;
}

/** Adds a key to a call that must be rejected, so that the call can be repeated after an outage of a live target. */
function withOwnKey(wanted: ScenarioRequest): ScenarioRequest {
  const { method, headers = [] } = wanted;
  const isKeyed = headers.some(([name]) => name.toLowerCase() === 'idempotency-key');
  if (isKeyed || method !== 'POST') return wanted;
  return { ...wanted, headers: [...headers, ['Idempotency-Key', crypto.randomUUID()]] };
}
