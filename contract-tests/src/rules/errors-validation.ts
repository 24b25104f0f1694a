import { extensionKey, isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { type Answer, jsonOf, memberOf, responseOf } from '../answer.ts';
import type { ProbeContext } from '../context.ts';
import { SetupFailure } from '../errors.ts';
import type { Draft } from '../finding.ts';
import type { Evidence, Probe } from '../probe.ts';
import { absent, finding, type Matcher, requireHeader, requireMember } from '../require.ts';
import { defineRule, type Rule } from '../rule.ts';
import { get, post, step, stepFrom } from '../steps.ts';
import { hasCapability } from '../target.ts';
import { filled, list, object, optional, text } from './matchers.ts';
import { invalidInputOf } from './run-refusals.ts';
import { nestedWrong, scalarFields, type WrongField, withWrong } from './wrong-fields.ts';

const family = 'errors';
const api = 'router';
const shaped = 'errors.validation.lists-its-entries';
const appliesTo = hasCapability('validation');

function refusing(context: ProbeContext, value: unknown): Probe {
  const request = post(api, context.model('authored').path, { body: { kind: 'json', value }, prefer: 422 });
  return { steps: [step('invalid', request, { mustAnswer: [422] })] };
}

const invalid = (context: ProbeContext): Probe => {
  const model = context.model('authored');
  return refusing(context, context.kind === 'mock' ? model.input : invalidInputOf(model));
};

function twoFields(context: ProbeContext): readonly string[] {
  const fields = scalarFields(context.model('authored')).slice(0, 2);
  if (fields.length < 2) throw new SetupFailure('the model has no two plain fields to get wrong');
  return fields;
}

const documentsAtMost = 25;
type Nesting = 'array' | 'object';

function modelPath(id: string): string {
  return `/v2/models/${id.split('/').map(encodeURIComponent).join('/')}`;
}

/** Schema documents are read one after the other until one offers a nested field of a model with authored input. */
const deepProbe = (context: ProbeContext, kind: Nesting): Probe => {
  const reads = context.survey.listed.slice(0, documentsAtMost).map((id) =>
    stepFrom(id, (earlier) => {
      if (deepField(earlier, context, kind) !== undefined) return undefined;
      return get(api, `${modelPath(id)}/openapi.json`);
    }),
  );
  const invalidStep = stepFrom(
    'invalid',
    (earlier) => {
      const deep = deepField(earlier, context, kind);
      if (deep === undefined) throw new SetupFailure('no model read has such a nested field to get wrong');
      return post(api, deep.path, { body: { kind: 'json', value: deep.wrong.input } });
    },
    { mustAnswer: [422] },
  );
  return { steps: [...reads, invalidStep] };
};

type DeepField = { readonly path: string; readonly wrong: WrongField };

function deepField(evidence: Evidence, { specs }: ProbeContext, kind: Nesting): DeepField | undefined {
  const flag = extensionKey(specs.settings.brand, 'input-schema-authored');
  for (const { step: name } of evidence.filter((exchange) => exchange.step !== 'invalid')) {
    const answer = responseOf(evidence, name);
    const parsed = jsonOf(answer);
    if (parsed.kind === 'malformed' || !isJsonObject(parsed.value) || parsed.value[flag] !== true) continue;
    const wrong = nestedWrong(parsed.value, kind);
    if (wrong !== undefined) return { path: modelPath(name), wrong };
  }
  return undefined;
}

function entriesOf(answer: Answer): readonly JsonValue[] {
  const detail = memberOf(answer, '/detail');
  return Array.isArray(detail) ? detail : [];
}

function locsOf(answer: Answer): readonly (readonly JsonValue[])[] {
  return entriesOf(answer).flatMap((entry) =>
    isJsonObject(entry) && Array.isArray(entry['loc']) ? [entry['loc']] : [],
  );
}

const path: Matcher<JsonValue | undefined> = {
  expected: 'an array of strings and integers',
  is: (value) => Array.isArray(value) && value.every((part) => typeof part === 'string' || Number.isInteger(part)),
};

/** A prefix such as `body` is tolerated: the way ends at the field, or inside its wrong value. */
function leadsTo(loc: readonly JsonValue[], way: readonly (string | number)[]): boolean {
  return loc.some((_, start) => way.every((part, offset) => loc[start + offset] === part));
}

function eachEntry(answer: Answer, judge: (pointer: string) => readonly Draft[]): readonly Draft[] {
  return entriesOf(answer).flatMap((_, index) => judge(`/detail/${index}`));
}

function missingWay(answer: Answer, way: readonly (string | number)[]): readonly Draft[] {
  if (locsOf(answer).some((loc) => leadsTo(loc, way))) return [];
  const said = { expected: `a loc with ${JSON.stringify(way)} in this order`, actual: JSON.stringify(locsOf(answer)) };
  return [finding('value-unexpected', { step: answer.step, pointer: '/detail' }, said)];
}

const nestings: readonly { id: string; kind: Nesting; requirement: string }[] = [
  { id: 'errors.validation.loc-leads-from-outside-in', kind: 'object', requirement: 'MR-ERR-13' },
  { id: 'errors.validation.loc-counts-array-elements', kind: 'array', requirement: 'MR-ERR-14' },
];

export const errorValidationRules: readonly Rule[] = [
  defineRule({
    id: shaped,
    family,
    requirements: ['MR-ERR-10'],
    api,
    probe: invalid,
    judge: (evidence) => {
      const answer = responseOf(evidence, 'invalid');
      const shape = requireMember(answer, '/detail', list);
      if (shape.length > 0 || entriesOf(answer).length > 0) return shape;
      return [
        finding('value-unexpected', { step: 'invalid', pointer: '/detail' }, { expected: 'an entry', actual: 'none' }),
      ];
    },
  }),
  defineRule({
    id: 'errors.validation.entries-have-their-members',
    family,
    requirements: ['MR-ERR-12', 'MR-ERR-15', 'MR-ERR-16'],
    needs: [shaped],
    api,
    probe: invalid,
    judge: (evidence) => {
      const answer = responseOf(evidence, 'invalid');
      return eachEntry(answer, (pointer) => [
        ...requireMember(answer, `${pointer}/loc`, path),
        ...requireMember(answer, `${pointer}/msg`, text),
        ...requireMember(answer, `${pointer}/type`, text),
      ]);
    },
  }),
  defineRule({
    id: 'errors.validation.context-is-an-object',
    family,
    requirements: ['MR-ERR-17'],
    needs: [shaped],
    api,
    probe: invalid,
    judge: (evidence) => {
      const answer = responseOf(evidence, 'invalid');
      return eachEntry(answer, (pointer) => requireMember(answer, `${pointer}/ctx`, optional(object)));
    },
  }),
  defineRule({
    id: 'errors.validation.category-is-in-the-header',
    family,
    requirements: ['MR-ERR-21', 'MR-HDR-04'],
    api,
    probe: invalid,
    judge: (evidence, { headers }) => requireHeader(responseOf(evidence, 'invalid'), headers.errorType, filled),
  }),
  defineRule({
    id: 'errors.validation.category-is-not-in-the-body',
    family,
    requirements: ['MR-ERR-22'],
    api,
    probe: invalid,
    judge: (evidence) => requireMember(responseOf(evidence, 'invalid'), '/error_type', absent),
  }),
  defineRule({
    id: 'errors.validation.carries-request-id',
    family,
    requirements: ['MR-HDR-01'],
    api,
    probe: invalid,
    judge: (evidence, { headers }) => requireHeader(responseOf(evidence, 'invalid'), headers.requestId, filled),
  }),
  defineRule({
    id: 'errors.validation.names-each-failing-field',
    family,
    requirements: ['MR-ERR-11'],
    needs: [shaped],
    api,
    appliesTo,
    probe: (context) => refusing(context, withWrong(context.model('authored'), twoFields(context))),
    judge: (evidence, context) =>
      twoFields(context).flatMap((field) => missingWay(responseOf(evidence, 'invalid'), [field])),
  }),
  ...nestings.map(({ id, kind, requirement }) =>
    defineRule({
      id,
      family,
      requirements: [requirement],
      needs: ['errors.validation.entries-have-their-members'],
      api,
      appliesTo,
      probe: (context) => deepProbe(context, kind),
      judge: (evidence, context) =>
        missingWay(responseOf(evidence, 'invalid'), deepField(evidence, context, kind)?.wrong.path ?? []),
    }),
  ),
];
