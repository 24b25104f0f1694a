import { type Answer, go, type Step, stop } from '../answer.ts';
import type { Context } from '../context.ts';
import type { ModelDocument } from '../models/model-document.ts';
import type { ServedModel } from '../models/served-model.ts';
import { invalidInput } from './refusals.ts';

/** Who serves a run, and in whose contract the caller speaks. */
export type ProviderChoice =
  | { kind: 'native' }
  | { kind: 'converted' | 'strict'; alternate: ServedModel; document: ModelDocument };

/** The query of a run: allowed providers are the model's own and the alternates its document names (NS-04, NS-05). */
export function chooseProvider(
  { query, model, document }: { query: URLSearchParams; model: ServedModel; document: ModelDocument },
  context: Context,
): Step<ProviderChoice> {
  const strict = query.get('strict_mode') ?? 'false';
  if (strict !== 'true' && strict !== 'false') return stop(invalidInput('strict_mode must be true or false.'));
  const fallback = query.get('fallback_provider');
  const isRegistered = (provider: string): boolean =>
    provider === model.provider || document.alternates.some((alternate) => alternate.provider === provider);
  // No first attempt fails here for a cause of the provider's, so a fallback is checked and never taken.
  if (fallback !== null && fallback !== 'auto' && !isRegistered(fallback)) {
    return stop(unknownProvider('fallback_provider'));
  }
  const provider = query.get('model_provider');
  if (provider === null || provider === model.provider) return go({ kind: 'native' });
  const id = document.alternates.find((alternate) => alternate.provider === provider)?.modelId;
  const alternate = id === undefined ? undefined : context.world.catalog.byId.get(id);
  const alternateDocument = alternate?.document();
  if (alternate === undefined || alternateDocument === undefined) return stop(unknownProvider('model_provider'));
  return go({ kind: strict === 'true' ? 'strict' : 'converted', alternate, document: alternateDocument });
}

function unknownProvider(parameter: string): Answer {
  return invalidInput(`${parameter} names no registered provider of this model.`);
}
