import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../specs/src/index.ts';
import type { Discovery } from '../contract/discovery.ts';
import { NotApplicable } from '../contract/endings.ts';
import { modelPath } from '../contract/requests.ts';
import type { CallPurpose, Runnable } from '../contract/scenario.ts';
import { type LiveModel, type Target, usesOwnerInputs } from '../contract/target.ts';
import { makeOtherInput } from './discovered-model.ts';

/** Replaces a model and input that name an `ownerInput` by one of the owner's models and an input of that model. */
export type ReplaceCall = (wanted: Runnable) => Runnable & Pick<CallPurpose, 'testsSetting'>;

/**
 * Returns a function that replaces the calls of one run of a scenario, on a live target without test hooks.
 * Different inputs stay different, and plain, slow and invalid calls use the same model, so that only their inputs and
 * keys differ.
 */
export function createCallReplacer(target: Target, { models: { authored } }: Discovery): ReplaceCall {
  if (!usesOwnerInputs(target)) return (wanted) => wanted;
  const models = target.budget?.models ?? [];
  const authoredModel = models.find(({ id }) => id === authored?.id);
  const replacements = new Map<string, JsonObject>();
  let usual: LiveModel | undefined;
  return (wanted) => {
    const { ownerInput } = wanted;
    if (ownerInput === undefined) return wanted;
    if (ownerInput === 'rejectedInput' || ownerInput === 'failingInput') {
      const { id, [ownerInput]: input } = requireModel(models, ownerInput);
      return { path: modelPath(id), input, testsSetting: ownerInput };
    }
    const name = ownerInput === 'slowInput' ? 'slowInput' : 'input';
    const candidates = name === 'slowInput' ? [authoredModel, ...models] : [authoredModel];
    usual = requireModel(usual === undefined ? candidates : [usual], name);
    const { id, input, otherInput, [name]: configured } = usual;
    const path = modelPath(id);
    const schemas = authored?.id === id ? authored : undefined;
    if (ownerInput === 'invalidInput') {
      if (schemas?.invalidInput === undefined) throw new NotApplicable(`the schema of ${id} accepts every object`);
      return { path, input: schemas.invalidInput };
    }
    const wantedInput = JSON.stringify([name, wanted.input]);
    const earlier = replacements.get(wantedInput);
    if (earlier !== undefined) return { path, input: earlier };
    const isUnused = (one: JsonObject | undefined): boolean =>
      one !== undefined && ![...replacements.values()].some((used) => isDeepStrictEqual(used, one));
    const unused = [configured, otherInput].find(isUnused) ?? (schemas && makeOtherInput({ ...schemas, input }));
    if (unused === undefined || !isUnused(unused))
      throw new NotApplicable(`could not generate another input for ${id}`);
    replacements.set(wantedInput, unused);
    return { path, input: unused };
  };
}

function requireModel(
  models: readonly (LiveModel | undefined)[],
  name: 'input' | 'slowInput' | 'rejectedInput' | 'failingInput',
): LiveModel {
  const found = models.find((model) => model?.[name] !== undefined);
  const word = name === 'input' ? 'plain' : name.replace('Input', '');
  if (found === undefined) throw new NotApplicable(`no model in conform.live.models has an input for a ${word} run`);
  return found;
}
