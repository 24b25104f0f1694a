import type { KeyOptions } from './billed-call.ts';
import type { CatalogModel, SchemaAnswer } from './catalog.ts';
import type { StoredCall } from './key-store.ts';
import type { PendingCall } from './keys.ts';
import type { Cancellation, QueueState } from './queue.ts';
import type { ConvertedResult, RunResult } from './results.ts';
import type { QueuedAddresses, RouterError } from './router-error.ts';
import type { SettleOptions } from './settling.ts';

export type CallOptions = {
  /** Ends waiting and repeating. Work that was accepted may go on and may be billed. */
  readonly signal?: AbortSignal;
  /** For the whole call with all its waits, in milliseconds. */
  readonly deadlineMs?: number;
  /** As in the options of the client, for this call. */
  readonly maxWaitMs?: number;
};
export type RunOptions = CallOptions &
  KeyOptions &
  SettleOptions & {
    /** Leaves the output unread: `data` is a stream of bytes, and a break in it is the caller's to handle. */
    readonly as?: 'stream';
  };
/** A run at the model's own provider. */
export type PlainOptions = RunOptions & {
  readonly modelProvider?: never;
  readonly fallbackProvider?: never;
  readonly strictMode?: never;
};
/** Another provider of the same model. `Alternates` are the documented ones; others may exist. */
export type ConvertingOptions<Alternates extends string> = RunOptions &
  ({ readonly modelProvider: Open<Alternates> } | { readonly fallbackProvider: Open<Alternates> }) & {
    readonly modelProvider?: Open<Alternates>;
    readonly fallbackProvider?: Open<Alternates>;
    readonly strictMode?: false;
  };
/** The input is sent, and the output returned, in the alternate provider's own shape. */
export type StrictOptions<Alternates extends string> = RunOptions & {
  readonly modelProvider: Open<Alternates>;
  readonly strictMode: true;
  readonly fallbackProvider?: Open<Alternates>;
};
type Open<Known extends string> = Known | (string & {});

export type PollOptions = CallOptions & {
  /** The shortest time between two questions, in milliseconds; a longer `Retry-After` decides. Grows from half a second by default. */
  readonly pollEvery?: number;
};
/** What `pending` lists, or the key alone. */
export type CallReference = PendingCall | StoredCall | { readonly key: string };
export type ResumeOptions = PollOptions & SettleOptions;
export type SubscribeOptions = PollOptions &
  KeyOptions &
  SettleOptions & {
    readonly onStatus?: (state: QueueState) => void;
    /** Asks the service to cancel the request when the signal is aborted or the deadline passes. */
    readonly cancelOnAbort?: boolean;
    readonly as?: 'stream';
  };

/** The part of a model's facts that a call needs. */
export type AnyModel = {
  readonly id: string;
  readonly chargesOnPolicyRejection?: string;
  readonly inputAuthored?: boolean;
  readonly outputMediaTypes?: readonly string[];
  readonly types?: { readonly input: unknown; readonly output: unknown; readonly alternates?: string };
};
/** A model's facts, or its id once its subpath (or `all`) is imported. */
export type Target<Models> = (keyof Models & string) | AnyModel;
type TypesOf<Models, Of> = Of extends AnyModel
  ? NonNullable<Of['types']>
  : Of extends keyof Models
    ? Models[Of]
    : never;
export type InputOf<Models, Of> = TypesOf<Models, Of> extends { readonly input: infer Input } ? Input : never;
export type OutputOf<Models, Of> = TypesOf<Models, Of> extends { readonly output: infer Output } ? Output : never;
export type AlternatesOf<Models, Of> =
  TypesOf<Models, Of> extends { readonly alternates: infer Names extends string } ? Names : never;

/** An outcome as a value: the members of the result, or the error. */
export type Settled<Result> = ({ readonly ok: true } & Result) | { readonly ok: false; readonly error: RouterError };
/** What a method resolves to; the methods under `safe` never reject. */
type Outcome<Result, IsSafe extends boolean> = IsSafe extends true ? Settled<Result> : Result;

type QueuedMethods<Output, IsSafe extends boolean> = {
  status(options?: CallOptions): Promise<Outcome<QueueState, IsSafe>>;
  /** Waits for the output. A request that ended without one is an error. */
  result(
    options?: PollOptions & SettleOptions & { readonly as?: 'stream' },
  ): Promise<Outcome<RunResult<Output>, IsSafe>>;
  cancel(options?: CallOptions): Promise<Outcome<Cancellation, IsSafe>>;
};
/** A request of the queue that was admitted. */
export type QueuedRequest<Output> = AsyncIterable<QueueState> &
  QueuedMethods<Output, false> & {
    readonly requestId: string;
    readonly addresses: QueuedAddresses;
    readonly key?: string;
    /** True when the submission had been admitted before under the same key. */
    readonly replayed: boolean;
    /** Every state that is read, until the request is no longer pending. */
    states(options?: PollOptions): AsyncIterable<QueueState>;
    /** The same methods; each resolves to `{ ok: true, … }` or `{ ok: false, error }`. */
    readonly safe: QueuedMethods<Output, true>;
  };

