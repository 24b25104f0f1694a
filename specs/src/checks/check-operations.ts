import { SpecError } from '../errors.ts';
import { operationsOf } from '../operations.ts';
import { parseDocument } from '../read-document.ts';
import type { CheckedDocument, CheckResult } from './problem.ts';

/** Whether the rest of the system can read the document's operations. */
export function checkOperations({ name, content }: CheckedDocument): CheckResult {
  try {
    return { problems: [], seen: operationsOf('model-router', parseDocument(content, name)).length };
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return {
      problems: [{ check: 'operations', document: name, place: error.place ?? '', message: error.message }],
      seen: 0,
    };
  }
}
