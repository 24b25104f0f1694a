import pMap from 'p-map';
import type { Brand } from '../../../specs/src/index.ts';
import { type ModelId, pathOf } from '../catalog/model-id.ts';
import type { Progress } from '../config.ts';
import { GeneratorError } from '../diagnostics.ts';
import { type Digest, digestOf } from '../digest.ts';
import type { Spool } from '../ports.ts';
import type { Source, SourceAnswer } from '../source/source.ts';
import { sourceError } from '../source/source-error.ts';
import { type Gathered, type GatheredModel, gather, type StandingOf, withoutBytes } from './gathered.ts';
import type { SchemaCache } from './schema-cache.ts';

/** A model as a lockfile has it. */
export type Pinned = { readonly id: ModelId; readonly entityTag: string | undefined; readonly digest: Digest };
type Context = {
  /** Undefined when nobody may be asked. */
  source: Source | undefined;
  cache: SchemaCache;
  spool: Spool;
  standingOf: StandingOf;
  brand: Brand;
  concurrency: number;
  onProgress: Progress;
};
type Tally = { asked: number; notModified: number; fetched: number };
type Miss = { readonly id: ModelId; readonly because: string };

const namedAtMost = 5;
const operation = 'readSchemaDocument';

/** Exactly the documents that the lockfile names, from the cache or the source. Throws when one of them cannot be had. */
export async function readLockedSchemas(pins: readonly Pinned[], context: Context): Promise<Gathered> {
  const tally: Tally = { asked: 0, notModified: 0, fetched: 0 };
  let done = 0;
  const results = await pMap(
    pins,
    async (pin): Promise<GatheredModel | Miss> => {
      const result = await readPinned(pin, context, tally);
      context.onProgress({ phase: 'schemas', done: ++done, total: pins.length, model: pin.id });
      return result;
    },
    { concurrency: context.concurrency },
  );
  const misses = results.flatMap((result) => ('because' in result ? [result] : []));
  if (misses.length > 0) throw unavailable(misses, context.source === undefined);
  const models = pins.map(({ id }) => id);
  return gather(
    models,
    results.flatMap((result) => ('because' in result ? [] : [result])),
    tally,
  );
}

async function readPinned(pin: Pinned, context: Context, tally: Tally): Promise<GatheredModel | Miss> {
  const { id, entityTag, digest } = pin;
  const done = withoutBytes(id, pin, context.standingOf);
  if (done !== undefined) return done;
  const cached = await context.cache.load(digest);
  const { spool } = context;
  if (cached !== undefined)
    return { snapshot: { modelId: id, entityTag, digest, read: spool.keep(cached), origin: 'offline' } };
  if (context.source === undefined) return { id, because: 'the cache does not hold the document' };
  tally.asked++;
  const answer = await context.source.get(`/v2/models/${pathOf(id)}/openapi.json`);
  if (isRefusal(answer))
    throw sourceError(answer, { operation, model: id, ...context, baseUrl: context.source.baseUrl });
  if (answer.kind !== 'answer' || answer.status !== 200) return { id, because: describe(answer) };
  tally.fetched++;
  const found = digestOf(answer.bytes);
  if (found !== digest) return { id, because: `the source has ${short(found)}, the lockfile ${short(digest)}` };
  return { snapshot: { modelId: id, entityTag, digest, read: spool.keep(answer.bytes), origin: 'fetched' } };
}

// What is true of one document is true of all of them then.
function isRefusal(answer: SourceAnswer): boolean {
  return answer.kind === 'answer'
    ? answer.status === 401 || answer.status === 403
    : answer.kind === 'no-answer' && answer.because === 'refused';
}

function describe(answer: SourceAnswer): string {
  if (answer.kind === 'redirect-refused') return `the source redirects to ${answer.origin}`;
  if (answer.kind === 'no-answer') return `the source did not answer (${answer.detail})`;
  return `the source answered with status ${answer.status}`;
}

function short(digest: Digest): string {
  return digest.slice(0, 'sha256:'.length + 12);
}

function unavailable(misses: readonly Miss[], isOffline: boolean): GeneratorError {
  const named = misses.slice(0, namedAtMost).map(({ id, because }) => `${id}: ${because}`);
  const more = misses.length > namedAtMost ? `; and ${misses.length - namedAtMost} more` : '';
  const [only] = misses;
  return new GeneratorError(
    'lock-unavailable',
    `${misses.length} of the locked documents cannot be had (${named.join('; ')}${more})`,
    {
      operation,
      ...(misses.length === 1 && only !== undefined ? { model: only.id } : {}),
      help: isOffline
        ? 'Run without --offline, or restore the cache that belongs to this lockfile.'
        : 'The documents have changed since the lockfile was written. Run without --frozen to take them over.',
    },
  );
}
