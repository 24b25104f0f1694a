import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../src/documents/read-document.ts';
import { buildEffectiveSpecs, type EffectiveSpecs } from '../../src/effective-specs.ts';
import { isJsonObject, type JsonObject, parsePointer, resolvePointer } from '../../src/json.ts';
import { defaultSpecSettings } from '../../src/settings.ts';
import { readSpecification, type StaticRow } from './specification.ts';

/** Two tests for each row: the documents meet the claim, and a mutated document does not. */
export function proveRows(rows: readonly StaticRow[]): void {
  const named = rows.map((row) => [`${row.ids.join(', ')}: ${row.claim}`, row] as const);

  describe('static requirements', async () => {
    const specs = buildEffectiveSpecs(defaultSpecSettings);

    test.each(named)('%s', (_name, row) => {
      expect(row.read(readSpecification(specs))).toEqual(row.want);
    });

    test.each(named)('fails on a mutation of %s', (_name, row) => {
      expect(row.read(readSpecification(mutate(specs, row.mutation)))).not.toEqual(row.want);
    });
  });
}

function mutate(specs: EffectiveSpecs, { in: which, at, put }: StaticRow['mutation']): EffectiveSpecs {
  const copies = {
    router: structuredClone(specs.modelRouter),
    workflow: structuredClone(specs.workflowExecution),
  };
  change(copies[which], at, put);
  return {
    settings: specs.settings,
    modelRouter: parseDocument(copies.router, 'router'),
    workflowExecution: parseDocument(copies.workflow, 'workflow'),
  };
}

function change(document: JsonObject, at: string, put: StaticRow['mutation']['put']): void {
  const parent = resolvePointer(document, at.slice(0, at.lastIndexOf('/')));
  const key = parsePointer(at).at(-1) ?? '';
  if (Array.isArray(parent) && put !== undefined) parent[Number(key)] = put;
  else if (isJsonObject(parent) && put !== undefined) parent[key] = put;
  else if (isJsonObject(parent) && Object.hasOwn(parent, key)) delete parent[key];
  else throw new Error(`nothing to change at ${at}`);
}
