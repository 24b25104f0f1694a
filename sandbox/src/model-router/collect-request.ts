import { type Answer, jsonAnswer } from '../answer.ts';
import type { Context, RouterCall } from '../context.ts';
import { phaseOf } from '../state/queued-request.ts';
import { outputAnswer } from './output-answer.ts';
import { requestCancelled } from './refusals.ts';
import { addressedRequest, pollAfter, statusBody } from './request-status.ts';

/** Collecting leaves the request as it was, so it can be repeated (NS-21). */
export function collectRequest(call: RouterCall, context: Context): Answer {
  const addressed = addressedRequest(call, context);
  if (addressed.kind === 'stop') return addressed.answer;
  const { model, request } = addressed.value;
  const now = context.config.clock.now();
  switch (phaseOf(request, now)) {
    case 'waiting':
    case 'running':
      return jsonAnswer(202, statusBody(addressed.value, call, context), pollAfter(request, now));
    case 'cancelled':
      return requestCancelled;
    case 'succeeded':
      return outputAnswer(
        { model, input: request.input },
        { seed: context.config.seed, origin: call.url.origin, dispatchedAt: request.startsAt },
      );
  }
}
