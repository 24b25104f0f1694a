import { type Answer, type Named, type Silence, toAnswer } from '../contract/answer.ts';
import { NotAffordable, NotApplicable, Unanswered } from '../contract/endings.ts';
import { HarnessError, OutOfTime, SetupFailure } from '../contract/errors.ts';
import { readMember } from '../contract/evidence.ts';
import type { Hooks, ProbeRequest } from '../contract/probe.ts';
import type { RuleId } from '../contract/rule.ts';
import type {
  CallOptions,
  CallPurpose,
  Client,
  Cost,
  QueueCall,
  Repetition,
  ScenarioContext,
} from '../contract/scenario.ts';
import { explainInconclusive } from '../wire/inconclusive.ts';
import { Restart } from '../wire/outages.ts';
import { prepareRequest } from '../wire/request.ts';
import type { Deadline } from '../wire/wire.ts';
import type { Check } from './check.ts';
import { findDeadEnd } from './dead-ends.ts';
import type { Substitute } from './discovered-model.ts';

/** The parts of a check that a client needs. */
export type Sender = Pick<Check, 'target' | 'ports' | 'limits' | 'endsAtMs' | 'log' | 'wire' | 'context'>;

/** The purpose of a client's calls. */
export type Purpose = {
  readonly deadline: Deadline;
  readonly ruleId: RuleId;
  readonly cost: Cost;
  /** The scenario requires the hook `clock` or `script`, and runs beside no other. */
  readonly mayAffectOthers?: boolean;
  readonly substitute?: Substitute;
  /** Called before data of the target is read. */
  readonly onReading?: () => void;
  readonly shared?: ScenarioContext['shared'];
};

/** The calls of a scenario so far. */
export type CallsMade = {
  /** In the order of their ends. */
  readonly answers: readonly (Named<Answer> | Named<Silence>)[];
  /** The names that calls state themselves. */
  readonly labels: ReadonlyMap<unknown, string>;
  /** Those under way have ended, whether or not the scenario waits for them. */
  settle(): Promise<void>;
  readonly restart: Restart | undefined;
  /** Why what is found counts against no target: a call was answered for a reason that no rule is about. */
  readonly inconclusive: string | undefined;
  readonly hasScripted: boolean;
};

const urlMembers = { status: '/status_url', collect: '/response_url', cancel: '/cancel_url' } as const;
const slowPollMs = 2_000;
/** A server that is wrong about the state of a request may still bring it to its end. */
const deadEndsAtMost = 12;

