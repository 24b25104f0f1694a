import { inject, test } from 'vitest';
import { httpPorts } from '../adapters/http-ports.ts';
import { planConformance } from '../engine/plan.ts';
import { openSession, type Session } from '../engine/session.ts';
import { recordOf } from '../report/record.ts';
import { createRedactor } from '../report/redact.ts';
import type { Rule } from '../rule.ts';
import type { SuiteInput } from './suite-input.ts';

// One session for all files of a worker: once the target is lost, no file sends again.
let session: Session | undefined;

/** Registers one test per chosen rule of a family, named by the rule's id. What a rule came to is data, never a failed test. */
export function registerFamily(family: string, rules: readonly Rule[]): void {
  const input = inject('conformance');
  const redact = createRedactor(input.target);
  const plan = planConformance(rules, input.target, input.patterns ?? undefined);
  for (const planned of plan.filter(({ rule }) => rule.family === family)) {
    // The waits of queue rules overlap; their order is kept by the session.
    test.concurrent(planned.rule.id, { timeout: input.limits.runMs * 2 }, async ({ task }) => {
      session ??= sessionOf(input);
      const result = recordOf(await session.run(planned), redact);
      task.meta.conformance = { result, lost: session.lost() ?? null };
    });
  }
}

function sessionOf({ target, specs, survey, limits, endsAtMs, earlier }: SuiteInput): Session {
  return openSession({ target, specs, survey, limits, endsAtMs, earlier }, httpPorts(target));
}
