import { operationsOf } from '../documents/operations.ts';
import { documentAsJson, parseDocument } from '../documents/read-document.ts';
import { buildEffectiveSpecs, documentNames, type EffectiveSpecs } from '../effective-specs.ts';
import { SpecError } from '../errors.ts';
import { type Assumption, readAssumptions, readRequirements } from '../requirements/requirements.ts';
import type { SpecSettings } from '../settings.ts';
import { checkBrand } from './check-brand.ts';
import { checkExamples } from './check-examples.ts';
import { checkMockSuitability } from './check-mock-suitability.ts';
import { checkMarks, checkReferences } from './check-references.ts';
import type { CheckedDocument, CheckResult, SpecProblem } from './checked-document.ts';

/** The result of `specs check`; `counts` says how much each check has seen. */
export type SpecsCheckReport = { problems: readonly SpecProblem[]; counts: Record<string, number> };

/** Checks both effective documents, the register and the assumptions. Throws SpecError when one cannot be built or read. */
export async function checkSpecs(settings: SpecSettings): Promise<SpecsCheckReport> {
  const requirements = readRequirements().map(({ id }) => id);
  const assumptions = readAssumptions();
  return checkDocuments(await buildEffectiveSpecs(settings), { requirements, assumptions });
}

/** The same for documents and lists already read. */
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
  const { brand } = specs.settings;
  for (const key of ['modelRouter', 'workflowExecution'] as const) {
    const document = { name: documentNames[key], content: documentAsJson(specs[key]), brand };
    for (const [name, check] of Object.entries(checks)) {
      const result = await check(document);
      problems.push(...result.problems);
      counts[name] = (counts[name] ?? 0) + result.seen;
    }
  }
  return { problems, counts };
}

/** Whether the other modules can read the document's operations. */
function checkOperations({ name, content }: CheckedDocument): CheckResult {
  try {
    return { problems: [], seen: operationsOf('model-router', parseDocument(content, name)).length };
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    const problem = { check: 'operations', document: name, place: error.place ?? '', message: error.message };
    return { problems: [problem], seen: 0 };
  }
}

/** Whether the OpenAPI schema accepts the document. */
async function checkValidity({ name, content }: CheckedDocument): Promise<CheckResult> {
  const { default: SwaggerParser } = await import('@apidevtools/swagger-parser');
  try {
    // The library follows references in place and has types for a parsed file only.
    await SwaggerParser.validate(structuredClone(content) as never, { resolve: { external: false } });
    return { problems: [], seen: 1 };
  } catch (error) {
    return { problems: [{ check: 'validity', document: name, place: '', message: messageOf(error) }], seen: 1 };
  }
}

/** Redocly's recommended ruleset; warnings count as problems. */
async function checkLint({ name, content }: CheckedDocument): Promise<CheckResult> {
  const { createConfig, lintFromString } = await import('@redocly/openapi-core');
  const config = await createConfig({ extends: ['recommended'] });
  const problem = (place: string, message: string): SpecProblem => ({ check: 'lint', document: name, place, message });
  try {
    const found = await lintFromString({ source: JSON.stringify(content, null, 2), absoluteRef: name, config });
    const problems = found.map(({ ruleId, severity, message, location }) =>
      problem((location[0]?.pointer ?? '').replace(/^#/, ''), `${severity}: ${message} (${ruleId})`),
    );
    return { problems, seen: 1 };
  } catch (error) {
    // The library throws on circular references instead of reporting them.
    return { problems: [problem('', messageOf(error))], seen: 1 };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
