import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseBrand } from '../brand.ts';
import { buildEffectiveSpecs } from '../effective-specs.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { listOperations } from '../operations.ts';
import { documentAsJson } from '../read-document.ts';
import { followReference } from '../references.ts';
import { defaultSpecSettings, type SpecSettings } from '../settings.ts';
import { knownWords } from '../static-requirements/specification.ts';
import { checkSpecs } from './check-specs.ts';
import { walkDocument } from './document-walk.ts';

const overlay = join(mkdtempSync(join(tmpdir(), 'overlay-')), 'owner.yaml');
writeFileSync(
  overlay,
  [
    'overlay: 1.0.0',
    'info: { title: What the owner knows, version: "1" }',
    'actions:',
    "  - target: $.servers[?@.url=='{base_url}']",
    '    update: { description: Where it really is. }',
    '  - target: $.components.parameters.ModelProvider.schema',
    '    update: { enum: [video-provider-two] }',
    "  - target: $.paths['/v2/models'].get.responses['200'].content['application/json'].examples.last_page",
    '    remove: true',
  ].join('\n'),
);

const settings: [sentence: string, settings: Partial<SpecSettings>][] = [
  ['as they stand', {}],
  ['under another brand', { brand: parseBrand('Acme') }],
  ['with other queue statuses', { queueStatuses: ['WAITING', 'RUNNING'] }],
  ['with an overlay', { overlays: [overlay] }],
  ['with all of it', { brand: parseBrand('Acme'), queueStatuses: ['IN_PROGRESS', 'IN_QUEUE'], overlays: [overlay] }],
];

describe('our own documents', () => {
  test.each(settings)('are without fault %s', async (_sentence, chosen) => {
    const report = await checkSpecs({ ...defaultSpecSettings, ...chosen });
    expect(report.problems).toEqual([]);
    for (const [name, count] of Object.entries(report.counts)) expect(count, name).toBeGreaterThan(0);
    expect(report.counts).toMatchObject({ requirements: 628, operations: 9 });
  });

  test('an overlay that breaks an example is reported', async () => {
    const breaking = overlay.replace('owner', 'breaking');
    writeFileSync(
      breaking,
      'overlay: 1.0.0\ninfo: { title: t, version: "1" }\nactions: [{ target: $.components.schemas.Error, update: { maxProperties: 1 } }]',
    );
    const { problems } = await checkSpecs({ ...defaultSpecSettings, overlays: [breaking] });
    expect(problems.length).toBeGreaterThan(10);
    expect(new Set(problems.map(({ check }) => check))).toEqual(new Set(['lint', 'examples']));
  });

  test('have an example for every response with a body, and for every known error type and code', async () => {
    const specs = await buildEffectiveSpecs(defaultSpecSettings);
    const router = documentAsJson(specs.modelRouter);
    const workflow = documentAsJson(specs.workflowExecution);
    expect([...bodiesWithoutExample(router), ...bodiesWithoutExample(workflow)]).toEqual([]);
    const shown = JSON.stringify(exampleValues(router));
    expect(knownWords(router, 'ErrorType').filter((word) => !shown.includes(`"error_type":"${word}"`))).toEqual([]);
    const codes = JSON.stringify(exampleValues(workflow));
    expect(knownWords(workflow, 'ErrorCode').filter((word) => !codes.includes(`"code":"${word}"`))).toEqual([]);
    expect(listOperations(specs).every(({ responses }) => 'default' in responses)).toBe(true);
  });
});

function bodiesWithoutExample(document: JsonObject): string[] {
  const lacking: string[] = [];
  walkDocument(document, {
    object: (node, pointer) => {
      if (!/\/responses\/[^/]+\/content\/[^/]+$/.test(pointer)) return;
      const several = isJsonObject(node['examples']) && Object.keys(node['examples']).length > 0;
      if (!several && node['example'] === undefined) lacking.push(pointer);
    },
  });
  return lacking;
}

function exampleValues(document: JsonObject): unknown[] {
  const values: unknown[] = [];
  walkDocument(document, {
    object: (node) => {
      if (!isJsonObject(node['examples']) || node['schema'] === undefined) return;
      for (const entry of Object.values(node['examples'])) {
        const followed = followReference(document, entry);
        if (followed.kind === 'found' && isJsonObject(followed.value)) values.push(followed.value['value']);
      }
    },
  });
  return values;
}
