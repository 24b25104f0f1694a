import { NotApplicable, OutOfTime, SetupFailure, Unanswered } from '../contract/endings.ts';
import { readHeader } from '../contract/evidence.ts';
import type { Evidence, Exchange, ScenarioRequest } from '../contract/exchange.ts';
import type { RuleId } from '../contract/rule.ts';
import type { Answer, CallOptions, Scenario, ScenarioContext, Silence } from '../contract/scenario.ts';
import { explainInconclusive } from '../wire/inconclusive.ts';
import { prepareRequest } from '../wire/request.ts';
import type { Call, Deadline } from '../wire/wire.ts';
import type { Check } from './check.ts';
import type { Substitute } from './substitutes.ts';

export type ScenarioRunOptions = {
  readonly ruleId: RuleId;
  readonly endsAtMs: number;
  /** Returns the result of another scenario, which runs once per check. */
  readonly shared: ScenarioContext['shared'];
};

export type OutgoingCall = CallOptions & Pick<ScenarioRequest, 'api' | 'method' | 'to'>;

/** Steps and attempts are set after the scenario has received a response. */
export type Writable<T extends Answer | Silence> = { -readonly [Member in keyof T]: T[Member] };

const deepest = 5;

/** Sends the calls of one run of a scenario, and keeps the responses for the rules and reports. */
export class Calls {
  readonly scenario: Scenario;
  readonly check: Check;
  readonly options: ScenarioRunOptions;
  readonly deadline: Deadline;
  /** Reason why findings don't count against the target. */
  inconclusive: string | undefined;
  readonly #answers: (Writable<Answer> | Writable<Silence>)[] = [];
  readonly #labels = new Map<unknown, string>();
  readonly #pending = new Set<Promise<unknown>>();
  readonly #inProgress = new Set<{ isOverlapping: boolean }>();
  readonly #timesUsed = new Map<string, number>();
  readonly #substitute: Substitute;

  constructor(scenario: Scenario, check: Check, options: ScenarioRunOptions) {
    this.scenario = scenario;
    this.check = check;
    this.options = options;
    this.deadline = { endsAtMs: options.endsAtMs };
    this.#substitute = check.substitutes();
  }

  /** Tracks a call, because it may be awaited late or never: its failure must neither get lost nor end the process. */
  track<T>(work: Promise<T>): Promise<T> {
    const untrack = () => this.#pending.delete(work);
    this.#pending.add(work);
    work.then(untrack, untrack);
    return work;
  }

