import { beforeAll, describe, expect, test } from 'vitest';
import { smallDocuments } from '../../tests/fixtures/small-document.ts';
import { typeCheck } from '../../tests/fixtures/type-check.ts';
import { applySettings, buildEffectiveSpecs } from '../effective-specs.ts';
import type { JsonObject } from '../json.ts';
import { defaultSpecSettings } from '../settings.ts';
import { printPaths } from './print-paths.ts';
import { parseDocument } from './read-document.ts';

const preamble = `
import type { components as router, operations as routerOperations, paths as routerPaths } from './router.ts';
import type { paths as workflowPaths } from './workflow.ts';
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Body<Responses, Status extends keyof Responses> = Responses[Status] extends { content: { 'application/json': infer B } } ? B : never;
type Run = routerPaths['/v2/models/{provider}/{model}']['post']['responses'];
type Workflow = workflowPaths['/api/v2/jobs/{id}/workflow']['get']['responses'];
type ErrorType = router['schemas']['ErrorType'];
`;

const claims: [sentence: string, source: string][] = [
  [
    'error_type is a plain string that accepts unknown values',
    `const word: Equal<ErrorType, string> = true;
     const later: ErrorType = 'queue_backlog_full';
     const error: Body<Run, 400> = { detail: '', error_type: 'something_new' };
     // @ts-expect-error not a string
     const number: ErrorType = 1;
     // @ts-expect-error absent, never null
     const nothing: ErrorType = null;`,
  ],
  [
    'the billing value and the codes of the workflow API accept unknown values',
    `type Fact = router['schemas']['Billing']['charges_on_policy_rejection'];
     const known: Equal<Fact, string> = true;
     const fact: Fact = 'sometimes';
     type Code = Body<Workflow, 404>['error']['code'];
     const code: Equal<Code, string> = true;
     const later: Code = 'job_paused';`,
  ],
  [
    'outputs in JSON or in any media type are unknown, and binary outputs are a Blob',
    `type Content = Run[200]['content'];
     const json: Equal<Content['application/json'], unknown> = true;
     const any: Equal<Content['*/*'], unknown> = true;
     const bytes: Equal<Content['application/octet-stream'], Blob> = true;`,
  ],
  [
    'numeric headers are numbers, and headers of every response are required',
    `const seconds: Equal<NonNullable<Run[429]['headers']['Retry-After']>, number> = true;
     const cents: Equal<Run[429]['headers']['X-Committed-Spend-Limit'], number> = true;
     const replayed: Equal<Run[200]['headers']['Idempotent-Replayed'], boolean | undefined> = true;
     const id: Equal<Run[200]['headers']['X-Service-Request-Id'], string> = true;`,
  ],
  [
    'parameters with a default stay optional, and submit has no query',
    `const query: NonNullable<routerOperations['runModel']['parameters']['query']> = {};
     const list: NonNullable<routerOperations['listModels']['parameters']['query']> = { limit: 500 };
     const none: Equal<routerOperations['submitRequest']['parameters']['query'], undefined> = true;`,
  ],
];

describe('printPaths', () => {
  let messages: Record<string, string[]> = {};
  let [router, workflow] = ['', ''];
  beforeAll(async () => {
    const specs = buildEffectiveSpecs(defaultSpecSettings);
    [router, workflow] = [await printPaths(specs.modelRouter), await printPaths(specs.workflowExecution)];
    const sources: Record<string, string> = {
      'router.ts': router,
      'workflow.ts': workflow,
      'false-claim.ts': `${preamble}const wrong: Equal<ErrorType, number> = true;`,
    };
    for (const [index, [, source]] of claims.entries()) sources[`claim-${index}.ts`] = preamble + source;
    messages = typeCheck(sources);
  });

  test.each(claims.map(([sentence], index) => [sentence, index] as const))(
    'in the printed types, %s',
    (_sentence, index) => {
      expect(messages[`claim-${index}.ts`]).toEqual([]);
    },
  );

  test('prints types that compile, and reject a wrong claim about them', () => {
    expect(messages['router.ts']).toEqual([]);
    expect(messages['workflow.ts']).toEqual([]);
    expect(messages['false-claim.ts']).toEqual(["Type 'true' is not assignable to type 'false'."]);
  });

  test.each([
    ['the default page size', /@default 20\n[^/]*\*\/\n\s+limit\?:/],
    ['the default of strict_mode', /@default false\n[^/]*\*\/\n\s+strict_mode\?:/],
    ['the length of a key', /Length: 1 to 255\.\n[^/]*\*\/\n\s+"Idempotency-Key"\?:/],
    ['the length of a cursor', /Length: 1 to 512\.\n[^/]*\*\/\n\s+next_cursor\?:/],
    ['the length of an id', /Length: 3 to 193\. \*\/\n\s+id:/],
    ['the bounds of a page size', /Range: 1 to 100\.\n[^/]*\*\/\n\s+limit:/],
    ['the number of entries', /Entries: at most 100\.\n[^/]*\*\/\n\s+data:/],
  ])('printPaths prints %s in a comment', (_what, text) => {
    expect(router).toMatch(text);
  });

  test('returns the same text for the same document and does not change the document', async () => {
    const { modelRouter } = applySettings(defaultSpecSettings, smallDocuments());
    const before = JSON.stringify(modelRouter);
    const [one, two] = [await printPaths(modelRouter), await printPaths(structuredClone(modelRouter))];
    expect(one).toBe(two);
    expect(JSON.stringify(modelRouter)).toBe(before);
  });

  test('prints open sets in each notation, and properties named content', async () => {
    const schemas: JsonObject = {
      Plain: { type: 'string', 'x-open-enum': true, enum: ['a', 'b'] },
      Any: { 'x-open-enum': true, anyOf: [{ enum: ['a', 'b'] }, { type: 'string' }] },
      One: { 'x-open-enum': true, oneOf: [{ enum: ['a'] }, { enum: ['b', 'a'] }, { type: 'string' }] },
      Content: {
        type: 'object',
        properties: { content: { type: 'object', properties: { a: { type: 'string', default: 'x' } } } },
      },
    };
    const document = { openapi: '3.1.0', info: { title: 'Small', version: '1' }, paths: {}, components: { schemas } };
    const text = await printPaths(parseDocument(document, 'small'));
    expect(text.match(/(?:Plain|Any|One): .*;/g)).toEqual(['Plain', 'Any', 'One'].map((name) => `${name}: string;`));
    expect(text.match(/Known values: a, b\./g)).toHaveLength(3);
    expect(text).toMatch(/content\?: \{[^}]*a\?: string;/);
  });
});
