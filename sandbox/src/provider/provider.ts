import { sha256 } from '../digest.ts';
import { convertInput, convertOutput } from '../models/convert-for-alternate.ts';
import type { ServedModel } from '../models/served-model.ts';
import { askProvider } from './ask-provider.ts';
import type { Attempt } from './attempt.ts';
import type {
  ProviderAnswer,
  ProviderChoice,
  ProviderContext,
  ProviderFacts,
  ProviderOutcome,
  Received,
  RunBody,
} from './provider-answer.ts';

export {
  nativeChoice,
  type ProviderAnswer,
  type ProviderChoice,
  type ProviderContext,
  type RunBody,
} from './provider-answer.ts';

type Manner = 'native' | 'converted' | 'strict';
type Target = { by: ServedModel; manner: Manner };
/** One attempt as it was made: what was forwarded, what was lost on the way, what came of it. */
type Try = Target & { dropped: readonly string[]; received: readonly Received[]; attempt: Attempt };
type Call = { model: ServedModel; body: RunBody; context: ProviderContext };

/** Pure and deterministic: the same model, body, choice and context give the same answer, byte for byte. */
export function callProvider(
  model: ServedModel,
  body: RunBody,
  { choice, context }: { choice: ProviderChoice; context: ProviderContext },
): ProviderAnswer {
  const call = { model, body, context };
  const { target } = choice;
  const first: Target =
    target.kind === 'native' ? { by: model, manner: 'native' } : { by: target.alternate, manner: target.kind };
  const original = tryTarget(call, first, 0);
  if (!isProvidersFault(original.attempt)) return toAnswer(call, original, [original]);
  return fallBack(call, original, choice.fallbacks);
}

/** Of the request's own failures none is retried; a lost or held call is none, for its work was accepted (MR-RUN-11, MR-RUN-12). */
function isProvidersFault({ outcome }: Attempt): boolean {
  return ['failed', 'uninterpretable', 'timed-out', 'router-failed'].includes(outcome.kind);
}

/** The first alternate that succeeds; when none does the original failure is returned as it was (MR-RUN-13). */
function fallBack(call: Call, original: Try, fallbacks: readonly ServedModel[]): ProviderAnswer {
  const tries = [original];
  for (const by of fallbacks) {
    const manner = by.id === call.model.id ? 'native' : 'converted';
    const next = tryTarget(call, { by, manner }, elapsedOf(tries));
    tries.push(next);
    if (next.attempt.outcome.kind === 'output') return toAnswer(call, next, tries);
  }
  return toAnswer(call, original, tries);
}

function elapsedOf(tries: readonly Try[]): number {
  return tries.reduce((sum, { attempt }) => sum + attempt.durationMs, 0);
}

function tryTarget(call: Call, target: Target, elapsedMs: number): Try {
  const { body, dropped } = forwardedBody(call, target);
  const { seed, origin, dispatchedAt, families } = call.context;
  const refusal = target.manner === 'converted' ? refusalOf(target.by, body) : undefined;
  const context = { seed, origin, startsAt: dispatchedAt + elapsedMs, families };
  const attempt = refusal ?? askProvider(target.by, body, context);
  const digest = { bytes: body.bytes.length, sha256: sha256(body.bytes) };
  return { ...target, dropped, received: [{ provider: target.by.provider, model: target.by.id, ...digest }], attempt };
}

/** Unchanged unless it is converted (MR-RUN-17, MR-RUN-18, MR-RUN-20). */
function forwardedBody({ body }: Call, { by, manner }: Target): { body: RunBody; dropped: readonly string[] } {
  const document = manner === 'converted' ? by.document() : undefined;
  if (document === undefined) return { body, dropped: [] };
  const { input, dropped } = convertInput(body.input, document);
  return { body: { bytes: new TextEncoder().encode(JSON.stringify(input)), input }, dropped };
}

/** A converted input may lack what the alternate needs: then the alternate itself turns the request down. */
function refusalOf(by: ServedModel, { input }: RunBody): Attempt | undefined {
  const violations = by.checkInput()?.(input) ?? [];
  return violations.length === 0
    ? undefined
    : { durationMs: 0, upstreamStatus: 422, outcome: { kind: 'refused-request' } };
}

function toAnswer(call: Call, served: Try, tries: readonly Try[]): ProviderAnswer {
  const { attempt, by, dropped } = served;
  const { outcome, isRawOutput } = finish(call, served);
  const { upstreamStatus, deadline, intercepted } = attempt;
  const facts: ProviderFacts = {
    durationMs: elapsedOf(tries),
    servedBy: by.provider,
    isFallback: served !== tries[0],
    dropped,
    received: tries.flatMap(({ received }) => received),
    isBilled: outcome.kind === 'result' || (outcome.kind === 'content-policy' && by.billing === 'yes'),
    ...(upstreamStatus === undefined ? {} : { upstreamStatus }),
    ...(isRawOutput ? { isRawOutput } : {}),
    ...(deadline === undefined ? {} : { deadline }),
    ...(intercepted === undefined ? {} : { intercepted }),
  };
  return { ...facts, ...outcome };
}

/** Above this a response is too long for an idempotency record; no number is documented. */
export const replayableBytes = 1024 * 1024;

function finish(call: Call, served: Try): { outcome: ProviderOutcome; isRawOutput: boolean } {
  const { outcome } = served.attempt;
  if (outcome.kind !== 'output') return { outcome, isRawOutput: false };
  const { content, mediaType } = outcome.output;
  const credits = outcome.creditsUsed === undefined ? {} : { creditsUsed: outcome.creditsUsed };
  const result = { kind: 'result' as const, mediaType, ...credits };
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
