import type { OperationDescriptor } from './descriptor.ts';
import { isMediaType, joinChunks, readBytes, readMediaType } from './http/read-body.ts';

/** A body that the API does not document for its status, such as a page of a proxy. Status and headers are in `response`. */
export type UnexpectedBody = {
  /**
   * `undocumented`: of another media type. `malformed`: said to be JSON, and is not. `truncated`: the connection broke before the end,
   * or the body is longer than 256 MiB.
   * `empty`: nothing where a body was due.
   */
  readonly unexpected: 'undocumented' | 'malformed' | 'truncated' | 'empty';
  /** In lower case and without parameters; empty without the header. */
  readonly mediaType: string;
  /** The body as UTF-8, as far as it came. */
  readonly text: string;
  readonly cause?: unknown;
};
/** After decompression; more of a body is not read, and nothing is kept of it. */
const mostBytes = 256 * 1024 * 1024;
type Answer = { readonly response: Response } & ({ readonly data: unknown } | { readonly error: unknown });

/**
 * The outcome of a response: `data` for a documented success, `error` for all else, a body that breaks off included. Rejects only
 * where the caller gave up.
 */
export async function readAnswer(
  response: Response,
  { operation, signal }: { operation: OperationDescriptor | undefined; signal: AbortSignal },
): Promise<Answer> {
  const chunks: Uint8Array[] = [];
  let bytes: Uint8Array | undefined;
  let broken: { cause: unknown } | undefined;
  try {
    bytes = await readBytes(response, mostBytes, chunks);
    if (bytes === undefined) broken = { cause: new Error(`the body is longer than ${mostBytes} bytes`) };
  } catch (cause) {
    signal.throwIfAborted();
    broken = { cause };
    bytes = joinChunks(chunks);
  }
  const text = (): string => new TextDecoder().decode(bytes);
  const documented = documentedTypes(operation, response.status);
  const given = readMediaType(response.headers);
  const unexpected = (why: UnexpectedBody['unexpected'], cause?: unknown): Answer => {
    const body = { unexpected: why, mediaType: given, text: text() };
    return { error: cause === undefined ? body : { ...body, cause }, response };
  };
  const expected = (body: unknown): Answer => (response.ok ? { data: body, response } : { error: body, response });

  if (broken !== undefined) return unexpected('truncated', broken.cause);
  if (bytes === undefined || bytes.length === 0)
    return documented?.length === 0 ? expected(undefined) : unexpected('empty');
  // A body without a media type is taken for what is documented.
  const mediaType = given === '' ? (documented?.[0] ?? '') : given;
  if (documented === undefined || !isMediaType(mediaType, documented)) return unexpected('undocumented');
  if (mediaType.endsWith('json')) {
    try {
      return expected(JSON.parse(text()));
    } catch (cause) {
      return unexpected('malformed', cause);
    }
  }
  return expected(mediaType.startsWith('text/') ? text() : bytes);
}

/** As the API documents them for a status; undefined for a status that it does not document. */
function documentedTypes(operation: OperationDescriptor | undefined, status: number): readonly string[] | undefined {
  const responses = operation?.responses ?? {};
  return responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses['default'];
}
