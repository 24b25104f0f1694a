import type { JsonValue } from '../../../../specs/src/index.ts';
import { type Answer, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import { SetupFailure } from '../../errors.ts';
import type { Draft } from '../../finding.ts';
import type { Probe } from '../../probe.ts';
import { absent, finding, type Matcher, requireHeader, requireMember } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { post, step } from '../../steps.ts';
import { hasCapability } from '../../target.ts';
import { filled, list, object, optional, text } from '../vocabulary/matchers.ts';
import { invalidInputOf } from '../vocabulary/refusals.ts';
import { entriesOf, missingWay } from './validation-entries.ts';
import { scalarFields, withWrong } from './wrong-fields.ts';

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

const path: Matcher<JsonValue | undefined> = {
  expected: 'an array of strings and integers',
  is: (value) => Array.isArray(value) && value.every((part) => typeof part === 'string' || Number.isInteger(part)),
};

function eachEntry(answer: Answer, judge: (pointer: string) => readonly Draft[]): readonly Draft[] {
  return entriesOf(answer).flatMap((_, index) => judge(`/detail/${index}`));
}

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
];
