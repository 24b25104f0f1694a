import { hostAssets } from '../assets/hosted-assets.ts';
import { sha256 } from '../digest.ts';
import { convertInput, convertOutput } from '../models/convert-for-alternate.ts';
import { labelRun, type Output, produceOutput } from '../models/produce-output.ts';
import type { ServedModel } from '../models/served-model.ts';
import { isOutcomeModel } from '../own-catalog.ts';
import { runOutcomeModel } from './outcome-model.ts';
import type {
  Ask,
  Attempt,
  ProviderChoice,
  ProviderContext,
  ProviderFacts,
  ProviderOutcome,
  ProviderResponse,
  Received,
  RunBody,
} from './provider-response.ts';

/** One attempt: who was asked, what was dropped in the conversion, what was received and responded. */
type Try = Ask & { dropped: readonly string[]; received: readonly Received[]; attempt: Attempt };
type ProviderCall = { model: ServedModel; body: RunBody; context: ProviderContext };

/** Pure and deterministic: the same model, body, choice and context give the same response, byte for byte. */
export function callProvider(
  model: ServedModel,
  body: RunBody,
  { choice, context }: { choice: ProviderChoice; context: ProviderContext },
): ProviderResponse {
  const call = { model, body, context };
  const original = tryProvider(call, choice, 0);
  if (!isProvidersFault(original.attempt)) return toResponse(call, original, [original]);
  return fallBack(call, original, choice.fallbacks);
}

/** Refusals of the request are never retried; nor is a lost or held call, whose work was accepted (MR-RUN-11, MR-RUN-12). */
function isProvidersFault({ outcome }: Attempt): boolean {
  return ['provider_error', 'uninterpretable', 'provider_timeout', 'internal_error', 'service_unavailable'].includes(
    outcome.kind,
  );
}

/** The first alternate that succeeds; when none does the original failure is returned as it was (MR-RUN-13). */
function fallBack(call: ProviderCall, original: Try, fallbacks: readonly ServedModel[]): ProviderResponse {
  const tries = [original];
  for (const by of fallbacks) {
    const manner = by.id === call.model.id ? 'native' : 'converted';
    const next = tryProvider(call, { by, manner }, sumDurations(tries));
    tries.push(next);
    if (next.attempt.outcome.kind === 'output') return toResponse(call, next, tries);
  }
  return toResponse(call, original, tries);
}

function sumDurations(tries: readonly Try[]): number {
  return tries.reduce((sum, { attempt }) => sum + attempt.durationMs, 0);
}

function tryProvider(call: ProviderCall, ask: Ask, elapsedMs: number): Try {
  const { by, manner } = ask;
  const { body, dropped } = forwardedBody(call, ask);
  const refusal = manner === 'converted' ? refuseForwarded(by, body) : undefined;
  const context = { ...call.context, startsAt: call.context.startsAt + elapsedMs };
  const usual = (): Attempt => askProvider(by, body, context);
  const attempt = refusal ?? context.attempt?.(by.id, body.input, usual) ?? usual();
  const digest = { bytes: body.bytes.length, sha256: sha256(body.bytes) };
  return { by, manner, dropped, received: [{ provider: by.provider, model: by.id, ...digest }], attempt };
}

/** Unchanged unless it is converted (MR-RUN-17, MR-RUN-18, MR-RUN-20). */
function forwardedBody({ body }: ProviderCall, { by, manner }: Ask): { body: RunBody; dropped: readonly string[] } {
  const document = manner === 'converted' ? by.document() : undefined;
  if (document === undefined) return { body, dropped: [] };
  const { input, dropped } = convertInput(body.input, document);
  return { body: { bytes: new TextEncoder().encode(JSON.stringify(input)), input }, dropped };
}

/** A converted input may lack what the alternate needs: then the alternate itself turns the request down. */
function refuseForwarded(by: ServedModel, { input }: RunBody): Attempt | undefined {
  const violations = by.checkInput()?.(input) ?? [];
  return violations.length === 0
    ? undefined
    : { durationMs: 0, upstreamStatus: 422, outcome: { kind: 'refused_request' } };
}

function toResponse(call: ProviderCall, served: Try, tries: readonly Try[]): ProviderResponse {
  const { attempt, by, dropped } = served;
  const { outcome, isRawOutput } = finish(call, served);
  const facts: ProviderFacts = {
    durationMs: sumDurations(tries),
    servedBy: by.provider,
    isFallback: served !== tries[0],
    dropped,
    received: tries.flatMap(({ received }) => received),
    isBilled: outcome.kind === 'result' || (outcome.kind === 'content_policy_violation' && by.billing === 'yes'),
    upstreamStatus: attempt.upstreamStatus,
    isRawOutput,
    deadline: attempt.deadline,
    intercepted: attempt.intercepted,
  };
  return { ...facts, ...outcome };
}

/** Above this a response is too long for an idempotency record; no number is documented. */
export const replayableBytes = 1024 * 1024;

function finish(call: ProviderCall, served: Try): { outcome: ProviderOutcome; isRawOutput: boolean } {
  const { outcome } = served.attempt;
  if (outcome.kind !== 'output') return { outcome, isRawOutput: false };
  const { content, mediaType } = outcome.output;
  const result = { kind: 'result' as const, mediaType, creditsUsed: outcome.creditsUsed };
  const replay = outcome.holdsProviderUrl ? 'unsafe-asset' : 'safe';
  const native = served.manner === 'converted' ? call.model.document() : undefined;
  if (content.kind === 'bytes') {
    const isRawOutput = native !== undefined && !native.outputs.some((output) => output.mediaType === mediaType);
    return { outcome: { ...result, ...sized(content.bytes, replay) }, isRawOutput };
  }
  const converted = native === undefined ? content.value : convertOutput(content.value, native);
  const bytes = new TextEncoder().encode(JSON.stringify(converted ?? content.value));
  return { outcome: { ...result, ...sized(bytes, replay) }, isRawOutput: converted === undefined };
}

function sized(bytes: RunBody['bytes'], replay: 'safe' | 'unsafe-asset') {
  return { bytes, replay: bytes.length > replayableBytes ? ('oversized' as const) : replay };
}

/** Asks one provider with the body as it was forwarded. */
function askProvider(model: ServedModel, body: RunBody, context: ProviderContext): Attempt {
  const document = model.document();
  if (document === undefined) return { durationMs: 0, outcome: { kind: 'internal_error' } };
  if (isOutcomeModel(model.id)) return runOutcomeModel(model, body, context);
  const run = { input: body.input, seed: context.seed };
  const output = withHostedAssets(
    produceOutput(model, document, run),
    { id: model.id, label: labelRun(model, run) },
    context,
  );
  return { durationMs: 0, upstreamStatus: 200, outcome: { kind: 'output', output, holdsProviderUrl: false } };
}

function withHostedAssets(output: Output, model: { id: string; label: string }, context: ProviderContext): Output {
  if (output.content.kind === 'bytes') return output;
  const hosting = {
    families: context.families,
    signing: { ...context, signedAt: context.startsAt },
  };
  return { ...output, content: { kind: 'json', value: hostAssets(output.content.value, model, hosting) } };
}
