import { describe, expect, test } from 'vitest';
import { smallDocument, smallDocuments } from '../../tests/fixtures/small-document.ts';
import { applySettings } from '../effective-specs.ts';
import { isJsonObject, type JsonObject, type JsonValue, parsePointer, resolvePointer } from '../json.ts';
import { defaultSpecSettings, parseBrand } from '../settings.ts';
import { checkSpecs, type SpecsCheckReport } from './check-specs.ts';

const known = { requirements: [{ id: 'MR-GEN-02' }], assumptions: [{ id: 'OP-030' }] };

// Sets the value at a pointer; undefined removes the member.
function breakAt(document: JsonObject, pointer: string, value: JsonValue | undefined): void {
  const key = parsePointer(pointer).at(-1) ?? '';
  const parent = resolvePointer(document, pointer.slice(0, pointer.lastIndexOf('/')));
  if (!isJsonObject(parent)) throw new Error(`no object above ${pointer}`);
  if (value === undefined) delete parent[key];
  else parent[key] = value;
}

async function reportOn(changes: Record<string, JsonValue | undefined>): Promise<SpecsCheckReport> {
  const modelRouter = smallDocument();
  for (const [pointer, value] of Object.entries(changes)) breakAt(modelRouter, pointer, value);
  return checkSpecs(applySettings(defaultSpecSettings, { ...smallDocuments(), modelRouter }), known);
}

const get = '/paths/~1v2~1things~1{thing}/get';
const broken: [sentence: string, check: string, changes: Record<string, JsonValue | undefined>, place: string][] = [
  ['an operation without id', 'operations', { [`${get}/operationId`]: undefined }, get],
  ['a parameter in no known place', 'validity', { '/components/parameters/Thing/in': 'body' }, ''],
  ['a licence missing (a lint warning)', 'lint', { '/info/license': undefined }, '/info'],
  ['no security (a lint error)', 'lint', { '/security': undefined }, get],
  [
    'a reference to nothing',
    'references',
    { [`${get}/responses/404`]: { $ref: '#/components/responses/Gone' } },
    `${get}/responses/404`,
  ],
  [
    'a reference to another file',
    'references',
    { [`${get}/responses/404`]: { $ref: 'other.yaml#/x' } },
    `${get}/responses/404`,
  ],
  [
    'references in a circle',
    'references',
    { '/components/responses/Failure': { $ref: '#/components/responses/Failure' } },
    '/components/responses/Failure',
  ],
  [
    'a link to no operation',
    'references',
    { [`${get}/responses/200/links/again/operationId`]: 'gone' },
    `${get}/responses/200/links/again`,
  ],
  [
    'a body example that its schema refuses',
    'examples',
    { [`${get}/responses/200/content/application~1json/examples/waiting/value`]: { status: 'LOST' } },
    `${get}/responses/200/content/application~1json/examples/waiting`,
  ],
  [
    'an example of the wrong format',
    'examples',
    { [`${get}/responses/200/content/application~1json/examples/waiting/value/url`]: 'not a uri' },
    `${get}/responses/200/content/application~1json/examples/waiting`,
  ],
  [
    'a header example that is empty',
    'examples',
    { '/components/headers/RequestId/example': '' },
    '/components/headers/RequestId/example',
  ],
  [
    'a parameter example that is too long',
    'examples',
    { '/components/parameters/Thing/example': 'far-too-long' },
    '/components/parameters/Thing/example',
  ],
  [
    'a schema example outside its enum',
    'examples',
    { '/components/schemas/Thing/properties/status/examples': ['LOST'] },
    '/components/schemas/Thing/properties/status/examples/0',
  ],
  [
    'a default of another type',
    'examples',
    { [`${get}/parameters`]: [{ name: 'limit', in: 'query', schema: { type: 'integer', default: 'x' } }] },
    `${get}/parameters/0/schema/default`,
  ],
  ['an unknown requirement', 'marks', { [`${get}/x-requirements`]: ['MR-GEN-x99'] }, `${get}/x-requirements`],
  [
    'a requirement named twice',
    'marks',
    { [`${get}/x-requirements`]: ['MR-GEN-02', 'MR-GEN-02'] },
    `${get}/x-requirements`,
  ],
  ['a mark that is not a list', 'marks', { [`${get}/x-requirements`]: 'MR-GEN-02' }, `${get}/x-requirements`],
  ['an unknown assumption', 'marks', { [`${get}/x-assumption`]: 'OP-098' }, `${get}/x-assumption`],
  [
    'a header of another brand',
    'brand',
    { '/components/responses/Failure/headers': { 'X-Other-Error-Type': { schema: { type: 'string' }, example: 'x' } } },
    '/components/responses/Failure/headers/X-Other-Error-Type',
  ],
  ['no dialect at the root', 'mock-suitability', { '/jsonSchemaDialect': undefined }, '/jsonSchemaDialect'],
  [
    'a header described by content',
    'mock-suitability',
    { '/components/headers/RequestId': { content: { 'text/plain': { schema: { type: 'string' } } } } },
    '/components/headers/RequestId',
  ],
  [
    'a header without example',
    'mock-suitability',
    { '/components/headers/RequestId/example': undefined },
    '/components/headers/RequestId',
  ],
  [
    'a header of type array',
    'mock-suitability',
    { '/components/headers/RequestId': { schema: { type: 'array' }, example: [] } },
    '/components/headers/RequestId',
  ],
];

describe('checkSpecs', () => {
  test('finds no problem in valid documents and counts the examined parts of every check', async () => {
    const report = await reportOn({});
    expect(report.problems).toEqual([]);
    expect(report.counts).toEqual({
      requirements: 1,
      assumptions: 1,
      operations: 2,
      validity: 2,
      lint: 2,
      references: 12,
      examples: 14,
      marks: 4,
      brand: 4,
      mock: 6,
    });
  });

  test.each(broken)('reports %s', async (_sentence, check, changes, place) => {
    const { problems } = await reportOn(changes);
    expect(problems.map((problem) => `${problem.check} ${problem.document} ${problem.place}`)).toContain(
      `${check} model-router.openapi.yaml ${place}`,
    );
  });

  test('reports the printed brand in a document of another brand', async () => {
    const specs = applySettings({ ...defaultSpecSettings, brand: parseBrand('Acme') }, smallDocuments());
    expect((await checkSpecs(specs, known)).problems).toEqual([]);
    const unbranded = { ...specs, modelRouter: applySettings(defaultSpecSettings, smallDocuments()).modelRouter };
    const { problems } = await checkSpecs(unbranded, known);
    expect(new Set(problems.map(({ check }) => check))).toEqual(new Set(['brand']));
  });
});
