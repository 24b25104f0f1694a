import type { JsonObject } from '../../../../specs/src/index.ts';
import { outage } from '../../contract/evidence.ts';
import type { Step } from '../../contract/probe.ts';
import { modelPath, type RequestParts, type StepOptions } from '../../contract/steps.ts';
import { alternateModel, outcomesModel } from '../../contract/target.ts';
import { anyOf, type Condition, hook, type InputName, input } from '../../requires.ts';
import { run } from './router-steps.ts';

/** The model whose input selects the outcome of a run (docs/reference/test-hooks.md). */
export const scriptedPath = modelPath(outcomesModel);
const scriptedQueue = `${scriptedPath}/requests`;
/** The alternate provider of that model, and the same model of that provider. */
export const alternate = 'sandbox-two';
export const alternatePath = modelPath(alternateModel);

export const scripted = { cost: 'hooked', requires: hook('outcomes') } as const;

/** Scripted runs for which inputs of the owner of a live target can stand in. */
export function scriptedOr(...names: readonly InputName[]): readonly Condition[] {
  return names.map((name) => anyOf(hook('outcomes'), input(name)));
}

/** Where an input of the owner brings about the same failure. */
export function scriptedOrInputFor({ outcome }: JsonObject): readonly Condition[] {
  if (outcome === 'content_policy_violation') return scriptedOr('rejectedInput');
  return outcome === 'provider_error' ? scriptedOr('failingInput') : scripted.requires;
}

type Parts = RequestParts & { readonly query?: string };

export function scriptedRun(name: string, input: JsonObject, parts: Parts = {}, options: StepOptions = {}): Step {
  const { query = '', ...rest } = parts;
  // A 503 that the input asks for is not sent again.
  const shown = input['outcome'] === outage ? { toShow: outage } : {};
  return run(name, { path: scriptedPath + query, input }, rest, { ...shown, ...options });
}

export function scriptedSubmit(
  name: string,
  input: JsonObject,
  parts: RequestParts = {},
  options: StepOptions = {},
): Step {
  return run(name, { path: scriptedQueue, input }, parts, { mustAnswer: [201], ...options });
}
