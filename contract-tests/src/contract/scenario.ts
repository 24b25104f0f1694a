import type { Condition, InputName } from '../requires.ts';
import type { TargetContext } from './context.ts';
import type { CredentialUse, Exchange, ScenarioRequest, ScriptedFailure, WireResponse } from './exchange.ts';
import type { RequestParts } from './requests.ts';
import type { ApiName } from './target.ts';
import type { Values } from './values.ts';

export type { TargetContext, Values };

export type Answer = WireResponse & {
  /** Name of the call in findings and reports, taken from the object that the scenario returned. */
  readonly step: string;
  readonly exchange: Exchange;
  readonly context: TargetContext;
  readonly key: string | undefined;
  /** All responses to a repeated call; this response is the last one. */
  readonly attempts: readonly Answer[];
};

/**
 * `billed`: runs or queues a model; needs a budget on a live target. `hooked`: only runs the models of the test hooks,
 * which are never billed. `free`: every call that could start a run must be rejected by the target. TypeScript enforces
 * that each such call sets `rejected`.
 */
export type Cost = 'free' | 'hooked' | 'billed';

/** Sends calls to a target and returns the responses. Rules with the same scenario share one run of it. */
export type Scenario<Responses = unknown> = {
  readonly api: ApiName;
  readonly cost: Cost;
  /** Requirements on the target, in addition to its API and, if the scenario is billed, a budget. */
  readonly requires: readonly Condition[];
  readonly run: (context: ScenarioContext) => Promise<Responses>;
};

export type ResponsesOf<S> = S extends Scenario<infer Responses> ? Responses : never;

type ScenarioOptions<Price extends Cost> = {
  readonly api?: ApiName;
  readonly requires?: readonly Condition[];
  readonly cost?: Price;
};

/** Defines a scenario. By default it uses the router API, is free, and applies to every target. */
export function scenario<Responses extends object, Price extends Cost = 'free'>(
  { api = 'router', cost, requires = [] }: ScenarioOptions<Price>,
  run: (context: Price extends 'free' ? FreeContext : ScenarioContext) => Promise<Responses>,
): Scenario<Responses> {
  return { api, cost: cost ?? 'free', requires, run };
}

export type CallPurpose = {
  /** Name in reports if the response isn't a member of the scenario's result. List items always use this name. */
  readonly name?: string;
  /**
   * The call is invalid and must be rejected. If a target that bills runs accepts it, no call with the same flaw is
   * sent again. A string identifies a flaw that several inputs share, such as the violated keyword of a schema.
   */
  readonly rejected?: true | string;
  /** On a live target, calls with this name and an equal request share one run, even if their keys differ. */
  readonly share?: string;
  /** Member of `conform.live.models` that the called model has and that this call tests. */
  readonly testsSetting?: InputName;
  /** Category or code of the failure that this call should cause. The failure is then not retried. */
  readonly expectedFailure?: string;
  /** Why the rules are not applicable if the server closes the connection. By default they then fail. */
  readonly ifReset?: string;
};

/** `credentials` replaces `as`, and `body` replaces the model's input. */
export type CallOptions = CallPurpose &
  RequestParts & {
    /** Caller, in the usual header. Default: `main`. */
    readonly as?: CredentialUse['who'];
    readonly key?: string | undefined;
    /** Query string, including the question mark. */
    readonly query?: string;
  };

/** Path of a model below the base URL. */
export type ModelAddress = { readonly path: string };
/** `ownerInput`: input from `conform.live.models` that replaces `input` on a live target without the outcomes model. */
export type Runnable = ModelAddress & { readonly input: unknown; readonly ownerInput?: OwnerInput };

/** `invalidInput`: an object that the schema of an owner's model rejects. The others are settings of the model. */
export type OwnerInput = 'input' | 'slowInput' | 'rejectedInput' | 'failingInput' | 'invalidInput';

export type QueueCall = 'status' | 'collect' | 'cancel';

/** Repeats a call until `until` is true, at most `atMost` times and never past the deadline. */
export type Repetition = {
  readonly until: (answer: Answer) => boolean;
  readonly atMost: number;
  readonly everyMs: number;
  /** The call waits for the end of a run, so on a live target it may use the full deadline of a rule. */
  readonly waitsForRun?: true;
  /** Continue if the condition never becomes true. By default the scenario then ends as `setup-failed`. */
  readonly mayNeverHold?: true;
};

