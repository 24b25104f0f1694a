import { inject, test } from 'vitest';
import { httpPorts } from '../adapters/http-ports.ts';
import { type Planned, planConformance } from '../engine/plan.ts';
import { openSession, type Session } from '../engine/session.ts';
import { recordOf } from '../report/record.ts';
import { createRedactor } from '../report/redact.ts';
import { type Rule, wholeRun } from '../rule.ts';
import type { SuiteInput } from './suite-input.ts';

// One session for all files of a worker: once the target is lost, no file sends again.
let session: Session | undefined;

function beginAll(plan: readonly Planned[], input: SuiteInput): Session {
  const begun = sessionOf(input);
  // The files come one after another, and the waits of a family can be spent on the next. Rules over the whole run wait for their file, the last.
  for (const planned of plan) if (planned.rule.probe !== wholeRun) void begun.run(planned);
  return begun;
}

/** Registers one test per chosen rule of a family, named by the rule's id. What a rule came to is data, never a failed test. */
export function registerFamily(family: string, rules: readonly Rule[]): void {
  const input = inject('conformance');
  const redact = createRedactor(input.target);
  const plan = planConformance(rules, input.target, input.patterns ?? undefined);
  for (const planned of plan.filter(({ rule }) => rule.family === family)) {
    // Waits overlap; the order is kept by the session.
    test.concurrent(planned.rule.id, { timeout: input.limits.runMs * 2 }, async ({ task }) => {
      session ??= beginAll(plan, input);
      const result = recordOf(await session.run(planned), redact);
      task.meta.conformance = { result, lost: session.lost() ?? null };
    });
  }
}

function sessionOf({ target, specs, survey, limits, endsAtMs, earlier }: SuiteInput): Session {
  return openSession({ target, specs, survey, limits, endsAtMs, earlier }, httpPorts(target));
}
