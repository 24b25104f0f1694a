import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkSpecs } from '../src/checks/check-specs.ts';
import { walkDocument } from '../src/checks/checked-document.ts';
import { listOperations } from '../src/documents/operations.ts';
import { followReference } from '../src/documents/references.ts';
import { buildEffectiveSpecs } from '../src/effective-specs.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../src/json.ts';
import { applyAction } from '../src/overlays/apply-overlays.ts';
import { readAssumptions, readRequirements } from '../src/requirements/requirements.ts';
import { defaultSpecSettings, parseBrand, type SpecSettings } from '../src/settings.ts';
import { knownWords } from './static-requirements/specification.ts';

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
    '    update: { enum: [image-provider-two] }',
    "  - target: $.paths['/v2/models'].get.responses['200'].content['application/json'].examples.last_page",
    '    remove: true',
  ].join('\n'),
);

const settings: [sentence: string, settings: Partial<SpecSettings>][] = [
  ['with the default settings', {}],
  ['under another brand', { brand: parseBrand('Acme') }],
  ['with other queue statuses', { queueStatuses: ['WAITING', 'RUNNING'] }],
  ['with an overlay', { overlays: [overlay] }],
  ['with all of these', { brand: parseBrand('Acme'), queueStatuses: ['IN_PROGRESS', 'IN_QUEUE'], overlays: [overlay] }],
];

const { modelRouter, workflowExecution } = await buildEffectiveSpecs(defaultSpecSettings);
const router = modelRouter;
const workflow = workflowExecution;

describe('the two documents', () => {
  test.each(settings)('have no problem %s', async (_sentence, chosen) => {
    const report = await checkSpecs({ ...defaultSpecSettings, ...chosen });
    expect(report.problems).toEqual([]);
    for (const [name, count] of Object.entries(report.counts)) expect(count, name).toBeGreaterThan(0);
    expect(report.counts).toMatchObject({ requirements: 628, operations: 9 });
  });

  test('have problems with an overlay that breaks an example', async () => {
    const breaking = overlay.replace('owner', 'breaking');
    writeFileSync(
      breaking,
      'overlay: 1.0.0\ninfo: { title: t, version: "1" }\nactions: [{ target: $.components.schemas.Error, update: { maxProperties: 1 } }]',
    );
    const { problems } = await checkSpecs({ ...defaultSpecSettings, overlays: [breaking] });
    expect(problems.length).toBeGreaterThan(10);
    expect(new Set(problems.map(({ check }) => check))).toEqual(new Set(['lint', 'examples']));
  });

  test('have an example for every response with a body, and for every known error type and code', () => {
    expect([...bodiesWithoutExample(router), ...bodiesWithoutExample(workflow)]).toEqual([]);
    const shown = JSON.stringify(exampleValues(router));
    expect(knownWords(router, 'ErrorType').filter((word) => !shown.includes(`"error_type":"${word}"`))).toEqual([]);
    const codes = JSON.stringify(exampleValues(workflow));
    expect(knownWords(workflow, 'ErrorCode').filter((word) => !codes.includes(`"code":"${word}"`))).toEqual([]);
    expect(listOperations({ modelRouter, workflowExecution }).every(({ responses }) => 'default' in responses)).toBe(
      true,
    );
  });

  test('cite every requirement that the register assigns to a specification', () => {
    const cited = marksUnder('x-requirements');
    const assigned = readRequirements().filter(({ parties }) => parties.includes('spec'));
    expect(assigned.length).toBeGreaterThan(300);
    expect(assigned.map(({ id }) => id).filter((id) => !cited.has(id))).toEqual([]);
  });

  test('cite every assumption', () => {
    const cited = marksUnder('x-assumption');
    const ids = readAssumptions().map(({ id }) => id);
    expect(ids.filter((id) => !cited.has(id))).toEqual([]);
  });
});

describe('the list of assumptions', () => {
  const targets = readAssumptions().flatMap(({ id, override }) =>
    [...override.matchAll(/`(\$[^`]+)`/g)].map(([, target = '']): [string, string] => [id, target]),
  );

  test.each(targets)('%s: the overlay target %s selects something', (_, target) => {
    const change = { kind: 'remove' } as const;
    const found = [router, workflow].map((document) =>
      target === '$' ? 1 : applyAction(structuredClone(document), { target, change }, target),
    );
    expect(Math.max(...found)).toBeGreaterThan(0);
  });
});

function marksUnder(key: string): Set<JsonValue> {
  const marks = new Set<JsonValue>();
  for (const document of [router, workflow]) {
    walkDocument(document, {
      object: (node) => {
        for (const mark of [node[key] ?? []].flat()) marks.add(mark);
      },
    });
  }
  return marks;
}

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
