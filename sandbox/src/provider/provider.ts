import {
  flattenSchema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type SchemaWithDefinitions,
} from '../../../specs/src/index.ts';
import { hostAssets } from '../assets/hosted-assets.ts';
import { sha256 } from '../digest.ts';
import { labelRun, type ModelDocument, type Output, produceOutput, type ServedModel } from '../models/served-model.ts';
import { isOutcomeModel } from '../own-catalog.ts';
import { runOutcomeModel } from './outcome-model.ts';
import {
  type Attempt,
  outputAttempt,
  type ProviderChoice,
  type ProviderContext,
  type ProviderResponse,
  type ProviderSelection,
  type ReceivedRequest,
  type RunBody,
} from './provider-response.ts';

/** An attempt with its model, the fields that were dropped in the conversion, and the request that the provider received. */
type AttemptRecord = ProviderSelection & { dropped: readonly string[]; received: ReceivedRequest; attempt: Attempt };
type ProviderCall = { model: ServedModel; body: RunBody; context: ProviderContext };

/** Calls a provider, and then its fallbacks until one succeeds. The same arguments always give the same bytes. */
export function callProvider(
  model: ServedModel,
  body: RunBody,
  { choice, context }: { choice: ProviderChoice; context: ProviderContext },
): ProviderResponse {
  const call = { model, body, context };
  const original = tryProvider(call, choice, 0);
  const records = [original];
  for (const servingModel of failuresWithFallback.has(original.attempt.outcome.kind) ? choice.fallbacks : []) {
    const mode = servingModel.id === model.id ? 'native' : 'converted';
    const next = tryProvider(call, { servingModel, mode }, sumDurations(records));
    records.push(next);
    if (next.attempt.outcome.kind === 'output') return toResponse(call, next, records);
  }
  return toResponse(call, original, records); // If no alternate succeeds, return the original failure (MR-RUN-13).
}

/**
 * Failures after which fallbacks are tried. None is tried after a rejection, or if the provider may still be working (MR-RUN-11,
 * MR-RUN-12).
 */
const failuresWithFallback: ReadonlySet<string> = new Set([
  'provider_error',
  'uninterpretable',
  'provider_timeout',
  'internal_error',
  'service_unavailable',
]);

function sumDurations(records: readonly AttemptRecord[]): number {
  return records.reduce((sum, { attempt }) => sum + attempt.durationMs, 0);
}

function tryProvider(call: ProviderCall, { servingModel, mode }: ProviderSelection, elapsedMs: number): AttemptRecord {
  const { body, dropped, isInvalid } = forwardBody(call.body, servingModel, mode);
  const context = { ...call.context, startsAt: call.context.startsAt + elapsedMs };
  const usual = (): Attempt => askProvider(servingModel, body, context);
  const attempt = isInvalid ? rejectedRequest : (context.attempt?.(servingModel.id, body.input, usual) ?? usual());
  const digest = { bytes: body.bytes.length, sha256: sha256(body.bytes) };
  return {
    servingModel,
    mode,
    dropped,
    received: { provider: servingModel.provider, model: servingModel.id, ...digest },
    attempt,
  };
}

const rejectedRequest: Attempt = { durationMs: 0, upstreamStatus: 422, outcome: { kind: 'refused_request' } };

type ForwardedBody = { body: RunBody; dropped: readonly string[]; isInvalid: boolean };

/** Returns the body to forward: unchanged (MR-RUN-17, MR-RUN-18), or converted for the alternate (MR-RUN-20). */
function forwardBody(sent: RunBody, servingModel: ServedModel, mode: ProviderSelection['mode']): ForwardedBody {
  const document = mode === 'converted' ? servingModel.document() : undefined;
  if (document === undefined) return { body: sent, dropped: [], isInvalid: false };
  const { input, dropped } = convertInput(sent.input, document);
  // The converted input may lack fields that the alternate requires.
  const failures = document.input?.check(input) ?? [];
  const bytes = new TextEncoder().encode(JSON.stringify(input));
  return { body: { bytes, input }, dropped, isInvalid: failures.length > 0 };
}

/** Maximum size of a response that can be replayed, in bytes. The documents give no number. */
export const replayableBytes = 1024 * 1024;

