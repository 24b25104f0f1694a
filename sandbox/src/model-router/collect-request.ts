import { type Answer, jsonAnswer } from '../answer.ts';
import type { Context, RouterCall } from '../context.ts';
import { phaseOf, type Run } from '../state/run.ts';
import { beingCancelled, deadlineExceeded, internalError, requestFailed } from './refusals.ts';
import { addressedRequest, isRequestLevel, pollAfter, statusBody } from './request-status.ts';

/** Collecting leaves the request as it was, so it can be repeated (NS-21). */
export function collectRequest(call: RouterCall, context: Context): Answer {
  const addressed = addressedRequest(call, context);
  if (addressed.kind === 'stop') return addressed.answer;
  const { run } = addressed.value;
  const now = context.config.clock.now();
  const phase = phaseOf(run, now);
  switch (phase.kind) {
    case 'waiting':
    case 'running':
      return jsonAnswer(202, statusBody(addressed.value, call, context), pollAfter(run, now));
    case 'withdrawing':
      return beingCancelled;
    case 'succeeded':
      return recordedAnswer(run, context);
    case 'ended':
      return failureOf(run, phase.errorType, context);
  }
}

/** The failures of the model as its provider reported them, all others by their category (NS-40). */
function failureOf(run: Run, errorType: string, context: Context): Answer {
  if (isRequestLevel(errorType)) return requestFailed(errorType);
  return errorType === 'deadline_exceeded' ? deadlineExceeded(undefined) : recordedAnswer(run, context);
}

function recordedAnswer(run: Run, { world }: Context): Answer {
  return world.records.findAnswer(run.id) ?? internalError;
}
