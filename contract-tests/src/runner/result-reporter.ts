import type { Reporter, TestCase } from 'vitest/node';
import type { OnResult } from '../conformance.ts';
import type { RuleResult } from '../report/report.ts';

export type Collected = { readonly results: RuleResult[]; lost: string | undefined; readonly troubles: string[] };

/** The one reporter: collects what the tests hand back, prints nothing. */
export function collectResults(onResult: OnResult | undefined): { reporter: Reporter; collected: Collected } {
  const collected: Collected = { results: [], lost: undefined, troubles: [] };
  const reporter: Reporter = {
    onTestCaseResult(testCase: TestCase) {
      const handed = testCase.meta().conformance;
      if (handed === undefined) {
        collected.troubles.push(`${testCase.name}: ${testCase.result().errors?.[0]?.message ?? 'no result'}`);
        return;
      }
      collected.results.push(handed.result);
      collected.lost ??= handed.lost ?? undefined;
      onResult?.(handed.result);
    },
    onTestRunEnd(modules, unhandled) {
      const broken = modules.flatMap((module) => module.errors());
      collected.troubles.push(...[...broken, ...unhandled].map((error) => error.message));
    },
  };
  return { reporter, collected };
}
