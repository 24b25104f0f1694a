import type { JsonObject } from '../../../specs/src/index.ts';
import { type Answer, go, type Step, stop, withServiceHeaders } from '../answer.ts';
import { type Context, type RouterCall, scopeOf } from '../context.ts';
import { convertInput, droppedParamsHeader } from '../models/convert-input.ts';
import type { ServedModel } from '../models/served-model.ts';
import { addHeldRun } from '../state/world.ts';
import { addressedModel } from './addressed-model.ts';
import { refuseAdmission, withSpend } from './admission.ts';
import { parseInput, validateInput } from './input-body.ts';
import { type Prepared, performKeyedCall } from './keyed-call.ts';
import { outputAnswer } from './output-answer.ts';
import { chooseProvider, type ProviderChoice } from './provider-choice.ts';
import { internalError, providerRefusedInput } from './refusals.ts';

type Run = { model: ServedModel; choice: ProviderChoice; input: JsonObject };

export async function runModel(call: RouterCall, context: Context): Promise<Answer> {
  const model = addressedModel(call, context);
  if (model.kind === 'stop') return model.answer;
  const answer = await performKeyedCall(call, context, (body) => {
    const run = readRun({ call, model: model.value, body: parseInput(body) }, context);
    return run.kind === 'stop' ? run : prepareRun(run.value, call, context);
  });
  return answer.status === 200 ? withSpend(answer, call, context) : answer;
}

function readRun(
  { call, model, body }: { call: RouterCall; model: ServedModel; body: Step<JsonObject> },
  context: Context,
): Step<Run> {
  const document = model.document();
  if (document === undefined) return stop(internalError);
  if (body.kind === 'stop') return body;
  const choice = chooseProvider({ query: call.url.searchParams, model, document }, context);
  if (choice.kind === 'stop') return choice;
  const judge = choice.value.kind === 'strict' ? choice.value.alternate : model;
  const input = validateInput(body.value, judge.checkInput());
  return input.kind === 'stop' ? input : go({ model, choice: choice.value, input: input.value });
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
      return dispatch(run, context);
    } finally {
      addHeldRun(context.world, scope, -1);
    }
  });
}

function dispatch({ model, choice, input }: Run, { config }: Context): Answer {
  switch (choice.kind) {
    case 'native':
      return outputAnswer({ model, input }, config.seed);
    case 'strict':
      return outputAnswer({ model: choice.alternate, input }, config.seed);
    case 'converted': {
      const conversion = convertInput(input, choice.document);
      const violations = choice.alternate.checkInput()?.(conversion.input) ?? [];
      if (violations.length > 0) return providerRefusedInput(422);
      const answer = outputAnswer({ model, input }, config.seed);
      if (conversion.dropped.length === 0) return answer;
      return withServiceHeaders(answer, { 'Router-Dropped-Params': droppedParamsHeader(conversion.dropped) });
    }
  }
}
