import { describe, expect, test } from 'vitest';
import { buildEffectiveSpecs, type EffectiveSpecs } from './effective-specs.ts';
import { isJsonObject, type JsonObject } from './json.ts';
import { parsePointer, resolvePointer } from './json-pointer.ts';
import { documentAsJson, parseDocument } from './read-document.ts';
import { readRequirements } from './requirements.ts';
import { defaultSpecSettings } from './settings.ts';
import { routerOperationRows } from './static-requirements/router-operations.ts';
import { routerSchemaRows } from './static-requirements/router-schemas.ts';
import { type StaticRow, specificationOf } from './static-requirements/specification.ts';
import { workflowRows } from './static-requirements/workflow.ts';

const specs = await buildEffectiveSpecs(defaultSpecSettings);
const rows = [...routerOperationRows, ...routerSchemaRows, ...workflowRows];

function spoil({ in: which, at, put }: StaticRow['spoil']): EffectiveSpecs {
  const copies = {
    router: structuredClone(documentAsJson(specs.modelRouter)),
    workflow: structuredClone(documentAsJson(specs.workflowExecution)),
  };
  change(copies[which], at, put);
  return {
    settings: specs.settings,
    modelRouter: parseDocument(copies.router, 'router'),
    workflowExecution: parseDocument(copies.workflow, 'workflow'),
  };
}

function change(document: JsonObject, at: string, put: StaticRow['spoil']['put']): void {
  const parent = resolvePointer(document, at.slice(0, at.lastIndexOf('/')));
  const key = parsePointer(at).at(-1) ?? '';
  if (Array.isArray(parent) && put !== undefined) parent[Number(key)] = put;
  else if (isJsonObject(parent) && put !== undefined) parent[key] = put;
  else if (isJsonObject(parent) && Object.hasOwn(parent, key)) delete parent[key];
  else throw new Error(`nothing to change at ${at}`);
}

describe('static requirements', () => {
  const named = rows.map((row) => [`${row.ids.join(', ')}: ${row.claim}`, row] as const);

  test.each(named)('%s', (_name, row) => {
    expect(row.read(specificationOf(specs))).toEqual(row.want);
  });

  test.each(named)('would notice the opposite of %s', (_name, row) => {
    const spoilt = spoil(row.spoil);
    expect(row.read(specificationOf(spoilt))).not.toEqual(row.want);
  });

  test('each requirement that is observed statically has its row, and no other one has', () => {
    const wanted = readRequirements().filter(({ observe }) => observe === 'static');
    expect(wanted).toHaveLength(63);
    expect(rows.flatMap(({ ids }) => ids).sort()).toEqual(wanted.map(({ id }) => id).sort());
  });
});
