/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { CallOptions } from '../http/call.js';
import type { Settled as SettledAs } from '../http/settled.js';
import type { CatalogModel, CatalogPage, SchemaAnswer } from './catalog.js';
import type { PendingCall, StoredCall } from './key-store.js';
import type { As, ModelRouterOptions, OutputOptions, PollOptions, ProviderOptions, ResumeOptions, RouterPart, RunOptions, SubmitOptions, SubscribeOptions } from './options.js';
import type { Cancellation, QueuedAddresses, QueueState } from './response-facts.js';
import type { ConvertedResult, RunResult } from './results.js';
import type { RouterError } from './router-error.js';
/** The options of `run`, with a name of their own so that errors show that and not the parts. */
export type NamedOptions<Given extends As, Provider, Fallback, Strict> = RunOptions<Given> & ProviderOptions<Provider, Fallback, Strict> & IfTrue<Strict, {
    readonly modelProvider: string;
}, unknown>;
export type CatalogOptions = CallOptions & {
    /** The size of a page. */
    readonly limit?: number | undefined;
};
/** A call that `pending` lists, or its key. */
export type CallReference = PendingCall | StoredCall | {
    readonly idempotencyKey: string;
};
/** The part of a model's facts that a call needs. */
export type AnyModel = {
    readonly id: string;
    readonly chargesOnPolicyRejection?: string;
    readonly inputAuthored?: boolean;
    readonly outputMediaTypes?: readonly string[];
    readonly types?: {
        readonly input: unknown;
        readonly output: unknown;
        readonly alternates?: string;
    };
};
/** A model's facts, or its id once its subpath (or `all`) is imported. For an id that is known at run time only, give `{ id }`. */
export type ModelOrImportedId<Models> = (keyof Models & string) | AnyModel | NothingImported;
/** Keeps the name of `ModelOrImportedId` in errors of programs that import no model. Nothing is of this type. */
export type NothingImported = {
    readonly 'import the subpath of a model, or give { id }': never;
};
export type Open<Name extends string> = Name | (string & {});
/** Offered by editors. The caller's own value is inferred. */
export type Named<Models, Model> = NoInfer<Open<AlternatesOf<Models, Model>>>;
export type IfTrue<Flag, Yes, No> = Flag extends unknown ? (true extends Flag ? Yes : No) : never;
export type DataOf<Output, Given> = Given extends unknown ? 'stream' extends Given ? ReadableStream<Uint8Array> : Output : never;
/** The result of a run at the model's own provider, or at one that the options name. */
export type ResultOf<Output, Given, Providers, Strict> = IfTrue<Strict, RunResult<DataOf<unknown, Given>>, [
    Providers
] extends [undefined] ? RunResult<DataOf<Output, Given>> : ConvertedResult<DataOf<Output, Given>, DataOf<unknown, Given>>>;
export type TypesOf<Models, Model> = Model extends AnyModel ? 'types' extends keyof Model ? NonNullable<Model['types']> : {
    readonly input: unknown;
    readonly output: unknown;
} : Model extends keyof Models ? Models[Model] : never;
export type InputFor<Models, Model> = TypesOf<Models, Model> extends {
    readonly input: infer Input;
} ? Input : never;
export type OutputFor<Models, Model> = TypesOf<Models, Model> extends {
    readonly output: infer Output;
} ? Output : never;
export type AlternatesOf<Models, Model> = TypesOf<Models, Model> extends {
    readonly alternates: infer Names extends string;
} ? Names : never;
export type Settled<Result> = SettledAs<Result, RouterError>;
/** The result of a method; the methods under `safe` never reject. */
export type Outcome<Result, IsSafe extends boolean> = IsSafe extends true ? Settled<Result> : Result;
export type QueuedMethods<Output, IsSafe extends boolean> = {
    status(options?: CallOptions): Promise<Outcome<QueueState, IsSafe>>;
    /** Waits for the output. A request that ended without one is an error. */
    result<Given extends As = undefined>(options?: PollOptions & OutputOptions<Given>): Promise<Outcome<RunResult<DataOf<Output, Given>>, IsSafe>>;
    cancel(options?: CallOptions): Promise<Outcome<Cancellation, IsSafe>>;
};
/** A request of the queue that was admitted. */
export type QueuedRequest<Output> = AsyncIterable<QueueState> & QueuedMethods<Output, false> & {
    readonly requestId: string;
    readonly addresses: QueuedAddresses;
    readonly idempotencyKey?: string;
    /** True when the submission had been admitted before under the same key. */
    readonly replayed: boolean;
    /** Every state that is read, until the request is no longer pending. */
    states(options?: PollOptions): AsyncIterable<QueueState>;
    /** The same methods; each resolves to `{ ok: true, … }` or `{ ok: false, error }`. */
    readonly safe: QueuedMethods<Output, true>;
};
export type RouterMethods<Models, IsSafe extends boolean> = {
    /** Runs a model and waits for its output. */
    run<Model extends ModelOrImportedId<Models>, Given extends As = undefined, Provider extends Open<AlternatesOf<Models, Model>> | undefined = undefined, Fallback extends Open<AlternatesOf<Models, Model>> | undefined = undefined, Strict extends boolean | undefined = undefined>(model: Model, input: NoInfer<IfTrue<Strict, unknown, InputFor<Models, Model>>>, options?: NamedOptions<Given, Provider | Named<Models, Model>, Fallback | Named<Models, Model>, Strict>): Promise<Outcome<ResultOf<OutputFor<Models, Model>, Given, Provider | Fallback, Strict>, IsSafe>>;
    /** Puts a run into the queue and returns at once. */
    submit<Model extends ModelOrImportedId<Models>>(model: Model, input: InputFor<Models, Model>, options?: SubmitOptions): Promise<Outcome<QueuedRequest<OutputFor<Models, Model>>, IsSafe>>;
    /** Submits, follows the status, and collects the output. */
    subscribe<Model extends ModelOrImportedId<Models>, Given extends As = undefined>(model: Model, input: InputFor<Models, Model>, options?: SubscribeOptions<Given>): Promise<Outcome<RunResult<DataOf<OutputFor<Models, Model>, Given>>, IsSafe>>;
    /** One page of the catalog; `cursor` is the `nextCursor` of the page before. */
    modelsPage(options?: CatalogOptions & {
        readonly cursor?: string | undefined;
    }): Promise<Outcome<CatalogPage, IsSafe>>;
    model(id: string, options?: CallOptions): Promise<Outcome<CatalogModel, IsSafe>>;
    /** The schema document of a model; with `etag`, only if it changed. */
    schema(id: string, options?: CallOptions & {
        readonly etag?: string | undefined;
    }): Promise<Outcome<SchemaAnswer, IsSafe>>;
    /**
     * Goes on with a call of `pending`: sends it again with its key, or collects its queued result. With its `model` the output has
     * the type of that model.
     */
    resume<Model extends ModelOrImportedId<Models> | undefined = undefined>(call: CallReference, options?: ResumeOptions & {
        readonly model?: Model;
    }): Promise<Outcome<ConvertedResult<Model extends undefined ? unknown : OutputFor<Models, Model>>, IsSafe>>;
};
export type ModelRouter<Models> = RouterMethods<Models, false> & {
    /** A request that was submitted elsewhere: by the addresses of its handle, or by its id where nothing else was kept. */
    queued<Model extends ModelOrImportedId<Models>>(model: Model, request: QueuedAddresses | string): QueuedRequest<OutputFor<Models, Model>>;
    /** The whole catalog, read page by page. */
    models(options?: CatalogOptions): AsyncIterable<CatalogModel>;
    /**
     * Adds a middleware or observers, which see every attempt. The first one that was added is the outermost.
     */
    use(...parts: readonly RouterPart[]): void;
    /** Billed calls of the key store without a known outcome that this program does not work on. `isHeld`: another program may. */
    pending(): Promise<readonly PendingCall[]>;
    /** Removes a call by its key, and a damaged one by its name. What it has started may be billed, and cannot be collected. */
    forget(idempotencyKey: string): Promise<void>;
};
/** The methods of a router, with their errors as values. A list is a member of its result. */
export type SafeRouter<Models> = RouterMethods<Models, true> & {
    queued<Model extends ModelOrImportedId<Models>>(model: Model, request: QueuedAddresses | string): Promise<Settled<QueuedRequest<OutputFor<Models, Model>>>>;
    /** The whole catalog; one page that cannot be read is an error of the listing. */
    models(options?: CatalogOptions): Promise<Settled<{
        readonly models: readonly CatalogModel[];
    }>>;
    pending(): Promise<Settled<{
        readonly calls: readonly PendingCall[];
    }>>;
    forget(idempotencyKey: string): Promise<Settled<object>>;
};
export type RouterClient<Models> = ModelRouter<Models> & {
    /**
     * A client with some options changed. It shares the key store, the limits and the middleware of this one, and its credential unless you
     * give another: `credentialScope` is not taken over then.
     */
    withOptions(options: ModelRouterOptions): RouterClient<Models>;
    /** The same methods; each resolves to `{ ok: true, … }` or `{ ok: false, error }`. */
    readonly safe: SafeRouter<Models>;
};
