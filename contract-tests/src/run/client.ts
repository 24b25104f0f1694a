import { NotAffordable, NotApplicable, OutOfTime, SetupFailure, Unanswered } from '../contract/endings.ts';
import { HarnessError } from '../contract/errors.ts';
import { readHeader, readMember } from '../contract/evidence.ts';
import type { Evidence, Exchange, ScenarioRequest } from '../contract/exchange.ts';
import type { RuleId } from '../contract/rule.ts';
import type {
  Answer,
  CallOptions,
  Client,
  QueueCall,
  Repetition,
  Runnable,
  Scenario,
  ScenarioContext,
} from '../contract/scenario.ts';
import { listRows } from '../requires.ts';
import { explainInconclusive } from '../wire/inconclusive.ts';
import { prepareRequest } from '../wire/request.ts';
import { type Deadline, sendCall } from '../wire/send.ts';
import type { Check } from './check.ts';
import { createCallReplacer, type ReplaceCall } from './owner-inputs.ts';

type OutgoingCall = CallOptions & Pick<ScenarioRequest, 'api' | 'method' | 'to'>;

/** Steps and attempts are set after the scenario has received a response. */
type WritableAnswer = { -readonly [Member in keyof Answer]: Answer[Member] };

/** True if the scenario requires one of these test hooks. */
export function usesHook({ requires }: Scenario, ...hooks: readonly string[]): boolean {
  return requires.flatMap(listRows).some(({ id }) => hooks.includes(id));
}

/** Methods of the calls on a queued request, and the members of a handle with their URLs. */
const queueCalls = {
  status: { method: 'GET', pointer: '/status_url' },
  collect: { method: 'GET', pointer: '/response_url' },
  cancel: { method: 'PUT', pointer: '/cancel_url' },
} as const;

