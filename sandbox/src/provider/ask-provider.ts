import { ownAssetFamilies } from '../assets/asset-family.ts';
import { hostAssets } from '../assets/host-assets.ts';
import { signingOf } from '../assets/signed-url.ts';
import { labelOf, type Output, produceOutput } from '../models/produce-output.ts';
import type { ServedModel } from '../models/served-model.ts';
import type { Attempt, AttemptContext } from './attempt.ts';
import { isOutcomeModel, runOutcomeModel } from './outcome-model.ts';
import type { RunBody } from './provider-response.ts';

/** Asks one provider with the body as it was forwarded. */
export function askProvider(model: ServedModel, body: RunBody, context: AttemptContext): Attempt {
  const document = model.document();
  if (document === undefined) return { durationMs: 0, outcome: { kind: 'router-failed', errorType: 'internal_error' } };
  if (isOutcomeModel(model.id)) return runOutcomeModel(model, body, context);
  const run = { input: body.input, seed: context.seed };
  const output = withHostedAssets(
    produceOutput(model, document, run),
    { id: model.id, label: labelOf(model, run) },
    context,
  );
  return { durationMs: 0, upstreamStatus: 200, outcome: { kind: 'output', output, holdsProviderUrl: false } };
}

function withHostedAssets(output: Output, model: { id: string; label: string }, context: AttemptContext): Output {
  if (output.content.kind === 'bytes') return output;
  const hosting = { families: context.families ?? ownAssetFamilies, signing: signingOf(context, context.startsAt) };
  return { ...output, content: { kind: 'json', value: hostAssets(output.content.value, model, hosting) } };
}
