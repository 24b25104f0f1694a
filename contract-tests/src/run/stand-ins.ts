import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { type Discovery, modelPath } from '../contract/discovery.ts';
import { NoOccasion } from '../contract/errors.ts';
import { outcomesModel } from '../contract/hooks.ts';
import type { ProbeRequest } from '../contract/probe.ts';
import { type LiveModel, standsIn, type Target } from '../contract/target.ts';
import { otherInputOf } from './discovered-model.ts';

/** Turns a request to the model whose input selects the outcome into one to a model of the owner. */
export type Substitute = (wanted: ProbeRequest) => ProbeRequest;

type StandIn = 'plain' | 'slow' | 'rejected' | 'failing';

const scripted = modelPath(outcomesModel);

/**
 * On a live target without test hooks the owner's models stand in for the scripted one, as far as their inputs bring about the
 * same outcome. Gives a new substitute for each probe, in which different inputs stay different.
 */
export function standInsOf(target: Target, discovery: Discovery): (() => Substitute) | undefined {
  if (!standsIn(target)) return undefined;
  return () => {
    const used = new Map<string, string>();
    return (wanted) => {
      const tail = tailOf(wanted);
      if (tail === undefined) return wanted;
      const given = objectIn(wanted);
      const kind = given === undefined ? 'plain' : kindOf(given);
      const model = modelFor(kind, target, discovery);
      const to = modelPath(model.id) + tail;
      // What is no JSON object is refused by any model.
      if (given === undefined) return { ...wanted, to };
      return { ...wanted, to, body: { kind: 'json', value: inputFor(kind, given, { model, discovery, used }) } };
    };
  };
}

/** What follows the path of the scripted model in a run or a submission. */
function tailOf({ method, to }: ProbeRequest): string | undefined {
  if (method !== 'POST' || !to.startsWith(scripted)) return undefined;
  const tail = to.slice(scripted.length);
  return /^(?:\/requests)?(?:\?|$)/.test(tail) ? tail : undefined;
}

function objectIn({ body }: ProbeRequest): JsonObject | undefined {
  return body?.kind === 'json' && isJsonObject(body.value) ? body.value : undefined;
}

const outcomes: ReadonlyMap<JsonValue | undefined, StandIn> = new Map([
  ['content_policy_violation', 'rejected'],
  ['provider_error', 'failing'],
] as const);

function kindOf({ outcome, delay_ms: delay }: JsonObject): StandIn {
  return outcomes.get(outcome) ?? (typeof delay === 'number' && delay > 0 ? 'slow' : 'plain');
}

/** Plain and slow runs are of one model, so that only their inputs and keys differ. */
function modelFor(kind: StandIn, { budget }: Target, discovery: Discovery): LiveModel {
  const models = budget?.models ?? [];
  const authored = models.find(({ id }) => id === discovery.models.authored?.id);
  const found = {
    plain: authored,
    slow: authored?.slowInput === undefined ? undefined : authored,
    rejected: models.find(({ rejectedInput }) => rejectedInput !== undefined),
    failing: models.find(({ failingInput }) => failingInput !== undefined),
  }[kind];
  if (found === undefined) throw new NoOccasion(`no model of conform.live.models gives a ${kind} run`);
  return found;
}

type Using = { readonly model: LiveModel; readonly discovery: Discovery; readonly used: Map<string, string> };

function inputFor(kind: StandIn, given: JsonObject, { model, discovery, used }: Using): JsonObject {
  if (kind === 'rejected') return model.rejectedInput ?? {};
  if (kind === 'failing') return model.failingInput ?? {};
  const { authored } = discovery.models;
  if (isInvalid(given)) {
    if (authored?.invalidInput === undefined) throw new NoOccasion(`the schema of ${model.id} refuses no object`);
    return authored.invalidInput;
  }
  const { delay_ms: _, ...content } = given;
  const name = JSON.stringify([kind, content]);
  const known = used.get(name);
  if (known !== undefined) return JSON.parse(known);
  const candidates = [
    () => (kind === 'slow' ? model.slowInput : model.input),
    () => (authored === undefined ? undefined : otherInputOf({ ...authored, input: model.input })),
  ];
  const free = candidates
    .map((make) => make())
    .find((input) => input !== undefined && ![...used.values()].includes(JSON.stringify(input)));
  if (free === undefined) throw new NoOccasion(`no further input of ${model.id} could be made`);
  used.set(name, JSON.stringify(free));
  return free;
}

/** Rules break the schema of the scripted model in these ways. */
function isInvalid({ delay_ms: delay, credits_used: credits }: JsonObject): boolean {
  return typeof delay === 'string' || typeof credits === 'string';
}
