import { type Assumption, readAssumptions } from '../assumptions.ts';
import { buildEffectiveSpecs, documentNames, type EffectiveSpecs } from '../effective-specs.ts';
import { documentAsJson } from '../read-document.ts';
import { readRequirements } from '../requirements.ts';
import type { SpecSettings } from '../settings.ts';
import { checkBrand } from './check-brand.ts';
import { checkExamples } from './check-examples.ts';
import { checkLint } from './check-lint.ts';
import { checkMarks } from './check-marks.ts';
import { checkMockSuitability } from './check-mock-suitability.ts';
import { checkOperations } from './check-operations.ts';
import { checkReferences } from './check-references.ts';
import { checkValidity } from './check-validity.ts';
import type { CheckedDocument, CheckResult, SpecProblem } from './problem.ts';

/** What `specs check` came to: no problem means fine; `counts` says how much each check has looked at. */
export type SpecsCheckReport = { problems: readonly SpecProblem[]; counts: Record<string, number> };

/** Checks both effective documents, the register and the assumptions. Throws SpecError when they cannot be built or read. */
export async function checkSpecs(settings: SpecSettings): Promise<SpecsCheckReport> {
  const requirements = readRequirements();
  const assumptions = readAssumptions();
  return checkDocuments(await buildEffectiveSpecs(settings), {
    requirements: requirements.map(({ id }) => id),
    assumptions,
  });
}

/** The same on documents and lists in hand. */
export async function checkDocuments(
  specs: EffectiveSpecs,
  known: { requirements: readonly string[]; assumptions: readonly Assumption[] },
): Promise<SpecsCheckReport> {
  const ids = {
    requirements: new Set(known.requirements),
    assumptions: new Set(known.assumptions.map(({ id }) => id)),
  };
  const checks: Record<string, (document: CheckedDocument) => CheckResult | Promise<CheckResult>> = {
    operations: checkOperations,
    validity: checkValidity,
    lint: checkLint,
    references: checkReferences,
    examples: checkExamples,
    marks: (document) => checkMarks(document, ids),
    brand: checkBrand,
    mock: checkMockSuitability,
  };
  const problems: SpecProblem[] = [];
  const counts: Record<string, number> = {
    requirements: ids.requirements.size,
    assumptions: ids.assumptions.size,
  };
  for (const document of documentsOf(specs)) {
    for (const [name, check] of Object.entries(checks)) {
      const result = await check(document);
      problems.push(...result.problems);
      counts[name] = (counts[name] ?? 0) + result.seen;
    }
  }
  return { problems, counts };
}

function documentsOf({ settings, modelRouter, workflowExecution }: EffectiveSpecs): CheckedDocument[] {
  return [
    { name: documentNames.modelRouter, content: documentAsJson(modelRouter), brand: settings.brand },
    { name: documentNames.workflowExecution, content: documentAsJson(workflowExecution), brand: settings.brand },
  ];
}
