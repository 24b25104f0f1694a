import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileSchema, isJsonObject, packageRoot, type Violation } from '../../../specs/src/index.ts';
import { HarnessError } from '../contract/errors.ts';
import type { ResultFile } from './report.ts';

/** A `result.json`, checked by its schema. Throws `HarnessError` when it is another file, or of another version. */
export function parseResult(text: string, name: string): ResultFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new HarnessError(`${name} is no JSON`, { cause });
  }
  const [violation] = listViolations(value);
  if (violation !== undefined)
    throw new HarnessError(
      `${name} is no result of this version of conform: ${violation.pointer} ${violation.message}`,
    );
  // The schema has checked the type.
  return value as ResultFile;
}

// One result at a time: a check has a bound, and a whole report takes more steps.
function listViolations(value: unknown): readonly Violation[] {
  const schema = JSON.parse(readResultSchema());
  const checkHead = compileSchema(schema, { root: schema });
  if (!isJsonObject(value) || !Array.isArray(value['results'])) return checkHead(value);
  const checkResult = compileSchema({ $ref: '#/$defs/result' }, { root: schema });
  return [...checkHead({ ...value, results: [] }), ...value['results'].flatMap((result) => checkResult(result))];
}

/** The text of the JSON Schema of `result.json`. */
function readResultSchema(): string {
  return readFileSync(join(packageRoot(), 'contract-tests/result.schema.json'), 'utf8');
}
