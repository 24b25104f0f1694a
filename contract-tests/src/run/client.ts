import type { Answer, Silence } from '../contract/answer.ts';
import type { TargetContext } from '../contract/context.ts';
import { NotAffordable, NotApplicable, OutOfTime, SetupFailure, Unanswered } from '../contract/endings.ts';
import { HarnessError } from '../contract/errors.ts';
import { readHeader, readMember } from '../contract/evidence.ts';
import type { Evidence, Exchange, Hooks, ScenarioRequest } from '../contract/exchange.ts';
import type { RuleId } from '../contract/rule.ts';
import type { CallOptions, CallPurpose, Client, QueueCall, Scenario, ScenarioContext } from '../contract/scenario.ts';
import { listRows } from '../requires.ts';
import { prepareRequest } from '../wire/request.ts';
import { outagesInARow, Restart } from '../wire/retries.ts';
import type { Call, Deadline } from '../wire/wire.ts';
import type { Check } from './check.ts';
import { repeatCall, untilCompleted } from './repeat.ts';
import type { Substitute } from './substitutes.ts';

/** The rule that a scenario runs for, and its deadline. */
export type Purpose = {
  readonly ruleId: RuleId;
  /** Time on the clock of the check. */
  readonly endsAtMs: number;
  /** Called before data of the target is processed. */
  readonly onReading?: () => void;
  /** Returns the result of another scenario, which runs once per check. */
  readonly shared?: ScenarioContext['shared'];
};

/** Result of a scenario, or the error that ended it. */
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

/**
 * Runs a scenario. Restarts it with new keys if a call failed because of an outage and cannot be sent again unchanged.
 */
