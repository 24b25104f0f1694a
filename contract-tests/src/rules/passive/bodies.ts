import type { JsonObject, JsonValue, Schema, Violation } from '../../../../specs/src/index.ts';
import { compileSchema, formatPointer, isJsonObject, resolvePointer } from '../../../../specs/src/index.ts';
import type { ParsedBody, StepResponse } from '../../contract/evidence.ts';
import { matchesMediaType, readMediaType } from '../../contract/evidence.ts';
import { type Finding, finding } from '../../contract/finding.ts';
import * as expect from '../expect.ts';
import type { DocumentedResponse, ObservedResponse } from './passive-rule.ts';
import { isResponseTo, isResult, isRouterError, responseRule } from './passive-rule.ts';

const entryRequirements = [
  ...['MR-CAT-30', 'MR-CAT-31', 'MR-CAT-32', 'MR-CAT-34', 'MR-CAT-35', 'MR-CAT-36', 'MR-CAT-37', 'MR-CAT-38'],
  ...['MR-CAT-39', 'MR-CAT-40', 'MR-CAT-43', 'MR-CAT-44'],
];
const entryReadings = ['OP-046', 'OP-073', 'OP-088'];
const handleRequirements = ['MR-QUE-01', 'MR-QUE-02', 'MR-QUE-03', 'MR-QUE-07', 'MR-QUE-08'];

/** OP-001: except COMPLETED, status names are assumptions, so other names are tolerated. Another rule counts them. */
const otherStatusNames: Tolerance = ({ pointer, keyword }, value) =>
  pointer === '/status' && keyword === 'enum' && value !== 'COMPLETED';

/** A handle has no error_type (MR-QUE-28), unless its request has failed and is already COMPLETED (MR-QUE-11). */
const errorOfCompleted: Tolerance = ({ keyword }, value) =>
  (keyword === 'not' || keyword === 'propertyNames') &&
  isJsonObject(value) &&
  value['status'] === 'COMPLETED' &&
  typeof value['error_type'] === 'string';

/** The scheme of a URL is case-insensitive. */
const httpsInAnyCase: Tolerance = ({ pointer, keyword }, value) =>
  pointer === '/input_schema_url' && keyword === 'pattern' && /^"https:\/\/[^\s/?#]/i.test(JSON.stringify(value));

/** OpenAPI allows extension members of any type next to the paths. */
const extensionsOfPaths: Tolerance = ({ pointer }) => pointer.startsWith('/paths/x-');

/** Optional members that may be absent or null: the API text doesn't define how a missing value is represented. */
const optional = /\/(?:next_cursor|input_schema_url|queue_position)$/;
/** A JSON string that contains a slug, or two slugs separated by a slash. */
const slug = /^"[a-z0-9._-]+(?:\/[a-z0-9._-]+)?"$/;

function markReading(one: Finding): Finding {
  const { at, expected, actual } = one;
  const isSlug = /\/(?:id|provider|model)$/.test(at.pointer ?? '') && /pattern/.test(expected) && slug.test(actual);
  if (isSlug) return { ...one, reading: 'OP-073' };
  return actual === 'null' && optional.test(at.pointer ?? '') ? { ...one, reading: 'OP-046' } : one;
}

function documented(responses: readonly DocumentedResponse[], isTolerated?: Tolerance) {
  return {
    about: isResponseTo(...responses),
    check: (observed: ObservedResponse): readonly Finding[] => [
      ...expect.withReading('OP-088', checkMediaType)(observed),
      ...checkBody(observed, { isTolerated }).map(markReading),
    ],
  };
}

