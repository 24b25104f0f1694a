import type { JsonObject } from '../../../specs/src/index.ts';
import { go, type Step, stop } from '../answer.ts';
import { type Context, type RouterCall, scopeOf } from '../context.ts';
import type { ServedModel } from '../models/served-model.ts';
import { isForgotten, type Phase, phaseOf, type Run, untilNextPhase } from '../state/run.ts';
import { addressedModel } from './addressed-model.ts';
import { modelPath } from './catalog-entry.ts';
import { requestNotFound, retryAfter } from './refusals.ts';

export type AddressedRequest = { model: ServedModel; run: Run };

/** The queued run that the path names, if it is the caller's scope's, under this model and young enough (MR-COL-15). */
export function addressedRequest(call: RouterCall, context: Context): Step<AddressedRequest> {
  const model = addressedModel(call, context);
  if (model.kind === 'stop') return model;
  const run = context.world.records.findRun(call.params['request_id'] ?? '');
  if (run === undefined || run.operation !== 'submit' || isForgotten(run, context.config.clock.now())) {
    return stop(requestNotFound);
  }
  const isTheirs = run.modelId === model.value.id && run.scope === scopeOf(call.account);
  return isTheirs ? go({ model: model.value, run }) : stop(requestNotFound);
}

/** The handle of submit and the body of status and of an early collect; `error_type` is absent on success (MR-QUE-14). */
export function statusBody(
  { model, run }: AddressedRequest,
  call: RouterCall,
  { config, world }: Pick<Context, 'config' | 'world'>,
): JsonObject {
  const now = config.clock.now();
  const phase = phaseOf(run, now);
  const url = call.url.origin + modelPath(model, 'requests', run.id);
  return {
    request_id: run.id,
    status: statusOf(phase, config.queueStatuses),
    ...(phase.kind === 'waiting' ? { queue_position: world.records.live.countAhead(run, now) } : {}),
    ...(phase.kind === 'ended' ? { error_type: phase.errorType } : {}),
    status_url: `${url}/status`,
    response_url: url,
    cancel_url: `${url}/cancel`,
  };
}

/** A cancellation that has not taken effect does not show here (MR-CAN-11). */
function statusOf(phase: Phase, [waiting, running]: Context['config']['queueStatuses']): string {
  switch (phase.kind) {
    case 'waiting':
      return waiting;
    case 'running':
    case 'withdrawing':
      return running;
    case 'succeeded':
    case 'ended':
      return 'COMPLETED';
  }
}

/** Whole seconds, at least one, and at a completed request too (MR-STA-05, C-39). */
export function pollAfter(run: Run, now: number): { 'Retry-After': string } {
  return retryAfter(untilNextPhase(run, now));
}

/** Categories of requests that failed at request level, without an answer of their model's (NS-40). */
export function isRequestLevel(errorType: string): boolean {
  return requestLevel.has(errorType);
}

const requestLevel = new Set(['cancelled', 'queue_timeout', 'internal_error', 'service_unavailable']);
