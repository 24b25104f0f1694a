import { describe, expect, test } from 'vitest';
import { smallDocument, smallDocuments } from '../../tests/fixtures/small-document.ts';
import { applySettings } from '../effective-specs.ts';
import { isJsonObject, type JsonObject, type JsonValue, parsePointer, resolvePointer } from '../json.ts';
import { defaultSpecSettings, parseBrand } from '../settings.ts';
import { checkSpecs, type SpecsCheckReport } from './check-specs.ts';

/** Sets the value at a pointer; undefined removes the member. */
function breakAt(document: JsonObject, pointer: string, value: JsonValue | undefined): void {
  const key = parsePointer(pointer).at(-1) ?? '';
  const parent = resolvePointer(document, pointer.slice(0, pointer.lastIndexOf('/')));
  if (!isJsonObject(parent)) throw new Error(`no object above ${pointer}`);
  if (value === undefined) delete parent[key];
  else parent[key] = value;
}

/** Checks the small document with the value at a pointer replaced, or removed if undefined. */
async function reportOn(pointer?: string, value?: JsonValue): Promise<SpecsCheckReport> {
  const modelRouter = smallDocument();
  if (pointer !== undefined) breakAt(modelRouter, pointer, value);
  return checkSpecs(applySettings(defaultSpecSettings, { ...smallDocuments(), modelRouter }));
}

const get = '/paths/~1v2~1things~1{thing}/get';
const [response, link, marks] = [`${get}/responses/404`, `${get}/responses/200/links/again`, `${get}/x-requirements`];
const waiting = `${get}/responses/200/content/application~1json/examples/waiting`;
const [header, thing] = ['/components/headers/RequestId', '/components/parameters/Thing'];
const failure = '/components/responses/Failure';
const otherBrand = { 'X-Other-Error-Type': { schema: { type: 'string' }, example: 'x' } };
const badDefault = [{ name: 'limit', in: 'query', schema: { type: 'integer', default: 'x' } }];

type BreakingEdit = [sentence: string, check: string, pointer: string, value: JsonValue | undefined, place?: string];
/** Changes that break the small document. By default, the problem is at the changed pointer. */
const broken: readonly BreakingEdit[] = [
  ['an operation without id', 'operations', `${get}/operationId`, undefined, get],
  ['a parameter with an unknown location', 'validity', `${thing}/in`, 'body', ''],
  ['a reference without a target', 'references', response, { $ref: '#/components/responses/Gone' }],
  ['a reference to another file', 'references', response, { $ref: 'other.yaml#/x' }],
  ['a reference that leads to itself', 'references', failure, { $ref: '#/components/responses/Failure' }],
  ['a link to an operation that does not exist', 'references', `${link}/operationId`, 'gone', link],
  ['a body example that its schema rejects', 'examples', `${waiting}/value`, { status: 'LOST' }, waiting],
  ['an example of the wrong format', 'examples', `${waiting}/value/url`, 'not a uri', waiting],
  ['a header example that is empty', 'examples', `${header}/example`, ''],
  ['a parameter example that is too long', 'examples', `${thing}/example`, 'far-too-long'],
  [
    'a schema example outside its enum',
    'examples',
    '/components/schemas/Thing/properties/status/examples',
    ['LOST'],
    '/components/schemas/Thing/properties/status/examples/0',
  ],
  ['a default of a different type', 'examples', `${get}/parameters`, badDefault, `${get}/parameters/0/schema/default`],
  ['an unknown requirement', 'marks', marks, ['MR-GEN-x99']],
  ['a requirement named twice', 'marks', marks, ['MR-GEN-02', 'MR-GEN-02']],
  ['a mark that is not a list', 'marks', marks, 'MR-GEN-02'],
  ['an unknown assumption', 'marks', `${get}/x-assumption`, 'OP-998'],
  [
    'a header with a different brand',
    'brand',
    `${failure}/headers`,
    otherBrand,
    `${failure}/headers/X-Other-Error-Type`,
  ],
];

describe('checkSpecs', () => {
  test('finds no problem in valid documents and counts the examined parts of every check', async () => {
    const report = await reportOn();
    expect(report.problems).toEqual([]);
    expect(report.counts).toMatchObject({
      operations: 2,
      validity: 2,
      references: 12,
      examples: 14,
      marks: 4,
      brand: 4,
    });
  });

  test.each(broken)('checkSpecs reports %s', async (_sentence, check, pointer, value, place = pointer) => {
    const { problems } = await reportOn(pointer, value);
    expect(problems.map((problem) => `${problem.check} ${problem.document} ${problem.place}`)).toContain(
      `${check} model-router.openapi.yaml ${place}`,
    );
  });

  test('reports the default brand in a document with a different brand', async () => {
    const specs = applySettings({ ...defaultSpecSettings, brand: parseBrand('Acme') }, smallDocuments());
    expect((await checkSpecs(specs)).problems).toEqual([]);
    const unbranded = { ...specs, modelRouter: applySettings(defaultSpecSettings, smallDocuments()).modelRouter };
    const { problems } = await checkSpecs(unbranded);
    expect(new Set(problems.map(({ check }) => check))).toEqual(new Set(['brand']));
  });
});
