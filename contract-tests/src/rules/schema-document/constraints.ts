import {
  compileSchema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  readSchema,
  sampleValues,
} from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { type DiscoveredModel, modelPath } from '../../contract/discovery.ts';
import { wasAnswered } from '../../contract/evidence.ts';
import { notApplicable } from '../../contract/finding.ts';
import type { Evidence, Probe, Step } from '../../contract/probe.ts';
import { type Check, defineFamily, type Family, type NamedMember, type Rule } from '../../contract/rule.ts';
import { post, stepFrom } from '../../contract/steps.ts';
import { state, validation } from '../../requires.ts';
import { onResponseIfSent } from '../builders/checks.ts';
import * as expect from '../builders/expectations.ts';
import { resolveReference } from '../builders/model-inputs.ts';
import { startOperations } from '../builders/operations.ts';
import { jsonBody } from '../builders/router-steps.ts';
import { modelIn } from './inputs.ts';
import { readDocuments } from './reading.ts';

/** A value inside an input, absent or present, with its schema; `put` gives the input with another value there. */
type Place = {
  readonly schema: JsonObject;
  readonly value: JsonValue | undefined;
  readonly put: (value: JsonValue) => JsonValue;
};

/** A document may nest, and name, any number of members. */
const placesAtMost = 100;

/** The input itself, its members, theirs, and the first item of each array. */
function placesIn(input: JsonObject, { inputSchema, document }: DiscoveredModel): readonly Place[] {
  const places: Place[] = [
    {
      schema: resolveReference(inputSchema === true ? {} : inputSchema, document),
      value: input,
      put: (value) => value,
    },
  ];
  for (const place of places) {
    if (places.length >= placesAtMost) break;
    places.push(...placesInside(place, document));
  }
  return places.slice(0, placesAtMost);
}

function placesInside({ schema, value, put }: Place, document: JsonObject): readonly Place[] {
  const { properties, items } = schema;
  if (isJsonObject(value) && isJsonObject(properties))
    return Object.entries(properties).map(([name, member]) => ({
      schema: resolveReference(member, document),
      value: value[name],
      put: (other) => put({ ...value, [name]: other }),
    }));
  if (!Array.isArray(value) || value.length === 0) return [];
  return [
    { schema: resolveReference(items, document), value: value[0], put: (other) => put([other, ...value.slice(1)]) },
  ];
}

const textAtMost = 10_000;

function numberAt(schema: JsonObject, keyword: string): readonly number[] {
  const value = schema[keyword];
  return typeof value === 'number' ? [value] : [];
}

/** Values that break one keyword of a place; those that break more, or none, are left out later. */
const breaking: Readonly<Record<string, (schema: JsonObject, valid: JsonValue | undefined) => readonly JsonValue[]>> = {
  enum: () => ['no-such-word', 987_654],
  maximum: (schema) => numberAt(schema, 'maximum').map((most) => most + 1),
  minimum: (schema) => numberAt(schema, 'minimum').map((least) => least - 1),
  exclusiveMinimum: (schema) => [...numberAt(schema, 'exclusiveMinimum'), ...numberAt(schema, 'minimum')],
  maxLength: (schema) =>
    numberAt(schema, 'maxLength')
      .filter((most) => most < textAtMost)
      .map((most) => 'x'.repeat(most + 1)),
  minLength: (schema) =>
    numberAt(schema, 'minLength')
      .filter((least) => least > 0)
      .map((least) => 'x'.repeat(least - 1)),
  pattern: (_, valid) => [
    '!',
    '~ ~',
    '\u2603',
    ...(typeof valid === 'string' ? [`${valid}\u2603`, valid.slice(1)] : []),
  ],
  maxItems: (schema, valid) =>
    numberAt(schema, 'maxItems')
      .filter((most) => most < 200)
      .flatMap((most) =>
        [Array.isArray(valid) ? valid.slice(0, 1) : [], ['x'], [1]].map((item) => repeated(item, most + 1)),
      ),
  minItems: (schema, valid) =>
    numberAt(schema, 'minItems')
      .filter((least) => least > 0)
      .map((least) => (Array.isArray(valid) ? valid.slice(0, least - 1) : [])),
  additionalProperties: (_, valid) => (isJsonObject(valid) ? [{ ...valid, a_member_no_schema_names: 1 }] : []),
};
const keywords = Object.keys(breaking);

function repeated(items: readonly JsonValue[], times: number): JsonValue[] {
  return Array.from({ length: times }, () => items).flat();
}

