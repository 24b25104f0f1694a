import { type Answer, go, type Step, stop } from '../answer.ts';
import type { Context, RouterCall } from '../context.ts';
import { type Bytes, newId } from '../digest.ts';
import type { ServedModel } from '../models/served-model.ts';
import { callProvider, type ProviderAnswer, type ProviderChoice, type RunBody } from '../provider/provider.ts';
import { withOneFailureLess } from '../state/settings.ts';
import { addressedModel } from './addressed-model.ts';
import { refuseAdmission, withSpend } from './admission.ts';
import { parseInput, validateInput } from './input-body.ts';
import { performKeyedCall } from './keyed-call.ts';
import { answerOfProvider } from './provider-answer.ts';
import { chooseProvider, inputJudge } from './provider-choice.ts';
import { clientDisconnected, deadlineExceeded, internalError, serviceUnavailable } from './refusals.ts';
import { claimOf, type Dispatch, foreign, planSyncRun, type SyncPlan, unreplayableOf } from './run-plan.ts';

type RunRequest = { model: ServedModel; choice: ProviderChoice; body: RunBody };

export async function runModel(call: RouterCall, context: Context): Promise<Answer> {
  const model = addressedModel(call, context);
  if (model.kind === 'stop') return model.answer;
  const answer = await performKeyedCall(call, context, (bytes, key) => {
    const request = readRequest({ call, model: model.value, bytes }, context);
    if (request.kind === 'stop') return request;
    const refusal = refuseAdmission(call, context, 'run');
    if (refusal !== undefined) return stop(refusal);
    return go(() => {
      const answer = askProvider(request.value, call, context);
      return dispatch(
        { call, model: model.value, answer, key, ledgerPage: context.world.records.ledgerPage() },
        context,
      );
    });
  });
  return answer.status === 200 && answer.isForeign !== true ? withSpend(answer, call, context) : answer;
}

function readRequest(
  { call, model, bytes }: { call: RouterCall; model: ServedModel; bytes: Bytes },
  context: Context,
): Step<RunRequest> {
  const document = model.document();
  if (document === undefined) return stop(internalError);
  const body = parseInput(bytes);
  if (body.kind === 'stop') return body;
  const choice = chooseProvider({ query: call.url.searchParams, model, document }, context);
  if (choice.kind === 'stop') return choice;
  const input = validateInput(body.value, inputJudge(model, choice.value).checkInput());
  return input.kind === 'stop' ? input : go({ model, choice: choice.value, body: { bytes, input: input.value } });
}

function askProvider({ model, choice, body }: RunRequest, call: RouterCall, { config }: Context): ProviderAnswer {
  const context = {
    seed: config.seed,
    origin: call.url.origin,
    dispatchedAt: config.clock.now(),
    families: config.assetFamilies,
  };
  return callProvider(model, body, { choice, context });
}

/** From here on the call is accepted: what it comes to is on record before anybody waits for it. */
async function dispatch(sent: Dispatch, context: Context): Promise<Answer> {
  const { answer, key } = sent;
  const recorded = answerOfProvider(answer);
  if (answer.kind === 'router-failed') return recorded; // no provider took it on, so the key stays free
  if (answer.isRawOutput === true) noteRawOutput(sent, context);
  const { world, config } = context;
  const now = config.clock.now();
  const plan = planSyncRun(sent, world.settings.timings, { id: newId(), now });
  const { run, releasedAt } = plan;
  const unreplayable = key === undefined ? undefined : unreplayableOf(answer, world.settings);
  if (unreplayable === 'failed-write') world.settings = withOneFailureLess(world.settings);
  const record = {
    firstAcceptedAt: now,
    runId: run.id,
    answerId: run.id,
    releasedAt,
    endsAt: run.endsAt,
    unreplayable,
  };
  const isKept = key !== undefined && unreplayable === undefined;
  const admission = { run, answers: isKept ? { [run.id]: recorded } : {}, claim: claimOf(key, record) };
  world.records.admit(admission, now);
  return (await hold(sent, plan, context)) ?? recorded;
}

/** What the caller is told in place of the provider's answer; undefined when that one is due. */
async function hold({ call, answer }: Dispatch, plan: SyncPlan, context: Context): Promise<Answer | undefined> {
  const { clock } = context.config;
  const { run, releasedAt } = plan;
  for (let now = clock.now(); now < releasedAt && !isOver(call, context); now = clock.now()) {
    await clock.sleep(releasedAt - now, AbortSignal.any([call.signal, context.closing]));
  }
  if (call.signal.aborted) {
    const current = context.world.records.findRun(run.id) ?? run;
    context.world.records.change({ ...current, disconnectedAt: clock.now() });
    return clientDisconnected;
  }
  if (clock.now() < releasedAt) return serviceUnavailable; // the sandbox closes, and the key keeps its handle
  if (answer.intercepted !== undefined) return foreign(answer.intercepted);
  return plan.isLate ? deadlineExceeded(plan.hasHandle ? run.endsAt - clock.now() : undefined) : undefined;
}

function isOver(call: RouterCall, context: Context): boolean {
  return call.signal.aborted || context.closing.aborted;
}

/** MR-RUN-26. */
function noteRawOutput({ model, answer }: Dispatch, { notice }: Context): void {
  notice('the output could not be converted back', { model: model.id, servedBy: answer.servedBy });
}