/** `mayNeverHold`: as in `Repetition`. */
export type EndOptions = CallOptions & { readonly mayNeverHold?: true };

/** Calls of a scenario. A call ends the scenario if it gets no response, has no time left, or exceeds the budget. */
export type Client = {
  // Declared as a property so that TypeScript compares the parameters strictly: a free scenario must not be able to
  // start runs.
  readonly run: (model: Runnable, options?: CallOptions) => Promise<Answer>;
  readonly submit: (model: Runnable, options?: CallOptions) => Promise<Answer>;
  /** Calls the status URL of a handle. Ends the scenario as `setup-failed` if the handle has no absolute URL. */
  status(handle: Answer, options?: CallOptions): Promise<Answer>;
  collect(handle: Answer, options?: CallOptions): Promise<Answer>;
  cancel(handle: Answer, options?: CallOptions): Promise<Answer>;
  /** Calls an operation on a queued request, below the path of a model. */
  onRequest(call: QueueCall, modelPath: string, requestId: string, options?: CallOptions): Promise<Answer>;
  /** Calls the URL at a JSON pointer in an earlier response; returns undefined if there is none. */
  follow(from: Answer, pointer: string, options?: CallOptions): Promise<Answer | undefined>;
  /** `query`: query string, including the question mark. */
  listModels(query?: string, options?: CallOptions): Promise<Answer>;
  model(model: ModelAddress, options?: CallOptions): Promise<Answer>;
  schema(model: ModelAddress, options?: CallOptions): Promise<Answer>;
  /** `jobId`: the id of a job, which is put into the path unchanged. */
  jobWorkflow(jobId: string, options?: CallOptions): Promise<Answer>;
  /** Sends any other request, however malformed. */
  send(request: ScenarioRequest, purpose?: CallPurpose): Promise<Answer>;
  /** Returns the response if it has one of the statuses; otherwise ends the scenario as `setup-failed`. */
  must(answer: Answer | Promise<Answer>, ...statuses: readonly number[]): Promise<Answer>;
  /** Makes a call after `ms`. Without `await`, it is sent in parallel with the following calls. */
  after<T>(ms: number, call: () => Promise<T>): Promise<T>;
  /** Polls the status of a request until it is COMPLETED or not a 200, for at most 20 seconds. */
  ended(handle: Answer, options?: EndOptions): Promise<Answer>;
  /** Like `ended`, but ends the scenario as `setup-failed` unless the last status is a 200. */
  completed(handle: Answer, options?: EndOptions): Promise<Answer>;
  repeat(call: () => Promise<Answer>, repetition: Repetition): Promise<Answer>;
  /** Returns undefined if the call has no time left or the budget does not allow it. */
  ifPossible<T>(call: () => Promise<T>): Promise<T | undefined>;
  /** Makes calls that must be rejected. After an accepted call, stops if the budget allows no further call. */
  sendRejectedCalls<T>(list: Iterable<T>, call: (one: T) => Promise<Answer>): Promise<readonly Answer[]>;
  /** Returns the string at a pointer in an earlier response; ends the scenario as `setup-failed` if there is none. */
  text(answer: Answer, pointer: string): string;
  /** Returns a new idempotency key that begins with the label. */
  newKey(label?: string): string;
  /** Advances the clock of the target. Needs the hook `clock`; such a scenario never runs in parallel with others. */
  pass(ms: number): Promise<void>;
  /** Scripts a failure for the next call of an operation. Needs the hook `script`; never runs in parallel. */
  script(failure: ScriptedFailure): Promise<void>;
  /** Returns the result of another scenario, which runs once for both. */
  shared<Responses>(other: Scenario<Responses>): Promise<Responses>;
};

export type ScenarioContext = Client & TargetContext;

type RejectedCall = (model: Runnable, options: CallOptions & { readonly rejected: true | string }) => Promise<Answer>;

/** Context of a scenario that must not start a run. Every call of `run` or `submit` must set `rejected`. */
export type FreeContext = Omit<ScenarioContext, 'run' | 'submit'> & {
  readonly run: RejectedCall;
  readonly submit: RejectedCall;
};
