import { newId } from '../digest.ts';
import { isReply, jsonReply, type Reply } from '../http/messages.ts';
import { returnsBytes } from '../models/produce-output.ts';
import type { ServedModel } from '../models/served-model.ts';
import type { RunBody } from '../provider/provider-response.ts';
import type { World } from '../state/world.ts';
import { refuseAdmission } from './admission.ts';
import { addressedModel, type RouterCall } from './catalog.ts';
import { refusals } from './errors.ts';
import { parseInput, refuseInput } from './input.ts';
import { type CallKey, performKeyedCall } from './keyed-call.ts';
import { proxiedReply, toReply } from './provider-reply.ts';
import { statusBody } from './queued-requests.ts';
import { askProvider } from './run-model.ts';
import { claimKey, planQueuedRun } from './run-plan.ts';

/** Always the default provider: the query of a run means nothing here (NS-48). */
export async function submitRequest(call: RouterCall, world: World): Promise<Reply> {
  const model = queueableModel(call, world);
  if (isReply(model)) return model;
  return performKeyedCall(call, world, (bytes, key) => {
    const body = parseInput(bytes);
    if (isReply(body)) return body;
    const refusal = refuseInput(body.input, model.checkInput()) ?? refuseAdmission(call, world, 'submit');
    return refusal ?? (() => admit({ call, model, body: { bytes, input: body.input }, key }, world));
  });
}

function queueableModel(call: RouterCall, world: World): ServedModel | Reply {
  const model = addressedModel(call, world);
  if (isReply(model)) return model;
  const document = model.document();
  if (document === undefined) return refusals.internalError;
  return returnsBytes(document) ? refusals.queueNotEnabled : model;
}

type Submission = { call: RouterCall; model: ServedModel; body: RunBody; key: CallKey };

/** Resending the key replays the handle (C-22); what the provider will respond is recorded beside it. */
function admit({ call, model, body, key }: Submission, world: World): Reply {
  const { config, records } = world;
  const now = config.clock.now();
  const { timings } = world.settings;
  const choice = { by: model, manner: 'native', fallbacks: [] } as const;
  const response = askProvider({ model, choice, body }, call, world, now + timings.waitingMs);
  const dispatch = { call, model, response, key };
  const run = planQueuedRun(dispatch, timings, { id: newId(), now });
  const handle = jsonReply(201, statusBody({ model, run }, call, world));
  const answerId = `handle of ${run.id}`;
  const claim = claimKey(key, run, { answerId, releasedAt: now, endsAt: now, unreplayable: undefined });
  const replies = { [run.id]: toReply(response), ...(key === undefined ? {} : { [answerId]: handle }) };
  records.admit({ run, replies, claim }, now);
  return response.intercepted === undefined ? handle : proxiedReply(response.intercepted);
}
