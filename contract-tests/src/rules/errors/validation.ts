import { isJsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { modelPath } from '../../contract/discovery.ts';
import { NoOccasion } from '../../contract/errors.ts';
import { readMember, readResponse, type StepResponse } from '../../contract/evidence.ts';
import { notApplicable } from '../../contract/finding.ts';
import type { Evidence, Probe } from '../../contract/probe.ts';
import { defineFamily, type Family, type Rule, type Shown } from '../../contract/rule.ts';
import { get, post, step, stepFrom } from '../../contract/steps.ts';
import { validation } from '../../requires.ts';
import { parseDocument, readDiscoveredModel } from '../../run/discovered-model.ts';
import { allChecks, type Expectation, type FindingsCheck, onResponse, wrongValue } from '../builders/checks.ts';
import * as expect from '../builders/expectations.ts';
import { requireInvalidInput } from '../builders/model-inputs.ts';
import { jsonBody } from '../builders/router-steps.ts';
import { type BrokenInput, breakInput, type FieldKind } from './broken-fields.ts';

/** A run whose input the router has to refuse with 422. */
function refusing(context: ProbeContext, value: unknown, tail = ''): Probe {
  const request = post('router', context.authored.path + tail, { ...jsonBody(value), prefer: 422 });
  return [step('invalid', request, { mustAnswer: [422] })];
}

const invalid = (context: ProbeContext): Probe =>
  refusing(context, context.kind === 'mock' ? context.authored.input : requireInvalidInput(context.authored));

function listEntries(response: StepResponse): readonly JsonValue[] {
  const detail = readMember(response, '/detail');
  return Array.isArray(detail) ? detail : [];
}

const expectEntries: Expectation = (response) => {
  const shape = expect.member('/detail', expect.array)(response);
  if (shape.length > 0 || listEntries(response).length > 0) return shape;
  return wrongValue(response.step, '/detail', 'an entry', 'none');
};

const path: expect.MemberMatcher = {
  expected: 'an array of strings and integers',
  is: (value) => Array.isArray(value) && value.every((part) => typeof part === 'string' || Number.isInteger(part)),
};

const expectEntryMembers: Expectation = (response) =>
  listEntries(response).flatMap((_, index) => {
    const entry = `/detail/${index}`;
    return expect.members({ [`${entry}/loc`]: path, [`${entry}/msg`]: expect.text, [`${entry}/type`]: expect.text })(
      response,
    );
  });

function breakTwo(context: ProbeContext): BrokenInput {
  const broken = breakInput(context.authored, 'two at the top');
  if (broken === undefined) throw new NoOccasion('the model has no two fields that can be broken by themselves');
  return broken;
}

/** An entry whose `loc` contains this path. A prefix such as `body`, a name of a schema between, and an end inside the wrong value are allowed. */
const expectPath =
  (wanted: readonly (string | number)[]): Expectation =>
  (response) => {
    const locs = listEntries(response).flatMap((entry) =>
      isJsonObject(entry) && Array.isArray(entry['loc']) ? [entry['loc']] : [],
    );
    const isIn = (loc: readonly JsonValue[]): boolean =>
      loc.reduce((found: number, part) => (part === wanted[found] ? found + 1 : found), 0) === wanted.length;
    if (locs.some(isIn)) return [];
    return wrongValue(
      response.step,
      '/detail',
      `a loc with ${JSON.stringify(wanted)} in this order`,
      JSON.stringify(locs),
    );
  };

const namesBothFields: FindingsCheck = (evidence, context) =>
  onResponse('invalid', ...breakTwo(context).paths.map(expectPath))(evidence, context);

const documentsAtMost = 60;
type Broken = { readonly path: string; readonly broken: BrokenInput };

/** A broken field of the document that was read last: reading stops at the first document that has one. */
function brokenField(evidence: Evidence, { specs }: ProbeContext, kind: FieldKind): Broken | undefined {
  const last = evidence.findLast((exchange) => exchange.step !== 'invalid');
  if (last === undefined) return undefined;
  const parsed = parseDocument(readResponse(evidence, last.step));
  if (parsed.kind === 'malformed') return undefined;
  const reading = readDiscoveredModel(last.step, parsed.value, specs.settings.brand);
  // Without such an input the router checks none.
  if (reading.kind === 'unusable' || reading.model.invalidInput === undefined) return undefined;
  const broken = breakInput(reading.model, kind);
  return broken && { path: reading.model.path, broken };
}

/** Reads schema documents until one has such a field, then runs its model with that field wrong. */
function brokenProbe(context: ProbeContext, kind: FieldKind): Probe {
  const reads = context.runnable.slice(0, documentsAtMost).map((id, index) =>
    stepFrom(id, (earlier) => {
      const isFound = earlier.length < index || brokenField(earlier, context, kind) !== undefined;
      return isFound ? undefined : get('router', `${modelPath(id)}/openapi.json`);
    }),
  );
  const request = (earlier: Evidence) => {
    const field = brokenField(earlier, context, kind);
    return field === undefined ? undefined : post('router', field.path, jsonBody(field.broken.input));
  };
  return [...reads, stepFrom('invalid', request, { mustAnswer: [422] })];
}

/** The parts of the path to the one wrong value. */
const brokenLocation = (kind: FieldKind): Shown => ({
  probe: (context) => brokenProbe(context, kind),
  check: (evidence, context) => {
    const field = brokenField(evidence, context, kind);
    if (field === undefined) return notApplicable(`no model read has a field ${kind} that can be broken by itself`);
    return onResponse('invalid', ...field.broken.paths.map(expectPath))(evidence, context);
  },
});

const family: Family = { requiredOf: ['mock', 'sandbox', 'live'] };

const shapeFamily: Family = { ...family, probe: invalid };

const shapeRules = defineFamily(shapeFamily, {
  'errors.validation.lists-its-entries': {
    sentence: 'The detail of a 422 is a list of entries.',
    requirements: ['MR-ERR-10'],
    check: onResponse('invalid', expectEntries),
  },
  'errors.validation.entries-have-their-members': {
    // Repeats passive.body.validation, because the rules on paths mean nothing without these members.
    sentence: 'Each entry of a 422 has loc, msg and type.',
    requirements: ['MR-ERR-12', 'MR-ERR-15', 'MR-ERR-16'],
    needs: ['errors.validation.lists-its-entries'],
    check: onResponse('invalid', expectEntryMembers),
  },
});

const pathFamily: Family = {
  ...family,
  requires: [validation],
  requiredOf: ['sandbox', 'live'],
  needs: ['errors.validation.entries-have-their-members'],
};

const pathRules = defineFamily(pathFamily, {
  'errors.validation.names-each-failing-field': {
    sentence: 'A 422 of a run has an entry for each field that fails.',
    requirements: ['MR-ERR-11'],
    needs: ['errors.validation.lists-its-entries'],
    probe: (context) => refusing(context, breakTwo(context).input),
    check: namesBothFields,
  },
  'errors.validation.names-each-failing-field-of-a-submission': {
    sentence: 'A 422 of a submission has an entry for each field that fails.',
    requirements: ['MR-ERR-11', 'MR-ERR-10', 'MR-SUB-09'],
    needs: ['errors.validation.lists-its-entries'],
    probe: (context) => refusing(context, breakTwo(context).input, '/requests'),
    check: allChecks(onResponse('invalid', expectEntries), namesBothFields),
  },
  'errors.validation.loc-leads-from-outside-in': {
    sentence: 'The loc of an entry leads from the body to the failing field, outermost first.',
    requirements: ['MR-ERR-13'],
    ...brokenLocation('in an object'),
  },
  'errors.validation.loc-counts-array-elements': {
    sentence: 'The loc of an entry names an array element by its index, counted from 0.',
    requirements: ['MR-ERR-14'],
    ...brokenLocation('in an array'),
  },
  'errors.validation.loc-leads-to-the-broken-field': {
    sentence: 'The loc of an entry leads to a field at the top of the input, in a part of its own.',
    requirements: ['MR-ERR-12', 'MR-ERR-13'],
    ...brokenLocation('at the top'),
  },
});

export const errorValidationRules: readonly Rule[] = [...shapeRules, ...pathRules];
