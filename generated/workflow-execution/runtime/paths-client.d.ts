/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Client, FetchOptions } from 'openapi-fetch';
import type { OperationDescriptor } from './descriptor.js';
import { type UnexpectedBody } from './paths-answer.js';
export type PathsClientOptions = {
    /** Without `/v2` or `/api/v2`, which the paths include. */
    readonly baseUrl: string;
    /** Sent as `Authorization: Bearer`. */
    readonly token?: string;
    /** Replaces the platform's `fetch`. */
    readonly fetch?: (request: Request) => Promise<Response>;
};
/** Of an API that takes a key in a header of its own. */
export type ApiKeyOption = {
    /** Sent in that header; the service prefers it to a token. */
    readonly apiKey?: string;
};
/** What a package knows of its API. */
export type PathsApi = {
    readonly operations: {
        readonly [id: string]: OperationDescriptor;
    };
    /** Where the API takes an API key; without it a key is not sent. */
    readonly apiKeyHeader?: string;
};
type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace';
type PathsWith<Paths, Name extends Method> = {
    [Path in keyof Paths]: Paths[Path] extends {
        readonly [Key in Name]: object;
    } ? Path : never;
}[keyof Paths];
type OperationOf<Paths, Path extends keyof Paths, Name extends Method> = Paths[Path] extends {
    readonly [Key in Name]: infer Operation;
} ? Operation : never;
/** How a successful body is read in place of by its media type. */
type ParsedAs = {
    text: string;
    blob: Blob;
    arrayBuffer: ArrayBuffer;
    stream: ReadableStream<Uint8Array> | null;
};
type Parsing = keyof ParsedAs | 'json';
type CallOptions<Operation, As extends Parsing> = FetchOptions<Operation> & {
    /** Without it, or with `json`, the media type of the response decides. */
    readonly parseAs?: As;
};
type CallArguments<Options> = object extends Options ? [options?: Options] : [options: Options];
/** One method of a client; never throws for what a response holds. */
export type PathsMethod<Paths, Name extends Method> = <Path extends PathsWith<Paths, Name>, As extends Parsing = 'json'>(path: Path, ...options: CallArguments<CallOptions<OperationOf<Paths, Path, Name>, As>>) => Promise<PathsAnswer<OperationOf<Paths, Path, Name>, As>>;
/** A documented success as `data`. All else is an `error`: a documented one, or the body that came in its place. */
export type PathsAnswer<Operation, As extends Parsing = 'json'> = {
    readonly data: As extends keyof ParsedAs ? ParsedAs[As] : BodiesOf<Operation, true>;
    readonly error?: never;
    readonly response: Response;
} | {
    readonly data?: never;
    readonly error: BodiesOf<Operation, false> | UnexpectedBody;
    readonly response: Response;
};
type BodiesOf<Operation, IsSuccess extends boolean> = Operation extends {
    readonly responses: infer Responses;
} ? {
    [Status in keyof Responses]: (`${Status & (string | number)}` extends `2${string}` ? true : false) extends IsSuccess ? BodyOf<Responses[Status]> : never;
}[keyof Responses] : never;
type BodyOf<Answer> = Answer extends {
    readonly content: infer Content;
} ? DecodedBody<Content> : undefined;
type DecodedBody<Content> = {
    [Media in keyof Content]: Media extends `${string}json` ? Content[Media] : Media extends `text/${string}` ? string : Media extends `${string}*` ? unknown : Uint8Array;
}[keyof Content];
/** One typed method per HTTP method, over the paths of an API; each returns `{ data, error, response }`. */
export type PathsClient<Paths extends object> = {
    readonly [Name in Method as Uppercase<Name>]: PathsMethod<Paths, Name>;
} & Pick<Client<Paths>, 'use' | 'eject'>;
export declare function createPathsClient<Paths extends object>({ baseUrl, token, fetch, apiKey }: PathsClientOptions & ApiKeyOption, { operations, apiKeyHeader }: PathsApi): PathsClient<Paths>;
export {};