function toResponse(call: ProviderCall, served: AttemptRecord, records: readonly AttemptRecord[]): ProviderResponse {
  const { attempt, servingModel, dropped, mode } = served;
  const { outcome, ...attemptFacts } = attempt;
  const facts = {
    ...attemptFacts,
    durationMs: sumDurations(records),
    servedBy: servingModel.provider,
    isFallback: served !== records[0],
    dropped,
    received: records.map(({ received }) => received),
  };
  if (outcome.kind !== 'output') {
    const isBilled = outcome.kind === 'content_policy_violation' && servingModel.billing === 'yes';
    return { ...facts, ...outcome, isBilled, isRawOutput: false };
  }
  // Converts the result of an alternate to an output of the called model, if possible.
  const { content, mediaType, creditsUsed, holdsProviderUrl } = outcome;
  const native = mode === 'converted' ? call.model.document() : undefined;
  let converted: Output['content'] | undefined = content;
  if (native !== undefined && !(content instanceof Uint8Array)) converted = convertOutput(content, native);
  else if (native?.outputs.some((output) => output.mediaType === mediaType) === false) converted = undefined;
  const sent = converted ?? content;
  const bytes = sent instanceof Uint8Array ? sent : new TextEncoder().encode(JSON.stringify(sent));
  const replay = bytes.length > replayableBytes ? 'oversized' : holdsProviderUrl === true ? 'unsafe-asset' : 'safe';
  const result = { kind: 'result', mediaType, creditsUsed, bytes, replay } as const;
  return { ...facts, ...result, isBilled: true, isRawOutput: converted === undefined };
}

function askProvider(model: ServedModel, body: RunBody, context: ProviderContext): Attempt {
  const document = model.document();
  if (document === undefined) return { durationMs: 0, outcome: { kind: 'internal_error' } };
  if (isOutcomeModel(model.id)) return runOutcomeModel(model, body, context);
  const run = { input: body.input, seed: context.seed };
  const output = produceOutput(model, document, run);
  if ('reason' in output) return { durationMs: 0, outcome: { kind: 'provider_error', message: output.reason } };
  const { mediaType, content } = output;
  if (content instanceof Uint8Array) return outputAttempt({ mediaType, content });
  const label = labelRun(model, run);
  const hosted = hostAssets(content, { id: model.id, label }, { ...context, signedAt: context.startsAt });
  return outputAttempt({ mediaType, content: hosted });
}

/**
 * Converts an input for an alternate: keeps the fields that the alternate also has, if it accepts their values. `dropped`: one
 * sentence for each other field (MR-HDR-08).
 */
export function convertInput(
  input: JsonObject,
  alternate: ModelDocument,
): { input: JsonObject; dropped: readonly string[] } {
  if (alternate.input === undefined) return { input, dropped: [] };
  const { properties } = flattenSchema(alternate.input.canonical);
  const refused = new Set(alternate.input.checkMembers(input).map(({ loc }) => loc[0]));
  const keptFields: [string, JsonValue][] = [];
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(input)) {
    if (properties?.has(name) !== true) dropped.push(`${name} was dropped: the alternate provider has no such field.`);
    else if (refused.has(name)) dropped.push(`${name} was dropped: the alternate provider does not accept this value.`);
    else keptFields.push([name, value]);
  }
  return { input: Object.fromEntries(keptFields), dropped };
}

/** Converts a result of an alternate to an output of the called model. Undefined if that is not possible (MR-RUN-24, MR-RUN-25). */
export function convertOutput(value: JsonValue, native: ModelDocument): JsonValue | undefined {
  const content = native.outputs.find(({ mediaType }) => /json|^\*\/\*$/i.test(mediaType));
  if (content === undefined) return undefined;
  if (content.accepts(value)) return value;
  const trimmed = withDescribedMembers(value, content.canonical);
  return content.accepts(trimmed) ? trimmed : undefined;
}

function withDescribedMembers(value: JsonValue, source: SchemaWithDefinitions): JsonValue {
  const { definitions } = source;
  const { items = {}, properties } = flattenSchema(source);
  if (Array.isArray(value)) return value.map((item) => withDescribedMembers(item, { schema: items, definitions }));
  if (!isJsonObject(value) || properties === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]): [string, JsonValue][] => {
      const schema = properties.get(name);
      return schema === undefined ? [] : [[name, withDescribedMembers(inner, { schema, definitions })]];
    }),
  );
}
