import type { CheckedDocument, CheckResult, SpecProblem } from './problem.ts';

/** Redocly's recommended ruleset on the document in memory; warnings count as problems. */
export async function checkLint({ name, content }: CheckedDocument): Promise<CheckResult> {
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
    // References in a circle are thrown rather than reported.
    return { problems: [problem('', error instanceof Error ? error.message : String(error))], seen: 1 };
  }
}
