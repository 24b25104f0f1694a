import { isReply, type Reply } from '../http/messages.ts';
import type { ModelDocument, ServedModel } from '../models/served-model.ts';
import type { Ask, ProviderChoice } from '../provider/provider-response.ts';
import type { World } from '../state/world.ts';
import { invalidInput } from './errors.ts';

type Asked = { query: URLSearchParams; model: ServedModel; document: ModelDocument };

/** The query of a run: allowed providers are the model's own and the alternates its document names (NS-04, NS-05). */
export function chooseProvider(asked: Asked, world: World): ProviderChoice | Reply {
  const strict = asked.query.get('strict_mode') ?? 'false';
  if (strict !== 'true' && strict !== 'false') return invalidInput('strict_mode must be true or false.');
  const providers = listProviders(asked, world);
  const first = chooseFirst(asked, { providers, isStrict: strict === 'true' });
  if (isReply(first)) return first;
  const fallbacks = chooseFallbacks(asked.query.get('fallback_provider'), providers, first.by);
  if (isReply(fallbacks)) return fallbacks;
  // A fallback needs conversion, which strict mode forbids (C-49); without model_provider strict mode means nothing (C-34).
  return { ...first, fallbacks: first.manner === 'strict' ? [] : fallbacks };
}

type Providers = ReadonlyMap<string, ServedModel>;

/** By slug, the model's own first; an alternate that is missing from the catalog, or broken there, is left out. */
function listProviders({ model, document }: Asked, { catalog }: World): Providers {
  const alternates = document.alternates.flatMap(({ provider, modelId }): [string, ServedModel][] => {
    const alternate = catalog.byId.get(modelId);
    return alternate?.document() === undefined ? [] : [[provider, alternate]];
  });
  return new Map([[model.provider, model], ...alternates.filter(([provider]) => provider !== model.provider)]);
}

function chooseFirst(
  { query, model }: Asked,
  { providers, isStrict }: { providers: Providers; isStrict: boolean },
): Ask | Reply {
  const provider = query.get('model_provider');
  if (provider === null || provider === model.provider) return { by: model, manner: 'native' };
  const by = providers.get(provider);
  if (by === undefined) return unknownProvider('model_provider');
  return { by, manner: isStrict ? 'strict' : 'converted' };
}

function chooseFallbacks(
  wanted: string | null,
  providers: Providers,
  served: ServedModel,
): readonly ServedModel[] | Reply {
  if (wanted === null) return [];
  const candidates = wanted === 'auto' ? [...providers.values()] : [providers.get(wanted)];
  const known = candidates.filter((candidate) => candidate !== undefined);
  if (known.length < candidates.length) return unknownProvider('fallback_provider');
  return known.filter(({ id }) => id !== served.id);
}

function unknownProvider(parameter: string): Reply {
  return invalidInput(`${parameter} names no registered provider of this model.`);
}
