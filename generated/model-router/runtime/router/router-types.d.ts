/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import type { RouterOf } from './connection.js';
import type { As, ProviderOptions, RouterPart, RunOptions } from './options.js';
import type { ConvertedResult, RunResult } from './results.js';
/** Options of `run`. A named type keeps compiler errors short. */
export type NamedOptions<Given extends As, Provider, Fallback, Strict> = RunOptions<Given> & ProviderOptions<Provider, Fallback, Strict> & IfTrue<Strict, {
    readonly modelProvider: string;
}, unknown>;
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
/** A model, or its id if its subpath (or `all`) is imported. Pass `{ id }` for an id that is only known at run time. */
export type ModelOrImportedId<Models> = (keyof Models & string) | AnyModel | NothingImported;
/** Keeps the name `ModelOrImportedId` in compiler errors of programs that import no model. No value has this type. */
export type NothingImported = {
    readonly 'import the subpath of a model, or give { id }': never;
};
export declare const toModel: (target: string | AnyModel | NothingImported) => AnyModel;
export type OpenEnum<Name extends string> = Name | (string & {});
/** Names that editors suggest. Any other string is accepted. */
export type AlternateName<Models, Model> = NoInfer<OpenEnum<AlternatesOf<Models, Model>>>;
export type IfTrue<Flag, Yes, No> = Flag extends unknown ? (true extends Flag ? Yes : No) : never;
export type DataOf<Output, Given> = Given extends unknown ? 'stream' extends Given ? ReadableStream<Uint8Array> : Output : never;
/** Result of a run, at the default provider or at the one in the options. */
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
export type RouterClient<Models> = RouterOf<Models> & {
    /** Runs a model and waits for its output. */
    run<Model extends ModelOrImportedId<Models>, Given extends As = undefined, Provider extends OpenEnum<AlternatesOf<Models, Model>> | undefined = undefined, Fallback extends OpenEnum<AlternatesOf<Models, Model>> | undefined = undefined, Strict extends boolean | undefined = undefined>(model: Model, input: NoInfer<IfTrue<Strict, unknown, InputFor<Models, Model>>>, options?: NamedOptions<Given, Provider | AlternateName<Models, Model>, Fallback | AlternateName<Models, Model>, Strict>): Promise<ResultOf<OutputFor<Models, Model>, Given, Provider | Fallback, Strict>>;
    /** Adds middleware or observers for every attempt. The first middleware is the outermost. */
    use(...parts: readonly RouterPart[]): void;
};
