import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { Discovery } from '../contract/discovery.ts';
import { NotApplicable } from '../contract/endings.ts';
import type { ScenarioRequest } from '../contract/exchange.ts';
import { modelPath } from '../contract/requests.ts';
import { type LiveModel, outcomesModel, type Target, usesOwnerInputs } from '../contract/target.ts';
import type { GivenInput } from '../requires.ts';
import { makeOtherInput } from './discovered-model.ts';

/** Converts a request to the outcomes model into a request to one of the owner's models. */
export type Substitute = (wanted: ScenarioRequest) => ScenarioRequest;

const outcomesPath = modelPath(outcomesModel);

/**
 * Creates the substitute for one run of a scenario. On a live target without test hooks, the owner's models replace the
 * outcomes model if they have inputs with the same outcome. Different inputs stay different, and plain and slow calls use
 * the same model, so that only their inputs and keys differ.
 */
export function openSubstitute(target: Target, discovery: Discovery): Substitute {
  if (!usesOwnerInputs(target)) return (wanted) => wanted;
  const used = new Map<string, JsonObject>();
  let usual: LiveModel | undefined;
  return (wanted) => {
    const { body, method } = wanted;
    const tail = wanted.to.slice(outcomesPath.length);
    const startsRun = wanted.to.startsWith(outcomesPath) && /^(?:\/requests)?(?:\?|$)/.test(tail);
    if (method !== 'POST' || !startsRun) return wanted;
    const wantedInput = body?.kind === 'json' && isJsonObject(body.value) ? body.value : undefined;
    const kind = wantedInput === undefined ? 'input' : readKind(wantedInput);
    const model = chooseModel(kind, usual, target, discovery);
    if (!hasOwnOutcome(kind)) usual ??= model;
    const to = modelPath(model.id) + tail;
    // Every model rejects a body that isn't a JSON object.
    if (wantedInput === undefined) return { ...wanted, to };
    const value = chooseInput(kind, wantedInput, { model, discovery, used });
    return { ...wanted, to, body: { kind: 'json', value } };
  };
}

/** Outcomes that an owner's model has an input for, and the setting of that input. */
const outcomes: ReadonlyMap<JsonValue | undefined, GivenInput> = new Map([
  ['content_policy_violation', 'rejectedInput'],
  ['provider_error', 'failingInput'],
] as const);

function readKind({ outcome, delay_ms: delay }: JsonObject): GivenInput {
  return outcomes.get(outcome) ?? (typeof delay === 'number' && delay > 0 ? 'slowInput' : 'input');
}

const hasOwnOutcome = (kind: GivenInput): boolean => kind === 'rejectedInput' || kind === 'failingInput';

function chooseModel(
  kind: GivenInput,
  usual: LiveModel | undefined,
  { budget }: Target,
  discovery: Discovery,
): LiveModel {
  const models = budget?.models ?? [];
  const has = (model: LiveModel | undefined): boolean => model?.[kind] !== undefined;
  const authored = models.find(({ id }) => id === discovery.models.authored?.id);
  const found = hasOwnOutcome(kind)
    ? models.find(has)
    : [usual ?? [authored, ...(kind === 'slowInput' ? models : [])]].flat().find(has);
  const word = kind === 'input' ? 'plain' : kind.replace('Input', '');
  if (found === undefined) throw new NotApplicable(`no model in conform.live.models has an input for a ${word} run`);
  return found;
}

type Using = { readonly model: LiveModel; readonly discovery: Discovery; readonly used: Map<string, JsonObject> };

function chooseInput(kind: GivenInput, wantedInput: JsonObject, { model, discovery, used }: Using): JsonObject {
  const usual = model[kind];
  if (hasOwnOutcome(kind)) return usual ?? {};
  const authored = discovery.models.authored?.id === model.id ? discovery.models.authored : undefined;
  const { delay_ms: delay, ...content } = wantedInput;
  const isInvalid = delay !== undefined && typeof delay !== 'number';
  if (isInvalid) {
    if (authored?.invalidInput === undefined) throw new NotApplicable(`the schema of ${model.id} accepts every object`);
    return authored.invalidInput;
  }
  const name = JSON.stringify([kind, content]);
  const earlier = used.get(name);
  if (earlier !== undefined) return earlier;
  const isUnused = (input: JsonObject): boolean => ![...used.values()].some((one) => isDeepStrictEqual(one, input));
  const made = () => authored && makeOtherInput({ ...authored, input: model.input });
  const unused = [usual, model.otherInput].find((input) => input !== undefined && isUnused(input)) ?? made();
  if (unused === undefined || !isUnused(unused))
    throw new NotApplicable(`could not generate another input for ${model.id}`);
  used.set(name, unused);
  return unused;
}
