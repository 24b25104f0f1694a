import { type Answer, jsonAnswer } from '../answer.ts';
import type { Context, RouterCall } from '../context.ts';
import { addressedRequest, pollAfter, statusBody } from './request-status.ts';

export function readStatus(call: RouterCall, context: Context): Answer {
  const addressed = addressedRequest(call, context);
  if (addressed.kind === 'stop') return addressed.answer;
  const headers = pollAfter(addressed.value.request, context.config.clock.now());
  return jsonAnswer(200, statusBody(addressed.value, call, context), headers);
}
