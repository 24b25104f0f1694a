import { type Answer, jsonAnswer } from '../answer.ts';
import type { Context, RouterCall } from '../context.ts';
import { hasClosed, withdraw } from '../state/run.ts';
import { addressedModel } from './addressed-model.ts';
import { parseJson } from './input-body.ts';
import { bodyTooLarge, invalidInput } from './refusals.ts';
import { addressedRequest } from './request-status.ts';

const requestId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The 409 is an outcome and no error: it has the cancel response's shape and no category (C-01, NS-36). */
export async function cancelRequest(call: RouterCall, context: Context): Promise<Answer> {
  const refusal = await refuseMalformed(call, context);
  if (refusal !== undefined) return refusal;
  const addressed = addressedRequest(call, context);
  if (addressed.kind === 'stop') return addressed.answer;
  const { run } = addressed.value;
  const { config, world } = context;
  const now = config.clock.now();
  if (hasClosed(run, now)) return jsonAnswer(409, { request_id: run.id, status: 'ALREADY_COMPLETED' });
  const withdrawn = withdraw(run, world.settings.timings.cancellingMs, now);
  if (withdrawn !== run) world.records.change(withdrawn);
  return jsonAnswer(202, { request_id: run.id, status: 'CANCELLATION_REQUESTED' });
}

/** What makes a cancellation malformed is not documented: NS-37. */
async function refuseMalformed(call: RouterCall, context: Context): Promise<Answer | undefined> {
  const model = addressedModel(call, context);
  if (model.kind === 'stop') return model.answer;
  if (!requestId.test(call.params['request_id'] ?? '')) return invalidInput('The request id is no lowercase UUID.');
  const body = await call.readBody();
  if (body === undefined) return bodyTooLarge;
  return body.length > 0 && parseJson(body) === undefined ? invalidInput('The body is not JSON.') : undefined;
}
