import { go, type Step, stop } from '../answer.ts';
import type { Context, RouterCall } from '../context.ts';
import type { ServedModel } from '../models/served-model.ts';
import { modelNotFound } from './refusals.ts';

/** The model that the path names; an unknown provider is an unknown model too. */
export function addressedModel(call: RouterCall, { world }: Context): Step<ServedModel> {
  const model = world.catalog.byId.get(`${call.params['provider']}/${call.params['model']}`);
  return model === undefined ? stop(modelNotFound) : go(model);
}
