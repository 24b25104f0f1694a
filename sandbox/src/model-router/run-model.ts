import { type Answer, go, type Step, stop } from '../answer.ts';
import { type Context, type RouterCall, scopeOf } from '../context.ts';
import type { Bytes } from '../digest.ts';
import type { ServedModel } from '../models/served-model.ts';
import { callProvider, type ProviderChoice, type RunBody } from '../provider/provider.ts';
import { addHeldRun } from '../state/world.ts';
import { addressedModel } from './addressed-model.ts';
import { refuseAdmission, withSpend } from './admission.ts';
import { parseInput, validateInput } from './input-body.ts';
import { type Prepared, performKeyedCall } from './keyed-call.ts';
import { answerOfProvider } from './provider-answer.ts';
import { chooseProvider, inputJudge } from './provider-choice.ts';
import { internalError } from './refusals.ts';

type Run = { model: ServedModel; choice: ProviderChoice; body: RunBody };

export async function runModel(call: RouterCall, context: Context): Promise<Answer> {
  const model = addressedModel(call, context);
  if (model.kind === 'stop') return model.answer;
  const answer = await performKeyedCall(call, context, (bytes) => {
    const run = readRun({ call, model: model.value, bytes }, context);
    return run.kind === 'stop' ? run : prepareRun(run.value, call, context);
  });
  return answer.status === 200 ? withSpend(answer, call, context) : answer;
}

function readRun(
  { call, model, bytes }: { call: RouterCall; model: ServedModel; bytes: Bytes },
  context: Context,
): Step<Run> {
  const document = model.document();
  if (document === undefined) return stop(internalError);
  const choice = chooseProvider({ query: call.url.searchParams, model, document }, context);
  if (choice.kind === 'stop') return choice;
  const parsed = parseInput(bytes);
  if (parsed.kind === 'stop') return parsed;
  const input = validateInput(parsed.value, inputJudge(model, choice.value).checkInput());
  if (input.kind === 'stop') return input;
  return go({ model, choice: choice.value, body: { bytes, input: input.value } });
}

function prepareRun(run: Run, call: RouterCall, context: Context): Prepared {
  const refusal = refuseAdmission(call, context, 'run');
  if (refusal !== undefined) return stop(refusal);
  return go(async () => {
    const scope = scopeOf(call.account);
    addHeldRun(context.world, scope, 1);
    try {
      const { clock, timings } = context.config;
      if (timings.holdMs > 0) await clock.sleep(timings.holdMs, context.closing);
      return dispatch(run, call.url.origin, context);
    } finally {
      addHeldRun(context.world, scope, -1);
    }
  });
}

function dispatch({ model, choice, body }: Run, origin: string, { config }: Context): Answer {
  const context = { seed: config.seed, origin, dispatchedAt: config.clock.now() };
  return answerOfProvider(callProvider(model, body, { choice, context }));
}
