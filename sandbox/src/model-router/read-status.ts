import { type Answer, jsonAnswer } from '../answer.ts';
import type { Context, RouterCall } from '../context.ts';
import { phaseOf } from '../state/run.ts';
import { requestFailed } from './refusals.ts';
import { addressedRequest, isRequestLevel, pollAfter, statusBody } from './request-status.ts';

export function readStatus(call: RouterCall, context: Context): Answer {
  const addressed = addressedRequest(call, context);
  if (addressed.kind === 'stop') return addressed.answer;
  const { run } = addressed.value;
  const now = context.config.clock.now();
  const phase = phaseOf(run, now);
  if (phase.kind === 'ended' && context.world.settings.statusOfFailed === 'gone' && isRequestLevel(phase.errorType)) {
    return requestFailed(phase.errorType);
  }
  return jsonAnswer(200, statusBody(addressed.value, call, context), pollAfter(run, now));
}