export const bodyRules = [
  responseRule('passive.body.result-is-what-its-label-says', {
    sentence: 'The body of a result with a JSON content type is valid JSON.',
    requirements: ['MR-RUN-23', 'MR-COL-04', 'MR-COL-06', 'MR-SCH-29'],
    requiredOf: ['sandbox'],
    about: (observed) => isResult(observed) && /[/+]json$/.test(readMediaType(observed) ?? ''),
    check: expect.json,
  }),
  responseRule('passive.body.catalog-page', {
    concern: 'discovery',
    sentence: 'Every page of the catalog matches the documented schema.',
    requirements: [
      ...['MR-CAT-17', 'MR-CAT-19', 'MR-CAT-20', 'MR-CAT-21', 'MR-CAT-26', 'MR-CAT-27', 'MR-CAT-28', 'MR-CAT-29'],
      ...entryRequirements,
    ],
    partReading: entryReadings,
    requiredOf: ['mock', 'sandbox', 'live'],
    ...documented(['listModels 200']),
  }),
  responseRule('passive.body.model-detail', {
    concern: 'discovery',
    sentence: 'The details of every model match the documented schema.',
    requirements: ['MR-MOD-04', 'MR-MOD-05', 'MR-MOD-06', 'MR-MOD-07', ...entryRequirements],
    requiredOf: ['mock', 'sandbox'],
    partReading: entryReadings,
    ...documented(['readModel 200'], httpsInAnyCase),
  }),
  responseRule('passive.body.schema-document', {
    concern: 'discovery',
    sentence: 'Every schema document is an OpenAPI document of one model.',
    requirements: ['MR-SCH-04', 'MR-SCH-25', 'MR-SCH-30'],
    partReading: 'OP-088',
    requiredOf: ['mock', 'sandbox', 'live'],
    ...documented(['readSchemaDocument 200'], extensionsOfPaths),
  }),
  responseRule('passive.body.handle', {
    sentence: 'Every handle matches the documented schema.',
    requirements: ['MR-SUB-10', 'MR-QUE-18', 'MR-QUE-21', 'MR-QUE-24', 'MR-QUE-28', ...handleRequirements],
    requiredOf: ['mock', 'sandbox'],
    partReading: ['OP-046', 'OP-088'],
    ...documented(
      ['submitRequest 201'],
      (violation, value) => otherStatusNames(violation, value) || errorOfCompleted(violation, value),
    ),
  }),
  responseRule('passive.body.status', {
    sentence: 'Every status of a request matches the documented schema.',
    requirements: [
      ...['MR-STA-03', 'MR-COL-10'],
      ...['MR-QUE-11', 'MR-QUE-12', 'MR-QUE-14', 'MR-QUE-19', 'MR-QUE-22', 'MR-QUE-25', 'MR-QUE-29'],
      ...handleRequirements,
    ],
    requiredOf: ['mock', 'sandbox'],
    partReading: ['OP-046', 'OP-088'],
    ...documented(['readStatus 200', 'collectRequest 202'], otherStatusNames),
  }),
  responseRule('passive.body.cancel', {
    sentence: 'Every response to a cancellation matches the documented schema.',
    requirements: ['MR-CAN-03', 'MR-CAN-04', 'MR-CAN-05', 'MR-CAN-08', 'MR-CAN-09', 'MR-CAN-10'],
    partReading: 'OP-088',
    requiredOf: ['sandbox'],
    ...documented(['cancelRequest 202', 'cancelRequest 409']),
  }),
  responseRule('passive.body.error', {
    concern: 'errors',
    sentence: 'Every error of the router has the documented envelope.',
    requirements: ['MR-ERR-01', 'MR-ERR-02', 'MR-ERR-05', 'MR-COL-21', 'MR-STA-11', 'MR-CAN-20'],
    requiredOf: ['mock', 'sandbox', 'live'],
    about: (observed) => isRouterError(observed) && observed.status !== 422,
    check: (observed) => checkBody(observed),
  }),
  responseRule('passive.body.validation', {
    concern: 'errors',
    sentence: 'Every 422 of the router has entries that match the documented schema.',
    requirements: [
      ...['MR-ERR-10', 'MR-ERR-12', 'MR-ERR-14', 'MR-ERR-15', 'MR-ERR-16', 'MR-ERR-17', 'MR-ERR-18', 'MR-ERR-19'],
      ...['MR-ERR-20', 'MR-ERR-22', 'MR-RUN-49', 'MR-SUB-09', 'MR-COL-18'],
    ],
    requiredOf: ['sandbox'],
    about: (observed) => isRouterError(observed) && observed.status === 422,
    // Operations without a listed 422 use the same schema.
    check: (observed, { operation }) => {
      const schema = operation('runModel').responses['422']?.content['application/json'];
      return checkBody(observed, schema === undefined ? {} : { schema });
    },
  }),
  responseRule('passive.workflow.body', {
    concern: 'workflows',
    sentence: 'Every workflow response matches the documented schema.',
    requirements: ['WX-JWF-04', 'WX-JWF-05', 'WX-JWF-09', 'WX-JWF-10'],
    api: 'workflow',
    requiredOf: ['mock', 'sandbox'],
    about: ({ status }) => status === 200,
    check: (observed) => [...checkMediaType(observed), ...checkBody(observed)],
  }),
  responseRule('passive.workflow.error-envelope', {
    concern: 'errors',
    sentence: 'Every error of the workflow API has the documented envelope.',
    requirements: ['WX-ERR-01', 'WX-ERR-02', 'WX-ERR-03', 'WX-ERR-04', 'WX-ERR-05'],
    api: 'workflow',
    requiredOf: ['mock', 'sandbox', 'live'],
    about: ({ status }) => status >= 400,
    check: (observed) => checkBody(observed),
  }),
];

