import { readOperations } from '../documents/operations.ts';
import { parseDocument } from '../documents/read-document.ts';
import { documentNames, type EffectiveSpecs } from '../effective-specs.ts';
import { SpecError } from '../errors.ts';
import { readChoices, readRequirements } from '../requirements/requirements.ts';
import {
  type CheckedDocument,
  checkBrand,
  checkExamples,
  checkMarks,
  checkMockSuitability,
  checkReferences,
} from './document-checks.ts';

/** A problem in a document: the check that found it, and its location (`place`) as a JSON pointer. */
type SpecProblem = { check: string; document: string; place: string; message: string };
/** The result of `specs check`. `counts`: the number of locations that each check has examined. */
export type SpecsCheckReport = { problems: readonly SpecProblem[]; counts: Record<string, number> };

/** Checks both effective documents against the register of requirements. Throws SpecError if they can't be read. */
export async function checkSpecs(specs: EffectiveSpecs): Promise<SpecsCheckReport> {
  const requirements = new Set(readRequirements().map(({ id }) => id));
  const assumptions = new Set(readChoices().map(({ id }) => id));
  const problems: SpecProblem[] = [];
  const counts: Record<string, number> = { requirements: requirements.size, assumptions: assumptions.size };
  for (const key of ['modelRouter', 'workflowExecution'] as const) {
    const document = documentNames[key];
    const content = specs[key];
    for (const [check, run] of Object.entries(checks)) {
      const countName = check === 'mock-suitability' ? 'mock' : check;
      counts[countName] ??= 0;
      await run({
        name: document,
        content,
        brand: specs.settings.brand,
        known: { requirements, assumptions },
        count: () => {
          counts[countName] = (counts[countName] ?? 0) + 1;
        },
        report: (place, message) => problems.push({ check, document, place, message }),
      });
    }
  }
  return { problems, counts };
}

const checks: Record<string, (document: CheckedDocument) => void | Promise<void>> = {
  operations: checkOperations,
  validity: checkValidity,
  lint: checkLint,
  references: checkReferences,
  examples: checkExamples,
  marks: checkMarks,
  brand: checkBrand,
  'mock-suitability': checkMockSuitability,
};

/** Checks that the other modules can read the document's operations. */
function checkOperations({ name, content, count, report }: CheckedDocument): void {
  try {
    for (const _ of readOperations('model-router', parseDocument(content, name))) count();
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    report(error.place ?? '', error.message);
  }
}

/** Checks the document against the OpenAPI schema. */
async function checkValidity({ content, count, report }: CheckedDocument): Promise<void> {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  count();
  try {
    // The library replaces references in place, so it gets a copy. Its types only accept its own parsed documents.
    await SwaggerParser.validate(structuredClone(content) as never, { resolve: { external: false } });
  } catch (error) {
    report('', describeError(error));
  }
}

/** Applies Redocly's recommended ruleset; warnings are problems too. */
async function checkLint({ name, content, count, report }: CheckedDocument): Promise<void> {
  const { createConfig, lintFromString } = await import('@redocly/openapi-core');
  const config = await createConfig({ extends: ['recommended'] });
  count();
  try {
    const lintProblems = await lintFromString({ source: JSON.stringify(content, null, 2), absoluteRef: name, config });
    for (const { ruleId, severity, message, location } of lintProblems)
      report((location[0]?.pointer ?? '').replace(/^#/, ''), `${severity}: ${message} (${ruleId})`);
  } catch (error) {
    // The library throws on circular references instead of reporting them.
    report('', describeError(error));
  }
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
