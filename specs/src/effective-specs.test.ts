import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { smallDocuments } from '../tests/fixtures/small-document.ts';
import { parseYaml } from './documents/read-document.ts';
import { applySettings, writeEffectiveSpecs } from './effective-specs.ts';
import { SpecError } from './errors.ts';
import { type JsonValue, resolvePointer } from './json.ts';
import { defaultSpecSettings, parseBrand, type SpecSettings } from './settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'specs-'));

function overlayFile(name: string, ...actions: string[]): string {
  const path = join(folder, name);
  writeFileSync(path, ['overlay: 1.0.0', 'info: { title: t, version: "1" }', 'actions:', ...actions].join('\n'));
  return path;
}

function built(settings: Partial<SpecSettings>, pointer: string): JsonValue | undefined {
  const { modelRouter } = applySettings({ ...defaultSpecSettings, ...settings }, smallDocuments());
  return resolvePointer(modelRouter, pointer);
}

describe('applySettings', () => {
  test('the default settings do not change the documents', () => {
    const specs = applySettings(defaultSpecSettings, smallDocuments());
    expect(specs).toEqual({ settings: defaultSpecSettings, ...smallDocuments() });
  });

  test('replaces the brand in header names', () => {
    const brand = parseBrand('Acme');
    expect(built({ brand }, '/components/responses/Failure/headers')).toHaveProperty('X-Acme-Error-Type');
    expect(JSON.stringify(applySettings({ ...defaultSpecSettings, brand }, smallDocuments()))).not.toContain('Service');
  });

  test('replaces the queue statuses in enums, examples and prose, even if they are swapped', () => {
    const queueStatuses = ['IN_PROGRESS', 'IN_QUEUE'] as const;
    const thing = built({ queueStatuses }, '/components/schemas/Thing');
    expect(thing).toMatchObject({
      description: 'A thing is IN_PROGRESS before it is COMPLETED.',
      properties: { status: { enum: ['IN_PROGRESS', 'IN_QUEUE', 'COMPLETED'], examples: ['IN_PROGRESS'] } },
    });
    const example = '/paths/~1v2~1things~1{thing}/get/responses/200/content/application~1json/examples/waiting/value';
    expect(built({ queueStatuses: ['WAITING', 'RUNNING'] }, example)).toMatchObject({ status: 'WAITING' });
    expect(built({ queueStatuses: ['In queue', 'läuft'] }, example)).toMatchObject({ status: 'In queue' });
  });

  test.each([
    [['COMPLETED', 'RUNNING'], /other than COMPLETED/],
    [['WAITING', 'WAITING'], /other than COMPLETED/],
    [['', 'RUNNING'], /must be a name of 1 to 64 characters/],
    [['WAITING', ' RUNNING'], /without leading or trailing spaces/],
    [['WAITING', 'RUN\nNING'], /on one line/],
  ] as const)('rejects the queue statuses %j', (queueStatuses, message) => {
    expect(() => built({ queueStatuses }, '')).toThrow(message);
  });

  test('an overlay may name a header with the default brand or with the configured brand', () => {
    const at =
      '  - { target: "$.components.responses.Failure.headers[\'X-NAME-Error-Type\']", update: { description: seen } }';
    const printed = overlayFile('printed.yaml', at.replace('NAME', 'Service'));
    const branded = overlayFile('branded.yaml', at.replace('NAME', 'Acme'));
    for (const overlay of [printed, branded]) {
      const headers = built(
        { brand: parseBrand('Acme'), overlays: [overlay] },
        '/components/responses/Failure/headers',
      );
      expect(headers).toMatchObject({ 'X-Acme-Error-Type': { description: 'seen' } });
    }
    expect(() => built({ overlays: [branded] }, '')).toThrow(/branded\.yaml, action 1: target .* selects nothing/);
  });

  test('rejects overlays that break the document, are not YAML or do not exist', () => {
    const noTitle = overlayFile('no-title.yaml', '  - { target: $.info.title, remove: true }');
    expect(() => built({ overlays: [noTitle] }, '')).toThrow(/openapi\.yaml: info must have a title/);
    const noYaml = join(folder, 'no.yaml');
    writeFileSync(noYaml, 'a: [1');
    expect(() => built({ overlays: [noYaml] }, '')).toThrow(SpecError);
    expect(() => built({ overlays: [join(folder, 'absent.yaml')] }, '')).toThrow(
      /absent\.yaml: cannot be read \(ENOENT\)/,
    );
  });
});

describe('writeEffectiveSpecs', () => {
  test('writes each document as YAML and as JSON with the same content', async () => {
    const specs = applySettings(defaultSpecSettings, smallDocuments());
    const out = join(folder, 'out', 'deep');
    const paths = writeEffectiveSpecs(specs, out);
    expect(paths.map((path) => path.slice(out.length + 1))).toEqual([
      'model-router.openapi.yaml',
      'model-router.openapi.json',
      'workflow-execution.openapi.yaml',
      'workflow-execution.openapi.json',
    ]);
    const read = paths.map((path) => parseYaml(readFileSync(path, 'utf8'), path));
    expect(read).toEqual([specs.modelRouter, specs.modelRouter, specs.workflowExecution, specs.workflowExecution]);
  });

  test("writes nothing if one file isn't writable", async () => {
    const specs = applySettings(defaultSpecSettings, smallDocuments());
    const file = overlayFile('a-file.yaml', '  - {}');
    expect(() => writeEffectiveSpecs(specs, join(file, 'below'))).toThrow(/cannot be written \(ENOTDIR\)/);
    expect(readFileSync(file, 'utf8')).toContain('overlay');
  });
});
