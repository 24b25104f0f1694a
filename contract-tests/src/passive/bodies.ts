import type { Schema } from '../../../specs/src/index.ts';
import { mediaTypeOf } from '../answer.ts';
import type { ProbeContext } from '../context.ts';
import type { Draft } from '../finding.ts';
import { excerpt, finding, requireJson } from '../require.ts';
import type { Rule } from '../rule.ts';
import { passiveRule } from './passive-rule.ts';
import { requireBody, requireMediaTypeOf, type Tolerance } from './schema-findings.ts';
import { isRouterError, memberOfBody, type Sighting } from './sighting.ts';

const entryRequirements = [
  ...['MR-CAT-30', 'MR-CAT-31', 'MR-CAT-32', 'MR-CAT-34', 'MR-CAT-35', 'MR-CAT-36'],
  ...['MR-CAT-37', 'MR-CAT-38', 'MR-CAT-39', 'MR-CAT-40', 'MR-CAT-43'],
];
const handleRequirements = ['MR-QUE-01', 'MR-QUE-02', 'MR-QUE-03', 'MR-QUE-07', 'MR-QUE-08'];

/** NS-01: two of the three statuses have assumed names; that there are no more than three is judged over the run. */
const otherStatusNames: Tolerance = ({ pointer, keyword }) => pointer === '/status' && keyword === 'enum';

/** The scheme of a URL may be written in any letter case. */
const httpsInAnyCase: Tolerance = ({ pointer, keyword }, value) =>
  pointer === '/input_schema_url' && keyword === 'pattern' && /^https:\/\/[^\s/?#]/i.test(String(value));

/** `submitRequest 201`. */
type Documented = `${string} ${number}`;

/** A body that the specification describes for these operations and statuses. */
function documentedBody(
  id: string,
  documented: readonly Documented[],
  more: { requirements: readonly string[]; tolerance?: Tolerance },
): Rule {
  return passiveRule({
    id: `body.${id}`,
    requirements: more.requirements,
    of: (sighting) => isOneOf(documented, sighting),
    judge: (sighting, context) => [
      ...requireMediaTypeOf(sighting),
      ...requireBody(sighting, { schema: documentedSchema(sighting), root: context.specs.modelRouter }, more.tolerance),
    ],
  });
}

function isOneOf(documented: readonly Documented[], { operation, answer }: Sighting): boolean {
  return documented.includes(`${operation.operationId} ${answer.status}`);
}

function documentedSchema({ operation, answer }: Sighting): Schema {
  return operation.responses[String(answer.status)]?.content['application/json'] ?? true;
}

/** The schema of an error body, whichever operation it stands on. */
function errorSchema(context: ProbeContext, status: number): Schema {
  return context.operation('runModel').responses[status === 422 ? '422' : '401']?.content['application/json'] ?? true;
}

function requireErrorBody(sighting: Sighting, context: ProbeContext): readonly Draft[] {
  const schema = errorSchema(context, sighting.answer.status);
  // NS-41: the media type of errors is not given, that they are JSON is.
  return requireBody(sighting, { schema, root: context.specs.modelRouter });
}

const isLabelledJson = ({ answer, operation }: Sighting): boolean =>
  ['runModel', 'collectRequest'].includes(operation.operationId) &&
  answer.status === 200 &&
  /[/+]json$/.test(mediaTypeOf(answer) ?? '');

/** A program, a place in it, or an address behind the service: nothing to show to end users (MR-ERR-03). */
const inner =
  /Traceback \(most recent|^\s*at .+\(?\S+:\d+:\d+\)?$|\bFile "[^"]+", line \d+|\b[\w/.-]+\.(?:py|go|js|ts|rs|java|rb|php):\d+|\bgoroutine \d+|\bpanic: |\bE(?:CONNREFUSED|CONNRESET|TIMEDOUT|NOTFOUND|PIPE)\b|\b(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2,3}(?::\d+)?\b|\bSELECT .+ FROM\b/m;

function requireSafeDetail(sighting: Sighting): readonly Draft[] {
  const detail = memberOfBody(sighting, 'detail');
  if (typeof detail !== 'string' || !inner.test(detail)) return [];
  const said = { expected: 'words that are safe to show to end users', actual: excerpt(detail) };
  return [finding('value-unexpected', { step: sighting.answer.step, pointer: '/detail' }, said)];
}

export const bodyRules: readonly Rule[] = [
  passiveRule({
    id: 'body.result-is-what-its-label-says',
    requirements: ['MR-RUN-23', 'MR-COL-04', 'MR-COL-06', 'MR-SCH-29'],
    of: isLabelledJson,
    judge: ({ answer }) => requireJson(answer),
  }),
  passiveRule({
    id: 'error.detail-tells-nothing-inner',
    requirements: ['MR-ERR-03'],
    of: (sighting) => isRouterError(sighting) && typeof memberOfBody(sighting, 'detail') === 'string',
    judge: requireSafeDetail,
  }),
  documentedBody('catalog-page', ['listModels 200'], {
    requirements: [
      ...['MR-CAT-17', 'MR-CAT-19', 'MR-CAT-20', 'MR-CAT-21', 'MR-CAT-26', 'MR-CAT-27', 'MR-CAT-28', 'MR-CAT-29'],
      ...entryRequirements,
    ],
  }),
  documentedBody('model-detail', ['readModel 200'], {
    requirements: ['MR-MOD-04', 'MR-MOD-05', 'MR-MOD-06', 'MR-MOD-07', ...entryRequirements],
    tolerance: httpsInAnyCase,
  }),
  documentedBody('schema-document', ['readSchemaDocument 200'], {
    requirements: ['MR-SCH-04', 'MR-SCH-25', 'MR-SCH-30'],
  }),
  documentedBody('handle', ['submitRequest 201'], {
    requirements: ['MR-SUB-10', 'MR-QUE-18', 'MR-QUE-21', 'MR-QUE-24', 'MR-QUE-28', ...handleRequirements],
    tolerance: otherStatusNames,
  }),
  documentedBody('status', ['readStatus 200', 'collectRequest 202'], {
    requirements: [
      ...['MR-STA-03', 'MR-COL-10', 'MR-QUE-11', 'MR-QUE-12', 'MR-QUE-14', 'MR-QUE-19', 'MR-QUE-22', 'MR-QUE-25'],
      ...['MR-QUE-29', ...handleRequirements],
    ],
    tolerance: otherStatusNames,
  }),
  documentedBody('cancel', ['cancelRequest 202', 'cancelRequest 409'], {
    requirements: ['MR-CAN-05', 'MR-CAN-08', 'MR-CAN-09', 'MR-CAN-10'],
  }),
  passiveRule({
    id: 'body.error',
    requirements: ['MR-ERR-01', 'MR-ERR-02', 'MR-ERR-05', 'MR-COL-21', 'MR-STA-11', 'MR-CAN-20'],
    of: (sighting) => isRouterError(sighting) && sighting.answer.status !== 422,
    judge: requireErrorBody,
  }),
  passiveRule({
    id: 'body.validation',
    requirements: [
      ...['MR-ERR-10', 'MR-ERR-12', 'MR-ERR-14', 'MR-ERR-15', 'MR-ERR-16', 'MR-ERR-17', 'MR-ERR-18', 'MR-ERR-19'],
      ...['MR-ERR-20', 'MR-ERR-22', 'MR-RUN-49', 'MR-SUB-09', 'MR-COL-18'],
    ],
    of: (sighting) => isRouterError(sighting) && sighting.answer.status === 422,
    judge: requireErrorBody,
  }),
];
