import type { Condition, InputName } from '../requires.ts';
import type { Answer, Silence } from './answer.ts';
import type { ProbeContext } from './context.ts';
import type { CredentialUse, ProbeBody, ProbeRequest, RawHeaders, ScriptedFailure } from './probe.ts';
import type { ApiName } from './target.ts';

/**
 * `billed`: it runs or queues a model, and needs a budget on a live target. `hooked`: it runs only the models of the
 * test hooks, which are never billed. `free`: the target refuses each of its calls that could start a run, and each of
 * them has to state that (`rejected`): without it the scenario does not compile.
 */
export type Cost = 'free' | 'hooked' | 'billed';

/** Talks to a target and returns what came back. Rules that name the same scenario read one run of it. */
export type Scenario<Responses = unknown> = {
  readonly api: ApiName;
  readonly cost: Cost;
  /** Requirements on the target in addition to its API, and a budget if the scenario is billed. */
  readonly requires: readonly Condition[];
  readonly run: (context: ScenarioContext) => Promise<Responses>;
};

/** What a scenario returns, for functions that several of its rules use. */
export type ResponsesOf<S> = S extends Scenario<infer Responses> ? Responses : never;

type Stated<Price extends Cost> = Partial<Pick<Scenario, 'api' | 'requires'>> & { readonly cost?: Price };

/** Defines a scenario. Defaults: of the router, free, and applicable to every target. */
export function scenario<Responses extends object, Price extends Cost = 'free'>(
  { api = 'router', cost, requires = [] }: Stated<Price>,
  run: (context: Price extends 'free' ? FreeContext : ScenarioContext) => Promise<Responses>,
): Scenario<Responses> {
  return { api, cost: cost ?? 'free', requires, run };
}

/** Properties of a call that the engine needs. */
export type CallPurpose = {
  /** In reports, unless the scenario returns the response as a member; an item of a list keeps the name. */
  readonly name?: string;
  /**
   * The call is wrong, and has to be refused: a call with the same flaw is not sent again to a paying target that accepted one. A text
   * names the flaw where several inputs share it, such as the keyword of a schema that they violate.
   */
  readonly rejected?: true | string;
  /**
   * Scenarios share the run of a live target: the response to an earlier call of this name with the same request, whatever its key,
   * stands in for the call's own.
   */
  readonly share?: string;
  /** The statement of the owner about the model of the call that this call tries. */
  readonly states?: InputName;
  /** The category or code of the failure that this call is to show: such a failure is not waited out. */
  readonly toShow?: string;
};

export type CallOptions = CallPurpose & {
  /** The caller, in the usual header. Default: `main`. */
  readonly as?: CredentialUse['who'];
  /** In place of `as`; `[]` sends none. */
  readonly credentials?: readonly CredentialUse[];
  readonly headers?: RawHeaders;
  /** Idempotency key. */
  readonly key?: string | undefined;
  /** From the question mark on. */
  readonly query?: string;
  /** In place of the model's input. */
  readonly body?: ProbeBody;
  /** The status that a mock should respond with; not sent to other targets. */
  readonly prefer?: number;
};

/** The path of a model below the base address, and an input. */
export type Runnable = { readonly path: string; readonly input: unknown };

export type QueueCall = 'status' | 'collect' | 'cancel';

/** Repeats a call until `until` holds, at most `atMost` times and never past the deadline. */
export type Repetition = {
  readonly until: (answer: Answer) => boolean;
  readonly atMost: number;
  readonly everyMs: number;
  /** It waits for the end of a run, which has the time of a rule for itself on a live target. */
  readonly waitsForRun?: true;
  /** Otherwise a condition that never held ends the scenario as `setup-failed`. */
  readonly mayNeverHold?: true;
};

/**
 * Calls of a scenario. None throws for what a server answers. A call that stays unanswered, has no time left or must not be paid for ends
 * the scenario.
 */
