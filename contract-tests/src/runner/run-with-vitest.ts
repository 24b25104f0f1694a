import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../../specs/src/index.ts';
import { httpPorts } from '../adapters/http-ports.ts';
import { openReportFolder } from '../adapters/report-files.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { type ConformanceInput, closeRun, notReached, type OnResult, type Opening, openRun } from '../conformance.ts';
import { renderJson } from '../report/render-json.ts';
import { renderJunit } from '../report/render-junit.ts';
import type { ConformanceReport, RuleResult } from '../report/report.ts';
import type { Rule } from '../rule.ts';
import { InPlannedOrder } from './planned-order.ts';
import { type Collected, collectResults } from './result-reporter.ts';
import type { SuiteInput } from './suite-input.ts';

export type RunnerOptions = {
  /** Gets `result.json` and `junit.xml`, each replaced as a whole. */
  readonly outDir: string;
  readonly onResult?: OnResult;
};

/** Judges a target with Vitest as the runner: one suite file per family, one test per rule. Throws `HarnessError` when the reports cannot be written. */
export async function runSuites(
  rules: readonly Rule[],
  input: ConformanceInput,
  options: RunnerOptions,
): Promise<ConformanceReport> {
  const reports = await openReportFolder(options.outDir);
  const opening = await openRun(rules, input, httpPorts(input.target));
  const collected =
    opening.reachability.kind === 'reachable' ? await collectFromVitest(input, opening, options) : undefined;
  const results = collected === undefined ? notReached(opening) : inPlannedOrder(opening, collected);
  const report = closeRun(input, opening, { results, lost: collected?.lost, endedAtMs: systemClock.now() });
  await reports.write({ 'result.json': renderJson(report), 'junit.xml': renderJunit(report) });
  return report;
}

async function collectFromVitest(
  input: ConformanceInput,
  opening: Opening,
  options: RunnerOptions,
): Promise<Collected> {
  // Loading Vitest takes longer than most runs of a single rule: only when it is needed.
  const { createVitest } = await import('vitest/node');
  const { reporter, collected } = collectResults(options.onResult);
  const exitCode = process.exitCode;
  const vitest = await createVitest(
    {
      root: packageRoot(),
      config: false,
      watch: false,
      include: [...suiteFiles(opening)],
      exclude: [],
      reporters: [reporter],
      pool: 'threads',
      isolate: false,
      fileParallelism: false,
      sequence: { sequencer: InPlannedOrder },
      // All of a file begin in the order of the plan; the session decides how many send at a time.
      maxConcurrency: opening.plan.length + 1,
      cache: false,
      provide: { conformance: suiteInputOf(input, opening) },
      disableConsoleIntercept: true,
      experimental: { viteModuleRunner: false, nodeLoader: false },
    },
    { logLevel: 'silent' },
  );
  try {
    await vitest.start();
  } finally {
    await vitest.close();
    // The runner's opinion of the tests is not the command's.
    process.exitCode = exitCode;
  }
  return collected;
}

// The suites lie beside the sources as `.ts` and beside the built copy as `.js`.
function suiteFiles({ plan }: Opening): readonly string[] {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const families = new Set(plan.map(({ rule }) => rule.family));
  return [...families].map((family) =>
    fileURLToPath(new URL(`../../suites/${family}.suite.${ending}`, import.meta.url)),
  );
}

function suiteInputOf({ specs, rules }: ConformanceInput, opening: Opening): SuiteInput {
  const { target, survey, limits, startedAtMs, earlier } = opening;
  const endsAtMs = startedAtMs + limits.runMs;
  return { target, specs, survey, limits, endsAtMs, earlier, patterns: rules ?? null };
}

function inPlannedOrder({ plan }: Opening, { results, troubles }: Collected): readonly RuleResult[] {
  const found = new Map(results.map((result) => [result.ruleId, result]));
  return plan.map(({ rule }) => {
    const { id: ruleId, family, requirements, cost } = rule;
    const message = `the runner brought no result: ${troubles.join('; ')}`;
    return (
      found.get(ruleId) ?? {
        ruleId,
        family,
        requirements,
        cost,
        outcome: { kind: 'errored', message },
        evidence: [],
        durationMs: 0,
      }
    );
  });
}
