import { type Answer, go, jsonAnswer, type Step, stop } from '../answer.ts';
import { type Context, type RouterCall, scopeOf } from '../context.ts';
import { newId } from '../digest.ts';
import { returnsBytes } from '../models/produce-output.ts';
import type { ServedModel } from '../models/served-model.ts';
import { putRequest } from '../state/queue.ts';
import { admit } from '../state/queued-request.ts';
import { addressedModel } from './addressed-model.ts';
import { refuseAdmission } from './admission.ts';
import { parseInput, validateInput } from './input-body.ts';
import { performKeyedCall } from './keyed-call.ts';
import { internalError, queueNotEnabled } from './refusals.ts';
import { statusBody } from './request-status.ts';

/** Always the default provider: the query of a run means nothing here (NS-48). */
export async function submitRequest(call: RouterCall, context: Context): Promise<Answer> {
  const model = queueableModel(call, context);
  if (model.kind === 'stop') return model.answer;
  return performKeyedCall(call, context, (bytes) => {
    const body = parseInput(bytes);
    if (body.kind === 'stop') return body;
    const input = validateInput(body.value, model.value.checkInput());
    if (input.kind === 'stop') return input;
    const refusal = refuseAdmission(call, context, 'submit');
    if (refusal !== undefined) return stop(refusal);
    return go(() => {
      const { clock, timings } = context.config;
      const submission = { id: newId(), modelId: model.value.id, scope: scopeOf(call.account), input: input.value };
      const request = admit(submission, timings, clock.now());
      putRequest(context.world.queue, request, clock.now());
      return jsonAnswer(201, statusBody({ model: model.value, request }, call, context));
    });
  });
}

function queueableModel(call: RouterCall, context: Context): Step<ServedModel> {
  const model = addressedModel(call, context);
  if (model.kind === 'stop') return model;
  const document = model.value.document();
  if (document === undefined) return stop(internalError);
  return returnsBytes(document) ? stop(queueNotEnabled) : model;
}
