import type { Reply } from '../http/messages.ts';
import type { ModelDocument, ServedModel } from '../models/served-model.ts';
import type { ProviderChoice } from '../provider/provider-response.ts';
import type { World } from '../state/world.ts';
import { invalidInput } from './errors.ts';

type Asked = { query: URLSearchParams; model: ServedModel; document: ModelDocument };

/** The query of a run: allowed providers are the model's own and the alternates its document names (OP-004, OP-005). */
export function chooseProvider(asked: Asked, world: World): ProviderChoice | Reply {
  const { query, model } = asked;
  const strict = query.get('strict_mode') ?? 'false';
  if (strict !== 'true' && strict !== 'false') return invalidInput('strict_mode must be true or false.');
  const providers = listProviders(asked, world);
  const provider = query.get('model_provider') ?? model.provider;
  const by = providers.get(provider);
  if (by === undefined) return unknownProvider('model_provider');
  const wanted = query.get('fallback_provider');
  const named = wanted === 'auto' ? [...providers.values()] : wanted === null ? [] : [providers.get(wanted)];
  const known = named.filter((one) => one !== undefined);
  if (known.length < named.length) return unknownProvider('fallback_provider');
  const fallbacks = known.filter(({ id }) => id !== by.id);
  if (provider === model.provider) return { by, manner: 'native', fallbacks };
  // A fallback needs conversion, which strict mode forbids (OP-249); without model_provider strict mode has no effect (OP-234).
  return strict === 'true' ? { by, manner: 'strict', fallbacks: [] } : { by, manner: 'converted', fallbacks };
}

/** By slug, the model's own first; an alternate that is missing from the catalog, or broken there, is left out. */
function listProviders({ model, document }: Asked, { catalog }: World): ReadonlyMap<string, ServedModel> {
  const alternates = document.alternates.flatMap(({ provider, modelId }): [string, ServedModel][] => {
    const alternate = catalog.byId.get(modelId);
    return alternate?.document() === undefined ? [] : [[provider, alternate]];
  });
  return new Map([[model.provider, model], ...alternates.filter(([provider]) => provider !== model.provider)]);
}

function unknownProvider(parameter: string): Reply {
  return invalidInput(`${parameter} names no registered provider of this model.`);
}