/** Returns the client that a scenario calls. `shared`: returns the result of another scenario. */
export function createClient(calls: Calls, shared: Client['shared']): ScenarioContext {
  const { check, scenario, deadline } = calls;
  const { context } = check;
  const { clock, hooks } = check.ports;
  const onHandle =
    (name: QueueCall): Client['status'] =>
    (handle, options) => {
      const { method, pointer } = queueCalls[name];
      const url = readUrl(handle, pointer);
      if (url !== undefined) return calls.send(name, { api: 'router', method, to: url, ...options });
      return calls.track(
        Promise.reject(new SetupFailure(`step "${handle.step}" returned no absolute URL at ${pointer}`)),
      );
    };
  const requireHook = (): void => {
    if (usesHook(scenario, 'clock', 'script')) return;
    const problem = 'advances the clock or scripts a failure, but does not require the hook for it';
    throw new HarnessError(`the scenario of ${calls.ruleId} ${problem}`);
  };
  const client: Client = {
    run: (model, options) => calls.callModel('run', model, options),
    submit: (model, options) => calls.callModel('submit', model, options),
    status: onHandle('status'),
    collect: onHandle('collect'),
    cancel: onHandle('cancel'),
    onRequest: (name, path, id, options) => {
      const to = `${path}/requests/${id}${name === 'collect' ? '' : `/${name}`}`;
      return calls.send(name, { api: 'router', method: queueCalls[name].method, to, ...options });
    },
    follow: async (from, pointer, options) => {
      const to = readUrl(from, pointer);
      const method = pointer === queueCalls.cancel.pointer ? 'PUT' : 'GET';
      return to === undefined ? undefined : calls.send('follow', { api: 'router', method, to, ...options });
    },
    listModels: (query = '', options) =>
      calls.send('list', { api: 'router', method: 'GET', to: `/v2/models${query}`, ...options }),
    model: ({ path }, options) => calls.send('model', { api: 'router', method: 'GET', to: path, ...options }),
    schema: ({ path }, options) =>
      calls.send('schema', { api: 'router', method: 'GET', to: `${path}/openapi.json`, ...options }),
    jobWorkflow: (id, { query = '', ...options } = {}) =>
      calls.send('job', { api: 'workflow', method: 'GET', to: `/api/v2/jobs/${id}/workflow${query}`, ...options }),
    send: (request, purpose) => calls.send('call', { ...request, ...purpose }),
    must: (pending, ...statuses) => calls.track(must(pending, statuses)),
    after: (ms, make) => calls.track(calls.wait(context.values.ms(ms), 'after a wait').then(make)),
    repeat: (make, repetition) => calls.track(repeatCall(make, repetition, calls)),
    ended: (handle, { mayNeverHold, ...options } = {}) => {
      const repetition = { ...untilCompleted, ...(mayNeverHold && { mayNeverHold }) };
      return client.repeat(() => client.status(handle, options), repetition);
    },
    completed: (handle, options) => client.must(client.ended(handle, options), 200),
    ifPossible: (make) => calls.track(ifPossible(make, calls)),
    sendRejectedCalls: (list, make) => calls.track(sendRejectedCalls(list, make)),
    shared: (other) => calls.track(shared(other)),
    text: (answer, pointer) => {
      const value = readMember(answer, pointer);
      if (typeof value !== 'string') throw new SetupFailure(`step "${answer.step}" returned no string at ${pointer}`);
      return value;
    },
    newKey: (label = 'gate') => `${context.values.text(label)}-${crypto.randomUUID()}`,
    pass: async (ms) => {
      requireHook();
      if (hooks === undefined) throw new SetupFailure('the clock of the target cannot be advanced');
      const before = clock.now();
      await hooks.pass(ms);
      // In process, the target and the check share one clock.
      deadline.endsAtMs += clock.now() - before;
    },
    script: async (failure) => {
      requireHook();
      await hooks?.script(failure);
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

function readUrl(answer: Answer, pointer: string): string | undefined {
  const url = readMember(answer, pointer);
  return typeof url === 'string' && URL.canParse(url) ? url : undefined;
}

/** Sends the calls of one run of a scenario, and keeps the responses for the rules and reports. */
export class Calls {
  readonly scenario: Scenario;
  readonly check: Check;
  readonly ruleId: RuleId;
  readonly deadline: Deadline;
  /** Reason why findings don't count against the target. */
  inconclusive: string | undefined;
  readonly #answers: (WritableAnswer | { readonly step: string; readonly exchange: Exchange })[] = [];
  readonly #labels = new Map<unknown, string>();
  readonly #pending = new Set<Promise<unknown>>();
  /** Calls and waits in progress. After an outage, overlapping calls are not repeated. */
  readonly #inProgress = new Set<{ isOverlapping: boolean }>();
  readonly #timesUsed = new Map<string, number>();
  readonly #replaceCall: ReplaceCall;

  constructor(scenario: Scenario, check: Check, { ruleId, endsAtMs }: { ruleId: RuleId; endsAtMs: number }) {
    this.scenario = scenario;
    this.check = check;
    this.ruleId = ruleId;
    this.deadline = { endsAtMs };
    this.#replaceCall = createCallReplacer(check.target, check.discovery);
  }

  /** Tracks a call, because it may be awaited late or never: its failure must neither get lost nor end the process. */
  track<T>(work: Promise<T>): Promise<T> {
    const untrack = () => this.#pending.delete(work);
    this.#pending.add(work);
    work.then(untrack, untrack);
    return work;
  }

  /** Waits for the calls that the scenario has not awaited. */
  async awaitPending(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
  }

  async wait(ms: number, name: string): Promise<void> {
    this.#requireTime(ms, name);
    if (ms > 0) await this.check.ports.clock.sleep(ms).finally(this.#begin().end);
  }

  /** Runs a model, or submits a request to its queue. On some live targets, the call goes to one of the owner's models. */
  callModel(name: 'run' | 'submit', model: Runnable, { query = '', ...options }: CallOptions = {}): Promise<Answer> {
    const makeCall = async () => {
      const { path, input: value, testsSetting } = this.#replaceCall(model);
      const to = (name === 'run' ? path : `${path}/requests`) + query;
      const purpose = testsSetting === undefined ? {} : { testsSetting };
      const body = { kind: 'json', value } as const;
      return this.#send(name, { api: 'router', method: 'POST', to, body, ...purpose, ...options });
    };
    return this.track(makeCall());
  }

  /** Sends a call. Ends the scenario if it gets no response. */
  send(usualName: string, outgoing: OutgoingCall): Promise<Answer> {
    return this.track(this.#send(usualName, outgoing));
  }

  async #send(usualName: string, outgoing: OutgoingCall): Promise<Answer> {
    const { check, scenario, ruleId, deadline } = this;
    const { target, log, ports } = check;
    const { rejected, as, credentials, key, headers = [], api, method, to, body, prefer } = outgoing;
    const times = (this.#timesUsed.get(usualName) ?? 0) + 1;
    if (outgoing.name === undefined) this.#timesUsed.set(usualName, times);
    const name = outgoing.name ?? (times === 1 ? usualName : `${usualName} ${times}`);
    // Nothing is awaited before the call is sent, so that a wait that the scenario starts later also ends later.
    this.#requireTime(0, name);
    const expectsRejection = rejected !== undefined || scenario.cost === 'free';
    const caller = credentials ?? (as && [{ as: 'usual', who: as } as const]);
    const keyed = key === undefined ? [] : [['Idempotency-Key', key] as const];
    const unkeyed = { api, method, to, credentials: caller, headers: [...headers, ...keyed], body, prefer };
    const wanted = target.kind === 'live' && expectsRejection ? withOwnKey(unkeyed) : unkeyed;
    const request = prepareRequest(target, wanted);
    const flaw = typeof rejected === 'string' ? rejected : ruleId;
    const facts = { name, ruleId, at: ruleId, wanted, request, purpose: outgoing, expectsRejection, flaw };
    const { isOverlapping, end } = this.#begin();
    const { exchange, postponed } = await sendCall({ ...facts, isOverlapping }, deadline, check).finally(end);
    const { result } = exchange;
    if (result.kind === 'no-response') {
      this.#answers.push({ step: name, exchange });
      if (result.because === 'reset' && outgoing.ifReset !== undefined) throw new NotApplicable(outgoing.ifReset);
      // The request only timed out because the deadline left it less time than `requestMs`.
      if (result.because === 'timeout' && ports.clock.now() >= deadline.endsAtMs)
        throw new SetupFailure(`step "${name}" was cut off by the deadline of its rule or of the check`);
      throw new Unanswered(name, result);
    }
    const answer: WritableAnswer = {
      ...{ ...result, step: name, exchange, context: check.context },
      ...{ key: readHeader(exchange.request, 'Idempotency-Key'), attempts: [] },
    };
    answer.attempts = [answer];
    this.#answers.push(answer);
    if (outgoing.name !== undefined) this.#labels.set(answer, name);
    if (postponed !== undefined) throw new NotApplicable(postponed);
    if (target.kind === 'live')
      this.inconclusive ??= explainInconclusive(facts, exchange, target.budget?.models ?? [], log.exchanges);
    return answer;
  }

  #requireTime(ms: number, name: string): void {
    if (this.check.ports.clock.now() + ms >= this.deadline.endsAtMs)
      throw new OutOfTime(`step "${name}" had no time left before the rule's deadline`);
  }

  #begin(): { readonly isOverlapping: () => boolean; readonly end: () => void } {
    const entry = { isOverlapping: this.#inProgress.size > 0 };
    for (const other of this.#inProgress) other.isOverlapping = true;
    this.#inProgress.add(entry);
    return { isOverlapping: () => entry.isOverlapping, end: () => void this.#inProgress.delete(entry) };
  }

  /** Returns the exchanges, named after the first member of `responses` that contains their response. */
  listEvidence(responses: unknown): Evidence {
    this.#nameAnswers(responses, '', new Set(this.#answers));
    return this.#answers.map((answer) => {
      const attempt = 'attempts' in answer ? answer.attempts.indexOf(answer) + 1 : 1;
      return { ...answer.exchange, step: answer.step, attempt, origin: answer.exchange };
    });
  }

  /** Names responses after the first member that contains them, and list items after their call or else their position. */
  #nameAnswers(value: unknown, name: string, unnamed: Set<unknown>, depth = 0): void {
    if (unnamed.delete(value)) {
      // `value` is a response. Its `attempts` get the same name.
      const { attempts = [] } = value as Partial<Answer>;
      for (const one of [value, ...attempts] as WritableAnswer[]) one.step = name;
      return;
    }
    if (value === null || typeof value !== 'object' || depth === deepest) return;
    const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
    if (!isPlain || ('kind' in value && value.kind === 'response')) return;
    for (const [key, member] of Object.entries(value)) {
      const part = Array.isArray(value) ? (this.#labels.get(member) ?? String(Number(key) + 1)) : key;
      this.#nameAnswers(member, name === '' ? part : `${name} ${part}`, unnamed, depth + 1);
    }
  }
}

/** Maximum depth at which the result of a scenario is searched for responses. */
const deepest = 5;

/** Adds a key to a call that must be rejected, so that the call can be repeated after an outage of a live target. */
function withOwnKey(wanted: ScenarioRequest): ScenarioRequest {
  const { method, headers = [] } = wanted;
  const isKeyed = headers.some(([name]) => name.toLowerCase() === 'idempotency-key');
  if (isKeyed || method !== 'POST') return wanted;
  return { ...wanted, headers: [...headers, ['Idempotency-Key', crypto.randomUUID()]] };
}

/** Polls until the status is COMPLETED, or the response is not a 200 (MR-STA-09 allows 410 for a failed request). */
export const untilCompleted: Repetition = {
  until: (answer) => answer.status !== 200 || readMember(answer, '/status') === 'COMPLETED',
  atMost: 80,
  everyMs: 250,
  waitsForRun: true,
};

const slowPollMs = 2_000;
/** Number of wrong states after which polling stops. More than one, because the request may still complete. */
const maxDeadEnds = 12;

/**
 * Repeats a call until its condition is true. A wait for a run of a live target gets the full deadline of a rule, and
 * polls more slowly after the usual number of attempts. Throws `SetupFailure` if the condition never becomes true.
 */
async function repeatCall(
  make: () => Promise<Answer>,
  { until, atMost, everyMs, waitsForRun, mayNeverHold }: Repetition,
  calls: Calls,
): Promise<Answer> {
  const { check, deadline } = calls;
  const { ports, limits, target } = check;
  const runEndsAtMs = ports.clock.now() + limits.ruleMs;
  const isRunning = (): boolean => waitsForRun === true && target.kind === 'live' && ports.clock.now() < runEndsAtMs;
  const attempts: WritableAnswer[] = [];
  let because = `did not meet its condition within ${atMost} attempts`;
  const statuses = new Set<string>();
  let deadEnds = 0;
  while (deadEnds < maxDeadEnds && (attempts.length < atMost || isRunning())) {
    const last = attempts.at(-1);
    const isSlow = attempts.length >= atMost;
    // Time spent waiting for a run doesn't count against the rule's deadline.
    if (isSlow) {
      const neededMs = ports.clock.now() + slowPollMs + limits.requestMs;
      deadline.endsAtMs = Math.min(check.endsAtMs, Math.max(deadline.endsAtMs, neededMs));
    }
    let answer: WritableAnswer;
    try {
      if (last !== undefined) await calls.wait(isSlow ? slowPollMs : everyMs, last.step);
      answer = await make();
    } catch (error) {
      if (error instanceof OutOfTime && last !== undefined && mayNeverHold) return last;
      throw error;
    }
    attempts.push(answer);
    answer.attempts = attempts;
    if (until(answer)) return answer;
    const deadEnd = waitsForRun ? findDeadEnd(answer, statuses) : undefined;
    if (deadEnd !== undefined) {
      because = deadEnd;
      deadEnds += 1;
    }
  }
  const last = attempts.at(-1);
  if (mayNeverHold && last !== undefined) return last;
  throw new SetupFailure(`step "${attempts[0]?.step}" ${because}`);
}

/** Undocumented names of final states: COMPLETED is the only terminal state, whatever the outcome (MR-QUE-33). */
const finalNames =
  /(?:^(?:completed?|succeeded|success|done|finished|ended)|cancell?ed|failed|failure|error|expired|aborted|rejected|timed_?out)$/i;

/** Returns the reason why a queued request with this status will never become COMPLETED; otherwise undefined. */
function findDeadEnd(answer: Answer, seen: Set<string>): string | undefined {
  if (answer.status > 202) return undefined;
  const status = readMember(answer, '/status');
  // This happens for example if the status_url of the handle leads to the result.
  if (typeof status !== 'string') return answer.status === 200 ? 'returned 200 without a status' : undefined;
  if (status === 'COMPLETED') return undefined;
  const error = readMember(answer, '/error_type');
  if (typeof error === 'string') return `has the error_type ${error} and the status ${status}`;
  // Next to COMPLETED there are two more statuses, whose names the API does not document (OP-001).
  const isOther = finalNames.test(status) || seen.add(status).size > 2;
  return isOther ? `has the status ${status}, which is not one of the three` : undefined;
}
