import type { JsonObject } from '../../../specs/src/index.ts';
import { modelPath } from '../contract/requests.ts';
import { alternateModel, outcomesModel } from '../contract/target.ts';
import { anyOf, type Condition, hook, type InputName, input } from '../requires.ts';
import { type Expectation, members } from './expect.ts';

/** The model whose input selects the outcome of a run (docs/reference/test-hooks.md). */
export const scriptedPath = modelPath(outcomesModel);
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

/** Expects the scripted model to report that its provider received this. */
export function received(wanted: Readonly<Record<string, string>>): Expectation {
  return members(Object.fromEntries(Object.entries(wanted).map(([name, value]) => [`/received/${name}`, value])));
}