type RouterMethods<Models, IsSafe extends boolean> = {
  /** Runs a model and waits for its output. */
  run<Of extends Target<Models>>(
    model: Of,
    input: InputOf<Models, Of>,
    options?: PlainOptions,
  ): Promise<Outcome<RunResult<OutputOf<Models, Of>>, IsSafe>>;
  run<Of extends Target<Models>>(
    model: Of,
    input: InputOf<Models, Of>,
    options: ConvertingOptions<AlternatesOf<Models, Of>>,
  ): Promise<Outcome<ConvertedResult<OutputOf<Models, Of>>, IsSafe>>;
  run<Of extends Target<Models>>(
    model: Of,
    input: unknown,
    options: StrictOptions<AlternatesOf<Models, Of>>,
  ): Promise<Outcome<RunResult<unknown>, IsSafe>>;
  /** Puts a run into the queue and returns at once. */
  submit<Of extends Target<Models>>(
    model: Of,
    input: InputOf<Models, Of>,
    options?: CallOptions & KeyOptions,
  ): Promise<Outcome<QueuedRequest<OutputOf<Models, Of>>, IsSafe>>;
  /** Submits, follows the status, and collects the output. */
  subscribe<Of extends Target<Models>>(
    model: Of,
    input: InputOf<Models, Of>,
    options?: SubscribeOptions,
  ): Promise<Outcome<RunResult<OutputOf<Models, Of>>, IsSafe>>;
  model(id: string, options?: CallOptions): Promise<Outcome<CatalogModel, IsSafe>>;
  /** The schema document of a model; with `etag`, only if it changed. */
  schema(id: string, options?: CallOptions & { readonly etag?: string }): Promise<Outcome<SchemaAnswer, IsSafe>>;
  /**
   * Goes on with a call of `pending`: sends it again with its key, or collects its queued result. With its `model` the output has
   * the type of that model.
   */
  resume<Of extends Target<Models>>(
    call: CallReference,
    options: ResumeOptions & { readonly model: Of },
  ): Promise<Outcome<ConvertedResult<OutputOf<Models, Of>>, IsSafe>>;
  resume(call: CallReference, options?: ResumeOptions): Promise<Outcome<ConvertedResult<unknown>, IsSafe>>;
};
type UntypedMethods<IsSafe extends boolean> = {
  run(
    id: string,
    input: unknown,
    options?: RunOptions & UntypedQuery,
  ): Promise<Outcome<ConvertedResult<unknown>, IsSafe>>;
  submit(
    id: string,
    input: unknown,
    options?: CallOptions & KeyOptions,
  ): Promise<Outcome<QueuedRequest<unknown>, IsSafe>>;
  subscribe(id: string, input: unknown, options?: SubscribeOptions): Promise<Outcome<RunResult<unknown>, IsSafe>>;
};
export type UntypedQuery = {
  readonly modelProvider?: string;
  readonly fallbackProvider?: string;
  readonly strictMode?: boolean;
};

export type ModelRouter<Models> = RouterMethods<Models, false> & {
  /** A request that was submitted elsewhere: by the addresses of its handle, or by its id where nothing else was kept. */
  queued<Of extends Target<Models>>(model: Of, request: QueuedAddresses | string): QueuedRequest<OutputOf<Models, Of>>;
  /** The catalog, page by page; `limit` is the size of a page. */
  models(options?: CallOptions & { readonly limit?: number }): AsyncIterable<CatalogModel>;
  /** Billed calls that nobody has the result of, as far as the key store knows: those that no living program works on. */
  pending(): Promise<readonly PendingCall[]>;
  /** Removes a call of `pending` by its key, and a damaged one by its name. What it has started may be billed, and cannot be collected. */
  forget(key: string): Promise<void>;
};
/** For ids that are known only at run time. */
export type UntypedRouter = UntypedMethods<false>;
/** The methods of a router, with their errors as values. What is a list has a name in its result. */
export type SafeRouter<Models> = RouterMethods<Models, true> & {
  queued<Of extends Target<Models>>(
    model: Of,
    request: QueuedAddresses | string,
  ): Promise<Settled<QueuedRequest<OutputOf<Models, Of>>>>;
  /** The whole catalog; one page that cannot be read is an error of the listing. */
  models(
    options?: CallOptions & { readonly limit?: number },
  ): Promise<Settled<{ readonly models: readonly CatalogModel[] }>>;
  pending(): Promise<Settled<{ readonly calls: readonly PendingCall[] }>>;
  forget(key: string): Promise<Settled<object>>;
  readonly untyped: UntypedMethods<true>;
};

export type RouterClient<Models> = ModelRouter<Models> & {
  readonly untyped: UntypedRouter;
  /** The same methods; each resolves to `{ ok: true, … }` or `{ ok: false, error }`. */
  readonly safe: SafeRouter<Models>;
};