  /** Waits for the calls that the scenario has not awaited. */
  async settle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
  }

  async wait(ms: number, name: string): Promise<void> {
    this.#requireTime(ms, name);
    if (ms > 0) await this.#whileInProgress(() => this.check.ports.clock.sleep(ms));
  }

  /** Sends a call. Ends the scenario if it gets no response. */
  call(usualName: string, outgoing: OutgoingCall): Promise<Answer> {
    const answer = this.#send(usualName, outgoing).then((answer) => {
      if (answer.kind === 'response') return answer;
      // The request only timed out because the deadline left it less time than `requestMs`.
      if (answer.because === 'timeout' && this.check.ports.clock.now() >= this.deadline.endsAtMs)
        throw new SetupFailure(`step "${answer.step}" was cut off by the deadline of its rule or of the check`);
      throw new Unanswered(answer.step, answer);
    });
    return this.track(answer);
  }

  /** Like `call`, but returns a missing response. */
  tryCall(usualName: string, outgoing: OutgoingCall): Promise<Answer | Silence> {
    return this.track(this.#send(usualName, outgoing));
  }

  /** Returns the exchanges, named after the first member of `responses` that contains their response. */
  listEvidence(responses: unknown): Evidence {
    this.#nameAnswers(responses, '', new Set(this.#answers));
    return this.#answers.map((answer) => {
      const attempt = answer.kind === 'response' ? answer.attempts.indexOf(answer) + 1 : 1;
      return { ...answer.exchange, step: answer.step, attempt, origin: answer.exchange };
    });
  }

  async #send(usualName: string, outgoing: OutgoingCall): Promise<Answer | Silence> {
    const { check, scenario } = this;
    const { target, log, record } = check;
    const { ruleId } = this.options;
    const { rejected } = outgoing;
    const name = outgoing.name ?? this.#numberName(usualName);
    // Nothing is awaited before the call is sent, so that a wait that the scenario starts later also ends later.
    this.#requireTime(0, name);
    record.addStart(ruleId);
    const expectsRejection = rejected !== undefined || scenario.cost === 'free';
    const substituted = this.#substitute(describeRequest(outgoing));
    const wanted = target.kind === 'live' && expectsRejection ? withOwnKey(substituted) : substituted;
    const request = prepareRequest(target, wanted);
    const full = log.explainFull();
    if (full !== undefined) throw new NotApplicable(full);
    const flaw = typeof rejected === 'string' ? rejected : ruleId;
    const facts = { name, ruleId, wanted, request, purpose: outgoing, expectsRejection, flaw };
    const { exchange, postponed, isLogged } = await this.#whileInProgress((isOverlapping) => {
      const call: Call = { ...facts, isOverlapping };
      return check.wire(call, this.deadline);
    });
    record.addStart(ruleId);
    if (!isLogged) log.add(exchange);
    const answer = this.#keepAnswer(name, exchange);
    if (outgoing.name !== undefined) this.#labels.set(answer, name);
    if (postponed !== undefined) throw new NotApplicable(postponed);
    if (target.kind === 'live' && !isLogged)
      this.inconclusive ??= explainInconclusive(facts, exchange, target.budget?.models ?? [], log.exchanges);
    return answer;
  }

  #keepAnswer(step: string, exchange: Exchange): Answer | Silence {
    const { result } = exchange;
    const facts = { step, exchange, context: this.check.context };
    let answer: Writable<Answer> | Writable<Silence>;
    if (result.kind === 'no-response') answer = { ...result, ...facts };
    else {
      answer = { ...result, ...facts, key: readHeader(exchange.request, 'Idempotency-Key'), attempts: [] };
      answer.attempts = [answer];
    }
    this.#answers.push(answer);
    return answer;
  }

  /** Numbers later calls with the same name. */
  #numberName(usualName: string): string {
    const times = (this.#timesUsed.get(usualName) ?? 0) + 1;
    this.#timesUsed.set(usualName, times);
    return times === 1 ? usualName : `${usualName} ${times}`;
  }

  #requireTime(ms: number, name: string): void {
    if (this.check.ports.clock.now() + ms >= this.deadline.endsAtMs)
      throw new OutOfTime(`step "${name}" had no time left before the rule's deadline`);
  }

  /** Notes which calls and waits overlap. After an outage, overlapping calls are not repeated. */
  async #whileInProgress<T>(work: (isOverlapping: () => boolean) => Promise<T>): Promise<T> {
    const entry = { isOverlapping: this.#inProgress.size > 0 };
    for (const other of this.#inProgress) other.isOverlapping = true;
    this.#inProgress.add(entry);
    return work(() => entry.isOverlapping).finally(() => this.#inProgress.delete(entry));
  }

  /** Names responses after the first member that contains them, and list items after their call or else their position. */
  #nameAnswers(value: unknown, name: string, unnamed: Set<unknown>, depth = 0): void {
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
      const part = Array.isArray(value) ? (this.#labels.get(member) ?? String(Number(key) + 1)) : key;
      this.#nameAnswers(member, name === '' ? part : `${name} ${part}`, unnamed, depth + 1);
    }
  }
}

function describeRequest({ as, credentials, key, headers = [], api, method, to, body, prefer }: OutgoingCall) {
  const caller = credentials ?? (as && [{ as: 'usual', who: as } as const]);
  const keyed = key === undefined ? [] : [['Idempotency-Key', key] as const];
  return { api, method, to, credentials: caller, headers: [...headers, ...keyed], body, prefer };
}

/** Adds a key to a call that must be rejected, so that the call can be repeated after an outage of a live target. */
function withOwnKey(wanted: ScenarioRequest): ScenarioRequest {
  const { method, headers = [] } = wanted;
  const isKeyed = headers.some(([name]) => name.toLowerCase() === 'idempotency-key');
  if (isKeyed || method !== 'POST') return wanted;
  return { ...wanted, headers: [...headers, ['Idempotency-Key', crypto.randomUUID()]] };
}