export function createClient(
  sender: Sender,
  purpose: Purpose,
): { readonly client: ScenarioContext; readonly calls: CallsMade } {
  const { target, log, context, limits, wire, ports } = sender;
  const { clock } = ports;
  const { deadline, ruleId, cost, mayAffectOthers = false, substitute = (wanted) => wanted, shared } = purpose;
  const onReading = purpose.onReading ?? (() => undefined);
  const isLive = target.kind === 'live';
  const answers: (Named<Answer> | Named<Silence>)[] = [];
  const labels = new Map<unknown, string>();
  const pending = new Set<Promise<unknown>>();
  const active = new Set<{ isOverlapping: boolean }>();
  const names = new Map<string, number>();
  let restart: Restart | undefined;
  let inconclusive: string | undefined;
  let hasScripted = false;

  /** A call may be awaited late, or never: its failure is not lost, and ends no process. */
  function track<T>(work: Promise<T>): Promise<T> {
    pending.add(work);
    work.then(
      () => pending.delete(work),
      (error) => {
        pending.delete(work);
        if (error instanceof Restart) restart ??= error;
      },
    );
    return work;
  }

  /** Calls and waits that overlap are timed. */
  async function beside<T>(work: (own: { readonly isOverlapping: boolean }) => Promise<T>): Promise<T> {
    const own = { isOverlapping: active.size > 0 };
    for (const other of active) other.isOverlapping = true;
    active.add(own);
    try {
      return await work(own);
    } finally {
      active.delete(own);
    }
  }

  function nameCall(name: string): string {
    const count = (names.get(name) ?? 0) + 1;
    names.set(name, count);
    return count === 1 ? name : `${name} ${count}`;
  }

  function requireTime(ms: number, name: string): void {
    if (clock.now() + ms >= deadline.endsAtMs)
      throw new OutOfTime(`step "${name}" had no time left before the rule's deadline`);
  }

  async function wait(ms: number, name: string): Promise<void> {
    requireTime(ms, name);
    if (ms > 0) await beside(() => clock.sleep(ms));
  }

  /** On a live target a call that has to be rejected gets a key of its own, so that it can be sent again after an outage. */
  function withKeyOfRejection(wanted: ProbeRequest, isDue: boolean): ProbeRequest {
    const { headers = [] } = wanted;
    const isKeyed = headers.some(([name]) => name.toLowerCase() === 'idempotency-key');
    return isLive && isDue && !isKeyed && wanted.method === 'POST'
      ? { ...wanted, headers: [...headers, ['Idempotency-Key', crypto.randomUUID()]] }
      : wanted;
  }

  async function perform(
    asked: ProbeRequest,
    of: CallPurpose,
    usualName = 'call',
  ): Promise<Named<Answer> | Named<Silence>> {
    const { rejected, share, toShow, states } = of;
    const name = of.name ?? nameCall(usualName);
    // Sent in the turn in which it is started: a wait that begins after it comes later.
    requireTime(0, name);
    onReading();
    const expectsRejection = rejected !== undefined || cost === 'free';
    const wanted = withKeyOfRejection(substitute(asked), expectsRejection);
    const call = {
      ...prepareRequest(target, wanted),
      name,
      ruleId: ruleId,
      expectsRejection,
      flaw: typeof rejected === 'string' ? rejected : ruleId,
      ...(share !== undefined && { share }),
      ...(toShow !== undefined && { toShow }),
      ...(states && { states }),
    };
    const sent = await beside((own) => wire({ ...call, isOverlapping: () => own.isOverlapping }, deadline));
    onReading();
    const answer = toAnswer(sent.exchange, context);
    answer.step = name;
    if (of.name !== undefined) labels.set(answer, name);
    answers.push(answer);
    if (sent.postponed !== undefined) throw new NotApplicable(sent.postponed);
    if (isLive && sent.isShared !== true)
      inconclusive ??= explainInconclusive(call, sent.exchange, {
        models: target.budget?.models ?? [],
        log: log.exchanges,
      });
    return answer;
  }

  async function trySend(request: ProbeRequest, purpose: CallPurpose = {}): Promise<Answer | Silence> {
    return perform(request, purpose);
  }

  async function send(request: ProbeRequest, purpose: CallPurpose = {}, usualName?: string): Promise<Answer> {
    const answer = await perform(request, purpose, usualName);
    if (answer.kind === 'response') return answer;
    // The target had less time than a request has.
    if (answer.because === 'timeout' && clock.now() >= deadline.endsAtMs)
      throw new SetupFailure(`step "${answer.step}" was cut off by the deadline of its rule or of the check`);
    throw new Unanswered(answer.step, answer);
  }

  const call = (
    [name, api, method, to]: readonly [name: string, api: ProbeRequest['api'], method: string, to: string],
    {
      as,
      credentials = as && [{ as: 'usual', who: as } as const],
      headers,
      key,
      body,
      prefer,
      ...purpose
    }: CallOptions,
  ): Promise<Answer> => {
    const lines = [...(headers ?? []), ...(key === undefined ? [] : [['Idempotency-Key', key] as const])];
    const request: ProbeRequest = {
      api,
      method,
      to,
      ...(credentials && { credentials }),
      ...(lines.length > 0 && { headers: lines }),
      ...(body && { body }),
      ...(prefer !== undefined && { prefer }),
    };
    return track(send(request, purpose, name));
  };

  const start =
    (name: string, tail: string): Client['run'] =>
    ({ path, input }, { query = '', ...options } = {}) =>
      call([name, 'router', 'POST', path + tail + query], { body: { kind: 'json', value: input }, ...options });

  const onHandle =
    (name: QueueCall): Client['status'] =>
    async (handle, options = {}) => {
      const url = readMember(handle, urlMembers[name]);
      if (typeof url !== 'string' || !URL.canParse(url))
        throw new SetupFailure(`step "${handle.step}" gave no absolute URL at ${urlMembers[name]}`);
      return call([name, 'router', findMethod(name), url], options);
    };

  const get = (name: string, to: string, options: CallOptions = {}) => call([name, 'router', 'GET', to], options);

  async function must(given: Answer | Promise<Answer>, ...statuses: readonly number[]): Promise<Answer> {
    const answer = await Promise.resolve(given).catch((error: unknown) => {
      throw error instanceof Unanswered ? new SetupFailure(error.message) : error;
    });
    if (statuses.includes(answer.status)) return answer;
    throw new SetupFailure(`step "${answer.step}" answered ${answer.status}, needed ${statuses.join(' or ')}`);
  }

  async function repeat(make: () => Promise<Answer>, repetition: Repetition): Promise<Answer> {
    const { until, atMost, everyMs, waitsForRun, mayNeverHold } = repetition;
    const startedAtMs = clock.now();
    const isHeld = (): boolean => waitsForRun === true && isLive && clock.now() - startedAtMs < limits.ruleMs;
    const attempts: Named<Answer>[] = [];
    let because = `did not meet its condition in ${atMost} attempts`;
    let last: Named<Answer> | undefined;
    for (let attempt = 1, deadEnds = 0; deadEnds < deadEndsAtMost && (attempt <= atMost || isHeld()); attempt += 1) {
      const isSlow = attempt > atMost;
      // The time of its runs is not the rule's.
      if (isSlow)
        deadline.endsAtMs = Math.min(
          sender.endsAtMs,
          Math.max(deadline.endsAtMs, clock.now() + slowPollMs + limits.requestMs),
        );
      try {
        if (last !== undefined) await wait(isSlow ? slowPollMs : everyMs, last.step);
        last = (await make()) as Named<Answer>;
      } catch (error) {
        if (error instanceof OutOfTime && last !== undefined && mayNeverHold) return last;
        throw error;
      }
      attempts.push(last);
      last.attempts = attempts;
      if (until(last)) return last;
      const deadEnd = findDeadEnd(last.exchange, log.exchanges);
      if (deadEnd !== undefined) [because, deadEnds] = [deadEnd, deadEnds + 1];
    }
    if (mayNeverHold && last !== undefined) return last;
    throw new SetupFailure(`step "${attempts[0]?.step}" ${because}`);
  }

  async function ifPossible<T>(make: () => Promise<T>): Promise<T | undefined> {
    if (clock.now() + limits.requestMs >= deadline.endsAtMs) return undefined;
    try {
      return await make();
    } catch (error) {
      if (error instanceof NotAffordable) return undefined;
      throw error;
    }
  }

  async function eachRefused<T>(list: Iterable<T>, make: (one: T) => Promise<Answer>): Promise<readonly Answer[]> {
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

  /** It runs beside no other scenario. */
  function requireHook(): Hooks | undefined {
    if (mayAffectOthers) return ports.hooks;
    const problem = 'moves the clock or scripts a failure, and does not require that hook';
    throw new HarnessError(`the scenario of ${ruleId} ${problem}`);
  }

  const tracked =
    <Given extends readonly unknown[], T>(make: (...given: Given) => Promise<T>) =>
    (...given: Given): Promise<T> =>
      track(make(...given));

  const own: Omit<Client, 'after' | 'repeat' | 'eachRefused' | 'shared'> = {
    run: start('run', ''),
    submit: start('submit', '/requests'),
    status: onHandle('status'),
    collect: onHandle('collect'),
    cancel: onHandle('cancel'),
    onRequest: (name, path, id, options = {}) => {
      const tail = name === 'collect' ? '' : `/${name}`;
      return call([name, 'router', findMethod(name), `${path}/requests/${id}${tail}`], options);
    },
    follow: async (from, pointer, options = {}) => {
      const url = readMember(from, pointer);
      if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
      return call(['follow', 'router', pointer === urlMembers.cancel ? 'PUT' : 'GET', url], options);
    },
    listModels: (query = '', options) => get('list', `/v2/models${query}`, options),
    model: ({ path }, options) => get('model', path, options),
    schema: ({ path }, options) => get('schema', `${path}/openapi.json`, options),
    jobWorkflow: (id, { query = '', ...options } = {}) =>
      call(['job', 'workflow', 'GET', `/api/v2/jobs/${id}/workflow${query}`], options),
    send: tracked((request, of) => send(request, of)),
    trySend: tracked(trySend),
    must: tracked(must),
    ended: tracked((handle, { mayNeverHold, ...options } = {}) =>
      repeat(() => own.status(handle, options), { ...untilCompleted, ...(mayNeverHold && { mayNeverHold }) }),
    ),
    completed: tracked((handle, options) => must(own.ended(handle, options), 200)),
    ifPossible: (make) => track(ifPossible(make)),
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
      // In one process both clocks are the same one.
      deadline.endsAtMs += clock.now() - before;
    },
    script: async (failure) => {
      hasScripted = true;
      await requireHook()?.script(failure);
    },
  };
  const client: Client = {
    ...own,
    after: (ms, make) => track(wait(context.values.ms(ms), 'after a wait').then(make)),
    repeat: tracked(repeat),
    eachRefused: (list, make) => track(eachRefused(list, make)),
    shared: (other) => {
      if (shared === undefined) throw new HarnessError('no scenario is shared here');
      return track(shared(other));
    },
  };
  return {
    // Missing facts about the target throw when they are read, so the getters are inherited, not copied.
    client: Object.assign(Object.create(context), client),
    calls: {
      answers,
      labels,
      settle: async () => {
        while (pending.size > 0) await Promise.allSettled(pending);
      },
      get restart() {
        return restart;
      },
      get inconclusive() {
        return inconclusive;
      },
      get hasScripted() {
        return hasScripted;
      },
    },
  };
}

const findMethod = (name: QueueCall) => (name === 'cancel' ? 'PUT' : 'GET');

/** Until the request is COMPLETED, or gone (MR-STA-09 allows 410 for a failed one). */
export const untilCompleted: Repetition = {
  until: (answer) => answer.status !== 200 || readMember(answer, '/status') === 'COMPLETED',
  atMost: 80,
  everyMs: 250,
  waitsForRun: true,
};
