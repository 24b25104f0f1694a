// The entry point of `import … from 'openapi-switchyard/vitest'`; vitest is a peer that only its users need.
import picomatch from 'picomatch';
import { beforeAll, describe, expect, test } from 'vitest';
import { disarmCommands } from '../specs/src/index.ts';
import { forTerminal } from './cli/io.ts';
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
  /** Name of the group of tests; default `conforms to the contract`. */
  readonly name?: string;
  /** The longest time of the whole check in milliseconds; default ten minutes. */
  readonly timeoutMs?: number;
};

/** Makes text of a target safe for the console of vitest. */
const show = (text: string): string => forTerminal(disarmCommands(text));
const undecided = ['not-applicable', 'not-observable', 'blocked', 'setup-failed'];

/**
 * Registers every rule as a test of its own, called by its id. The target is opened and checked once, before the first. A rule
 * that could not be decided is skipped with its reason; the test `the check is complete` fails when the target had to show it.
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
        context.skip(outcome === undefined ? 'the check had no time for it' : show(reasonOf(outcome)));
      else expect(outcome.kind === 'passed' || outcome.kind === 'observed', show(reasonOf(outcome))).toBe(true);
    });

    test('the check is complete', () => {
      const { reachability, missingRequired, shortfalls } = report;
      const problems = [
        ...(reachability.kind === 'unreachable' ? [`the target was not reached: ${reachability.because}`] : []),
        ...missingRequired.map(({ ruleId, because }) => `${ruleId} was not decided: ${because}`),
        ...shortfalls,
      ];
      // Findings are the business of the tests above.
      expect(problems.map(show), `exit code ${exitCodeOf(report)}`).toEqual([]);
    });
  });
}