/** For each keyword that can be broken alone a valid input, changed so that it breaks this keyword and nothing else. */
function inputsBreaking(model: DiscoveredModel): ReadonlyMap<string, JsonObject> {
  const check = compileSchema(model.inputSchema, { root: model.document });
  // A full sample has the nested values that the usual input may lack.
  const canonical = readSchema(model.document, model.inputSchema, 'input');
  const samples = [...sampleValues(canonical, { random: () => 0.5, prefer: 'full' })].filter(isJsonObject);
  const full = samples.find((sample) => check(sample).length === 0);
  const places = [model.input, ...(full === undefined ? [] : [full])].flatMap((input) => placesIn(input, model));
  const breaks = (candidate: JsonObject, keyword: string): boolean => {
    const violations = check(candidate);
    return violations.length > 0 && violations.every((one) => one.keyword === keyword);
  };
  return new Map(
    Object.entries(breaking).flatMap(([keyword, valuesFor]) => {
      const candidates = places.flatMap(({ schema, value, put }) => valuesFor(schema, value).map(put));
      const input = candidates.filter(isJsonObject).find((candidate) => breaks(candidate, keyword));
      return input === undefined ? [] : [[keyword, input] as const];
    }),
  );
}

const modelsAtMost = 40;
const modelsPerKeyword = 2;

function listed({ runnable }: ProbeContext): readonly string[] {
  return runnable.slice(0, modelsAtMost);
}

type Wrong = { readonly id: string; readonly input: JsonObject };
const wrongInputs = new WeakMap<DiscoveredModel, ReadonlyMap<string, JsonObject>>();

export function findWrongInputs(model: DiscoveredModel): ReadonlyMap<string, JsonObject> {
  const known = wrongInputs.get(model) ?? inputsBreaking(model);
  wrongInputs.set(model, known);
  return known;
}

/** The first models whose schemas can be broken by this keyword alone. */
function breakable(evidence: Evidence, keyword: string, context: ProbeContext): readonly Wrong[] {
  const found: Wrong[] = [];
  for (const id of listed(context)) {
    if (found.length === modelsPerKeyword) break;
    const model = modelIn(evidence, id, context);
    // Without an authored schema nothing is refused.
    const input = model?.invalidInput === undefined ? undefined : findWrongInputs(model).get(keyword);
    if (input !== undefined) found.push({ id, input });
  }
  return found;
}

const refusals = {
  run: { requirements: ['MR-SCH-27', 'MR-RUN-49', 'MR-STC-11'], statuses: [422] },
  // A model that returns bytes may not be queued at all.
  submit: { requirements: ['MR-SUB-07', 'MR-SUB-08', 'MR-SUB-09'], statuses: [422, 403] },
} as const;

const nameSteps = (operation: string, keyword: string): readonly string[] =>
  Array.from({ length: modelsPerKeyword }, (_, index) => `${operation} ${keyword} ${index + 1}`);

function eachConstraint(context: ProbeContext): Probe {
  const broken = startOperations.flatMap(({ name, tail }) =>
    keywords.flatMap((keyword) =>
      nameSteps(name, keyword).map((step, index) =>
        sendWrong(step, tail, (earlier) => breakable(earlier, keyword, context)[index]),
      ),
    ),
  );
  const invalid = listed(context).map((id) =>
    sendWrong(`invalid ${id}`, '/requests', (earlier) => {
      const input = modelIn(earlier, id, context)?.invalidInput;
      return input === undefined ? undefined : { id, input };
    }),
  );
  return [...readDocuments(listed(context)), ...broken, ...invalid];
}

/** A call with an input that has to be refused; left out where there is none. */
function sendWrong(step: string, tail: string, pick: (earlier: Evidence) => Wrong | undefined): Step {
  const request = (earlier: Evidence) => {
    const wrong = pick(earlier);
    return wrong === undefined ? undefined : post('router', modelPath(wrong.id) + tail, jsonBody(wrong.input));
  };
  return stepFrom(step, request, { mayBeLeftOut: true, mustBeRejected: true });
}

/** A step is left out where no model has an input for it. */
const checkRefused =
  (keyword: string, steps: readonly string[], statuses: readonly number[]): Check =>
  (evidence, context) => {
    if (steps.some((step) => wasAnswered(evidence, step)))
      return onResponseIfSent(steps, expect.status(statuses))(evidence, context);
    const models = context.kind === 'live' ? 'models in conform.live.models' : `first ${modelsAtMost} models`;
    return notApplicable(`no input of the ${models} violates ${keyword} and nothing else`);
  };

const constraints: Family = { cost: 'billed', requires: [state, validation], probe: eachConstraint };

const keywordRules = startOperations.flatMap(({ name, noun }) =>
  keywords.map(
    (keyword): NamedMember => [
      `schema-document.constraints.${name}.${keyword.toLowerCase()}`,
      {
        sentence: `A ${noun} whose input violates "${keyword.toLowerCase()}" in the schema document is refused with 422 invalid_input.`,
        requirements: refusals[name].requirements,
        check: checkRefused(keyword, nameSteps(name, keyword), refusals[name].statuses),
      },
    ],
  ),
);

export const schemaConstraintRules: readonly Rule[] = defineFamily(constraints, keywordRules, {
  'schema-document.constraints.submit.of-each-model': {
    sentence: 'For each model, a submission that violates its schema document is refused with 422 invalid_input.',
    requirements: ['MR-SUB-07', 'MR-SUB-08'],
    check: onResponseIfSent((context) => listed(context).map((id) => `invalid ${id}`), expect.status([422, 403])),
  },
});