export async function runScenario(scenario: Scenario, check: Check, purpose: Purpose): Promise<ScenarioRun> {
  const { clock, hooks } = check.ports;
  const startedAtMs = clock.now();
  const deadline = { endsAtMs: purpose.endsAtMs };
  for (let restarts = 0; ; restarts += 1) {
    const calls: CallsMade = { answers: [], labels: new Map(), pending: new Set(), hasScripted: false };
    const client = createClient(scenario, check, { ...purpose, deadline, calls });
    let ended: { readonly responses: unknown } | { readonly error: unknown };
    try {
      ended = { responses: await scenario.run(client) };
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
    return { ...ended, evidence, inconclusive, durationMs: clock.now() - startedAtMs };
  }
}

const deepest = 5;

/**
 * Names responses after the member under which the scenario first returned them. List items get the name that their
 * call sets, or else their index.
 */
function nameAnswers(
  value: unknown,
  name: string,
  unnamed: Set<unknown>,
  labels: CallsMade['labels'],
  depth = 0,
): void {
  if (unnamed.delete(value)) {
    // A response with `attempts`, which get the same name.
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

/** Calls of a scenario so far. */
type CallsMade = {
  /** In order of completion. */
  readonly answers: (Writable<Answer> | Writable<Silence>)[];
  /** Names set by the calls. */
  readonly labels: Map<unknown, string>;
  readonly pending: Set<Promise<unknown>>;
  hasScripted: boolean;
  restart?: Restart;
  inconclusive?: string;
};

type ClientParts = Omit<Purpose, 'endsAtMs'> & { readonly deadline: Deadline; readonly calls: CallsMade };

/** The way in which the calls of a scenario are sent. */
type Sender = {
  /** Keeps a call that may be awaited late, or never: its failure is not lost, and ends no process. */
  readonly track: <T>(work: Promise<T>) => Promise<T>;
  /** Waits within the deadline. Throws `OutOfTime` if there is not enough time. */
  readonly wait: (ms: number, name: string) => Promise<void>;
  /** Sends one call. `usualName`: its name where its purpose has none; later calls of the same name are numbered. */
  readonly perform: (wanted: ScenarioRequest, purpose?: CallPurpose, usualName?: string) => Promise<Answer | Silence>;
  /** The same; a call that stays unanswered ends the scenario. */
  readonly send: (wanted: ScenarioRequest, purpose?: CallPurpose, usualName?: string) => Promise<Answer>;
};

/** Returns what sends the calls of one run of a scenario, and notes them. */
function createSender(scenario: Scenario, check: Check, parts: ClientParts): Sender {
  const { target, context, wire, substitutes } = check;
  const { clock } = check.ports;
  const { deadline, ruleId, calls, onReading = () => undefined } = parts;
  const isLive = target.kind === 'live';
  const substitute: Substitute = substitutes?.() ?? ((wanted) => wanted);
  const underWay = new Set<{ isOverlapping: boolean }>();
  const names = new Map<string, number>();

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

  /** Notes of calls and waits whether they overlap: after an outage, the scenario then begins anew instead of one call being resent. */
  async function noteOverlaps<T>(work: (own: { readonly isOverlapping: boolean }) => Promise<T>): Promise<T> {
    const own = { isOverlapping: underWay.size > 0 };
    for (const other of underWay) other.isOverlapping = true;
    underWay.add(own);
    try {
      return await work(own);
    } finally {
      underWay.delete(own);
    }
  }

  function requireTime(ms: number, name: string): void {
    if (clock.now() + ms >= deadline.endsAtMs)
      throw new OutOfTime(`step "${name}" had no time left before the rule's deadline`);
  }

  async function wait(ms: number, name: string): Promise<void> {
    requireTime(ms, name);
    if (ms > 0) await noteOverlaps(() => clock.sleep(ms));
  }

  function nameCall(name: string): string {
    const count = (names.get(name) ?? 0) + 1;
    names.set(name, count);
    return count === 1 ? name : `${name} ${count}`;
  }

  async function perform(asked: ScenarioRequest, purpose: CallPurpose = {}, usualName = 'call') {
    const name = purpose.name ?? nameCall(usualName);
    // Sent synchronously, so that a wait that starts later also ends later.
    requireTime(0, name);
    onReading();
    const { rejected } = purpose;
    const expectsRejection = rejected !== undefined || scenario.cost === 'free';
    const wanted = isLive && expectsRejection ? withOwnKey(substitute(asked)) : substitute(asked);
    const call: Omit<Call, 'isOverlapping'> = {
      name,
      ruleId,
      wanted,
      request: prepareRequest(target, wanted),
      purpose,
      expectsRejection,
      flaw: typeof rejected === 'string' ? rejected : ruleId,
    };
    const sent = await noteOverlaps((own) => wire({ ...call, isOverlapping: () => own.isOverlapping }, deadline));
    onReading();
    const answer = toAnswer(sent.exchange, name, context);
    if (purpose.name !== undefined) calls.labels.set(answer, name);
    calls.answers.push(answer);
    if (sent.postponed !== undefined) throw new NotApplicable(sent.postponed);
    if (sent.inconclusive !== undefined) calls.inconclusive ??= sent.inconclusive;
    return answer;
  }

  async function send(wanted: ScenarioRequest, purpose?: CallPurpose, usualName?: string): Promise<Answer> {
    const answer = await perform(wanted, purpose, usualName);
    if (answer.kind === 'response') return answer;
    // The deadline was shorter than the timeout of a request.
    if (answer.because === 'timeout' && clock.now() >= deadline.endsAtMs)
      throw new SetupFailure(`step "${answer.step}" was cut off by the deadline of its rule or of the check`);
    throw new Unanswered(answer.step, answer);
  }

  return { track, wait, perform, send };
}

const urlMembers = { status: '/status_url', collect: '/response_url', cancel: '/cancel_url' } as const;

/** Returns the operations that a scenario calls, with what is known of the target. */
function createClient(scenario: Scenario, check: Check, parts: ClientParts): ScenarioContext {
  const { context, limits, ports } = check;
  const { deadline, ruleId, calls } = parts;
  const { clock } = ports;
  const { track, wait, perform, send } = createSender(scenario, check, parts);

  const tracked =
    <Given extends readonly unknown[], T>(make: (...given: Given) => Promise<T>) =>
    (...given: Given): Promise<T> =>
      track(make(...given));

  function call(name: string, [api, method, to]: Address, options: CallOptions = {}): Promise<Answer> {
    const { as, credentials = as && [{ as: 'usual', who: as } as const], key, body, prefer } = options;
    const headers = [...(options.headers ?? []), ...(key === undefined ? [] : [['Idempotency-Key', key] as const])];
    const request: ScenarioRequest = {
      api,
      method,
      to,
      ...(credentials && { credentials }),
      ...(headers.length > 0 && { headers }),
      ...(body && { body }),
      ...(prefer !== undefined && { prefer }),
    };
    return track(send(request, options, name));
  }

  const start =
    (name: string, tail: string): Client['run'] =>
    ({ path, input }, { query = '', ...options } = {}) =>
      call(name, ['router', 'POST', path + tail + query], { body: { kind: 'json', value: input }, ...options });

  const onHandle =
    (name: QueueCall): Client['status'] =>
    async (handle, options) => {
      const url = readMember(handle, urlMembers[name]);
      if (typeof url !== 'string' || !URL.canParse(url))
        throw new SetupFailure(`step "${handle.step}" gave no absolute URL at ${urlMembers[name]}`);
      return call(name, ['router', findMethod(name), url], options);
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

  /** The engine runs no other scenario in parallel with one that requires a hook. */
  function requireHook(): Hooks | undefined {
    if (affectsOthers(scenario)) return ports.hooks;
    const problem = 'moves the clock or scripts a failure, and does not require that hook';
    throw new HarnessError(`the scenario of ${ruleId} ${problem}`);
  }

  const repeat: Client['repeat'] = tracked((make, repetition) =>
    repeatCall(make, repetition, { check, deadline, wait }),
  );

  const client: Client = {
    run: start('run', ''),
    submit: start('submit', '/requests'),
    status: onHandle('status'),
    collect: onHandle('collect'),
    cancel: onHandle('cancel'),
    onRequest: (name, path, id, options) => {
      const tail = name === 'collect' ? '' : `/${name}`;
      return call(name, ['router', findMethod(name), `${path}/requests/${id}${tail}`], options);
    },
    follow: async (from, pointer, options) => {
      const url = readMember(from, pointer);
      if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
      return call('follow', ['router', pointer === urlMembers.cancel ? 'PUT' : 'GET', url], options);
    },
    listModels: (query = '', options) => call('list', ['router', 'GET', `/v2/models${query}`], options),
    model: ({ path }, options) => call('model', ['router', 'GET', path], options),
    schema: ({ path }, options) => call('schema', ['router', 'GET', `${path}/openapi.json`], options),
    jobWorkflow: (id, { query = '', ...options } = {}) =>
      call('job', ['workflow', 'GET', `/api/v2/jobs/${id}/workflow${query}`], options),
    send: tracked((request, purpose) => send(request, purpose)),
    trySend: tracked((request, purpose) => perform(request, purpose)),
    must: tracked(must),
    after: (ms, make) => track(wait(context.values.ms(ms), 'after a wait').then(make)),
    repeat,
    ended: tracked((handle, { mayNeverHold, ...options } = {}) =>
      repeat(() => client.status(handle, options), { ...untilCompleted, ...(mayNeverHold && { mayNeverHold }) }),
    ),
    completed: tracked((handle, options) => must(client.ended(handle, options), 200)),
    ifPossible: (make) => track(ifPossible(make)),
    sendRejectedCalls: (list, make) => track(sendRejectedCalls(list, make)),
    shared: (other) => {
      if (parts.shared === undefined) throw new HarnessError('no scenario is shared here');
      return track(parts.shared(other));
    },
    text: (answer, pointer) => {
      const value = readMember(answer, pointer);
      if (typeof value !== 'string') throw new SetupFailure(`step "${answer.step}" gave no text at ${pointer}`);
      return value;
    },
    newKey: (label = 'gate') => `${context.values.text(label)}-${crypto.randomUUID()}`,
    pass: async (ms) => {
      const hooks = requireHook();
      if (hooks === undefined) throw new SetupFailure('the clock of the target cannot be moved');
      const before = clock.now();
      await hooks.pass(ms);
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

async function must(given: Answer | Promise<Answer>, ...statuses: readonly number[]): Promise<Answer> {
  const answer = await Promise.resolve(given).catch((error: unknown) => {
    throw error instanceof Unanswered ? new SetupFailure(error.message) : error;
  });
  if (statuses.includes(answer.status)) return answer;
  throw new SetupFailure(`step "${answer.step}" answered ${answer.status}, needed ${statuses.join(' or ')}`);
}

async function sendRejectedCalls<T>(list: Iterable<T>, make: (one: T) => Promise<Answer>): Promise<readonly Answer[]> {
  const made: Answer[] = [];
  for (const one of list) {
    try {
      made.push(await make(one));
    } catch (error) {
      const isCut = error instanceof NotAffordable && error.why?.code === 'distrusted';
      if (isCut && made.some(({ status }) => status < 400)) return made;
      throw error;
    }
  }
  return made;
}

type Address = readonly [api: ScenarioRequest['api'], method: string, to: string];

const findMethod = (name: QueueCall) => (name === 'cancel' ? 'PUT' : 'GET');

/** Adds a key to a call that must be rejected, so that it can be repeated after an outage of a live target. */
function withOwnKey(wanted: ScenarioRequest): ScenarioRequest {
  const { method, headers = [] } = wanted;
  const isKeyed = headers.some(([name]) => name.toLowerCase() === 'idempotency-key');
  if (isKeyed || method !== 'POST') return wanted;
  return { ...wanted, headers: [...headers, ['Idempotency-Key', crypto.randomUUID()]] };
}

function toAnswer(exchange: Exchange, step: string, context: TargetContext): Writable<Answer> | Writable<Silence> {
  const { result, request } = exchange;
  if (result.kind === 'no-response') return { ...result, step, exchange, context };
  const key = readHeader(request, 'Idempotency-Key');
  const answer: Writable<Answer> = { ...result, step, exchange, context, key, attempts: [] };
  answer.attempts = [answer];
  return answer;
}
