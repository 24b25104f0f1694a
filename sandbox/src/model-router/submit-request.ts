import { type Answer, go, jsonAnswer, type Step, stop } from '../answer.ts';
import type { Context, RouterCall } from '../context.ts';
import { type Bytes, newId } from '../digest.ts';
import { returnsBytes } from '../models/produce-output.ts';
import type { ServedModel } from '../models/served-model.ts';
import { callProvider, nativeChoice, type RunBody } from '../provider/provider.ts';
import { addressedModel } from './addressed-model.ts';
import { refuseAdmission } from './admission.ts';
import { parseInput, validateInput } from './input-body.ts';
import { type CallKey, performKeyedCall } from './keyed-call.ts';
import { answerOfProvider } from './provider-answer.ts';
import { internalError, queueNotEnabled } from './refusals.ts';
import { statusBody } from './request-status.ts';
import { claimOf, foreign, planQueuedRun } from './run-plan.ts';

/** Always the default provider: the query of a run means nothing here (NS-48). */
export async function submitRequest(call: RouterCall, context: Context): Promise<Answer> {
  const model = queueableModel(call, context);
  if (model.kind === 'stop') return model.answer;
  return performKeyedCall(call, context, (bytes, key) => {
    const body = readInput(model.value, bytes);
    if (body.kind === 'stop') return body;
    const refusal = refuseAdmission(call, context, 'submit');
    if (refusal !== undefined) return stop(refusal);
    return go(() => admit({ call, model: model.value, body: body.value, key }, context));
  });
}

function queueableModel(call: RouterCall, context: Context): Step<ServedModel> {
  const model = addressedModel(call, context);
  if (model.kind === 'stop') return model;
  const document = model.value.document();
  if (document === undefined) return stop(internalError);
  return returnsBytes(document) ? stop(queueNotEnabled) : model;
}

function readInput(model: ServedModel, bytes: Bytes): Step<RunBody> {
  const body = parseInput(bytes);
  if (body.kind === 'stop') return body;
  const input = validateInput(body.value, model.checkInput());
  return input.kind === 'stop' ? input : go({ bytes, input: input.value });
}

type Submission = { call: RouterCall; model: ServedModel; body: RunBody; key: CallKey };

/** The handle is what a resend of the key replays (C-22); what the provider will answer lies beside it. */
function admit({ call, model, body, key }: Submission, { config, world }: Context): Answer {
  const now = config.clock.now();
  const { timings } = world.settings;
  const asked = {
    seed: config.seed,
    origin: call.url.origin,
    dispatchedAt: now + timings.waitingMs,
    families: config.assetFamilies,
  };
  const answer = callProvider(model, body, { choice: nativeChoice, context: asked });
  const run = planQueuedRun({ call, model, answer, key, ledgerPage: world.records.ledgerPage() }, timings, {
    id: newId(),
    now,
  });
  const handle = jsonAnswer(201, statusBody({ model, run }, call, { config, world }));
  const answerId = `handle of ${run.id}`;
  const record = {
    firstAcceptedAt: now,
    runId: run.id,
    answerId,
    releasedAt: now,
    endsAt: now,
    unreplayable: undefined,
  };
  const answers = { [run.id]: answerOfProvider(answer), ...(key === undefined ? {} : { [answerId]: handle }) };
  world.records.admit({ run, answers, claim: claimOf(key, record) }, now);
  return answer.intercepted === undefined ? handle : foreign(answer.intercepted);
}