/** True for violations that the documents leave open. */
export type Tolerance = (violation: Violation, value: unknown) => boolean;
type BodySchema = {
  readonly schema: Schema;
  /** Document in which the `#/…` references of the schema resolve. */
  readonly root: JsonObject;
  readonly isTolerated?: Tolerance | undefined;
};

/** Checks a JSON body against its documented schema, or against the one in `overrides`. */
export function checkBody(observed: ObservedResponse, overrides: Partial<BodySchema> = {}): readonly Finding[] {
  const { documented, document, parsed } = observed;
  const schema = overrides.schema ?? documented?.content['application/json'] ?? true;
  return findViolations(observed, parsed, {
    root: document,
    ...overrides,
    schema: parsed.kind === 'json' ? chooseVariant(schema, document, parsed.value) : schema,
  });
}

/** Returns the variant of a union that the body's discriminator selects, so that only its violations are reported. */
function chooseVariant(schema: Schema, document: JsonObject, value: JsonValue): Schema {
  const ref = isJsonObject(schema) ? schema['$ref'] : undefined;
  const union = typeof ref === 'string' ? resolvePointer(document, ref.slice(1)) : undefined;
  const named = isJsonObject(union) ? resolvePointer(union, '/discriminator/propertyName') : undefined;
  const word = typeof named === 'string' && isJsonObject(value) ? value[named] : undefined;
  const variant = isJsonObject(union)
    ? resolvePointer(union, `/discriminator/mapping${formatPointer([String(word)])}`)
    : undefined;
  return typeof word === 'string' && typeof variant === 'string' ? { $ref: variant } : schema;
}

const maxViolations = 100;
const branching: ReadonlySet<string> = new Set(['if', 'oneOf', 'anyOf']);

function findViolations(
  response: StepResponse,
  parsed: ParsedBody,
  { schema, root, isTolerated }: BodySchema,
): readonly Finding[] {
  if (parsed.kind === 'malformed') return expect.json(response);
  const violations = compileSchema(schema, { root, side: 'output' })(parsed.value)
    // Ignore values that exceed the step limit of the validator, because they may be valid.
    .filter(({ keyword }) => keyword !== 'work')
    .filter((one) => isTolerated?.(one, resolvePointer(parsed.value, one.pointer)) !== true);
  // Errors inside a branch explain more than "no branch matches", except for a null, which a reading may tolerate.
  const isExplained = ({ keyword, pointer: at }: Violation): boolean =>
    branching.has(keyword) &&
    violations.some(
      (one) =>
        !branching.has(one.keyword) && one.pointer.startsWith(at) && resolvePointer(parsed.value, one.pointer) !== null,
    );
  return withoutRepetitions(violations.filter((one) => !isExplained(one)))
    .slice(0, maxViolations)
    .map((violation) => {
      const at = { step: response.step, pointer: violation.pointer };
      const value = resolvePointer(parsed.value, violation.pointer);
      const facts = value === undefined ? { isAbsent: true } : {};
      return finding('schema-violated', at, describeRequirement(violation), expect.jsonText(value), facts);
    });
}

/** Drops violations that only follow from others, and moves a violation about a member's name to that member. */
function withoutRepetitions(violations: readonly Violation[]): readonly Violation[] {
  const misnamed = violations.filter(({ keyword }) => keyword === 'propertyNames');
  return violations.flatMap((violation): readonly Violation[] => {
    const { keyword, pointer, params } = violation;
    // `then` and the schema of the names report their own violations.
    if (keyword === 'if' || (keyword === 'not' && misnamed.some((one) => one.pointer === pointer))) return [];
    if (keyword !== 'propertyNames') return [violation];
    return [{ ...violation, pointer: `${pointer}${formatPointer([String(params['propertyName'])])}` }];
  });
}

function describeRequirement({ keyword, message, params }: Violation): string {
  if (keyword === 'const') return `to be ${expect.jsonText(params['allowedValue'])}`;
  if (keyword === 'propertyNames') return 'no member of this name';
  return message.replace(/^must NOT /, 'not to ').replace(/^must /, 'to ');
}

/** Expects a media type that the operation lists for the status, with any parameters, or `…+json` for JSON. */
function checkMediaType(observed: ObservedResponse): readonly Finding[] {
  // OP-041: the documents define no media type for errors.
  if (observed.status >= 400) return [];
  const types = Object.keys(observed.documented?.content ?? {});
  const actual = readMediaType(observed);
  const isJson = types.includes('application/json') && actual?.endsWith('+json') === true;
  if (types.length === 0 || isJson || types.some((type) => matchesMediaType(type, actual))) return [];
  return expect.wrongMediaType(observed.step, types.join(' or '), actual);
}
