// The entry point of `import … from 'openapi-switchyard/vitest'`; vitest is a peer that only its users need.
import picomatch from 'picomatch';
import { beforeAll, describe, expect, test } from 'vitest';
import { disarmCommands } from '../specs/src/index.ts';
import { escapeForTerminal } from './cli/io.ts';
import {
  type ConformanceReport,
  type ConformOptions,
  conform,
  exitCodeOf,
  type OpenTarget,
  reasonOf,
  rules,
} from './conform.ts';

export type RegisterOptions = ConformOptions & {
  /** Name of the group of tests. Default: `conforms to the contract`. */
  readonly name?: string;
  /** Maximum time of the whole check in milliseconds. Default: ten minutes. */
  readonly timeoutMs?: number;
};

/** Makes text from a target safe for vitest's console. */
const show = (text: string): string => escapeForTerminal(disarmCommands(text));
const undecided = ['not-applicable', 'not-observable', 'blocked', 'setup-failed'];

/**
 * Registers a test for each rule, named by its id. Opens and checks the target once, before the first test. Skips rules
 * that could not be decided, and shows the reason. If the target is required to decide them, the test `the check is
 * complete` fails.
 */
export function registerRules(open: () => Promise<OpenTarget>, options: RegisterOptions = {}): void {
  const { name = 'conforms to the contract', timeoutMs = 600_000, ...chosen } = options;
  const isChosen = chosen.rules === undefined ? () => true : picomatch([...chosen.rules]);
  describe(name, () => {
    let report: ConformanceReport;
    beforeAll(async () => {
      report = await conform(await open(), chosen);
    }, timeoutMs);

    const ids = rules.map(({ id }) => id).filter((id) => isChosen(id));
    test.for(ids)('%s', (id, context) => {
      const outcome = report.results.find(({ ruleId }) => ruleId === id)?.outcome;
      if (outcome === undefined || undecided.includes(outcome.kind))
        context.skip(outcome === undefined ? 'the check ended before this rule was checked' : show(reasonOf(outcome)));
      else expect(outcome.kind === 'passed' || outcome.kind === 'observed', show(reasonOf(outcome))).toBe(true);
    });

    test('the check is complete', () => {
      const { reachability, missingRequired, shortfalls } = report;
      const problems = [
        ...(reachability.kind === 'unreachable' ? [`the target was not reached: ${reachability.because}`] : []),
        ...missingRequired.map(({ ruleId, because }) => `${ruleId} was not decided: ${because}`),
        ...shortfalls,
      ];
      // The tests above report findings.
      expect(problems.map(show), `exit code ${exitCodeOf(report)}`).toEqual([]);
    });
  });
}