export type Client = {
  // Properties, whose parameters are compared strictly: a scenario that is free must not pass for one that may start runs.
  readonly run: (model: Runnable, options?: CallOptions) => Promise<Answer>;
  readonly submit: (model: Runnable, options?: CallOptions) => Promise<Answer>;
  /** Calls the URL of a handle. Without an absolute URL there the scenario ends as `setup-failed`. */
  status(handle: Answer, options?: CallOptions): Promise<Answer>;
  collect(handle: Answer, options?: CallOptions): Promise<Answer>;
  cancel(handle: Answer, options?: CallOptions): Promise<Answer>;
  /** A call on a request by its id, below the path of a model. */
  onRequest(call: QueueCall, modelPath: string, requestId: string, options?: CallOptions): Promise<Answer>;
  /** Calls the URL at a pointer of an earlier response; undefined when there is none. */
  follow(from: Answer, pointer: string, options?: CallOptions): Promise<Answer | undefined>;
  /** `query`: from the question mark on. */
  listModels(query?: string, options?: CallOptions): Promise<Answer>;
  model(model: Pick<Runnable, 'path'>, options?: CallOptions): Promise<Answer>;
  schema(model: Pick<Runnable, 'path'>, options?: CallOptions): Promise<Answer>;
  /** `jobId` as it appears in the path. */
  jobWorkflow(jobId: string, options?: CallOptions): Promise<Answer>;
  /** Anything else, however malformed. */
  send(request: ProbeRequest, purpose?: CallPurpose): Promise<Answer>;
  /** Like `send`, and no response is a result as well. */
  trySend(request: ProbeRequest, purpose?: CallPurpose): Promise<Answer | Silence>;
  /** The response if it has one of the statuses; otherwise the scenario ends as `setup-failed`. */
  must(answer: Answer | Promise<Answer>, ...statuses: readonly number[]): Promise<Answer>;
  /** Makes a call `ms` later. Started without `await`, it is sent in parallel with the calls that follow. */
  after<T>(ms: number, call: () => Promise<T>): Promise<T>;
  /** Polls the status of a request until it is COMPLETED or gone, for at most twenty seconds. */
  ended(handle: Answer, options?: CallOptions & Pick<Repetition, 'mayNeverHold'>): Promise<Answer>;
  /** The same; the last status is answered 200, or the scenario ends as `setup-failed`. */
  completed(handle: Answer, options?: CallOptions & Pick<Repetition, 'mayNeverHold'>): Promise<Answer>;
  repeat(call: () => Promise<Answer>, repetition: Repetition): Promise<Answer>;
  /** Undefined where no time is left for a call, or the budget does not allow it. */
  ifPossible<T>(call: () => Promise<T>): Promise<T | undefined>;
  /** Calls that have to be refused, one after another. Ends after one that was accepted where the budget allows no further one. */
  eachRefused<T>(list: Iterable<T>, call: (one: T) => Promise<Answer>): Promise<readonly Answer[]>;
  /** The text at a pointer of an earlier response; without one the scenario ends as `setup-failed`. */
  text(answer: Answer, pointer: string): string;
  /** A key that was never used before. It begins with the label. */
  newKey(label?: string): string;
  /** Moves the clock of the target. The scenario requires the hook `clock`, and runs in parallel with no other. */
  pass(ms: number): Promise<void>;
  /** Scripts the failure that the next call of an operation meets. The scenario requires the hook `script`, and runs in parallel with no other. */
  script(failure: ScriptedFailure): Promise<void>;
  /** Returns the result of another scenario, which runs once for both. */
  shared<Responses>(other: Scenario<Responses>): Promise<Responses>;
};

/** The client, and what is known of the target. */
export type ScenarioContext = Client & ProbeContext;

type RejectedCall = (
  model: Runnable,
  options: CallOptions & Required<Pick<CallPurpose, 'rejected'>>,
) => Promise<Answer>;

/** The same for a scenario that must not start a run: it only runs and submits what the target has to refuse. */
export type FreeContext = Omit<ScenarioContext, 'run' | 'submit'> & {
  readonly run: RejectedCall;
  readonly submit: RejectedCall;
};
