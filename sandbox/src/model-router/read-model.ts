import { type Answer, jsonAnswer } from '../answer.ts';
import type { Context, RouterCall } from '../context.ts';
import { addressedModel } from './addressed-model.ts';
import { catalogEntry, modelPath } from './catalog-entry.ts';

export function readModel(call: RouterCall, context: Context): Answer {
  const model = addressedModel(call, context);
  if (model.kind === 'stop') return model.answer;
  const url = `${call.url.origin}${modelPath(model.value, 'openapi.json')}`;
  // The member is optional, and only an HTTPS URL may stand there (MR-MOD-06): on plain HTTP it is left out.
  const isLinkable = call.url.protocol === 'https:' && url.length <= 2048;
  return jsonAnswer(200, { ...catalogEntry(model.value), ...(isLinkable ? { input_schema_url: url } : {}) });
}
