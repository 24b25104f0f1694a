import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { openTrialThreads } from '../adapters/trial-threads.ts';
import {
  checkRules,
  type DeclaredFault,
  type DeclaredVariant,
  type Progress,
  type SelfCheckReport,
} from './self-check.ts';
import { type OpenSubject, tryOut } from './trial.ts';

export type SelfCheckOptions = {
  readonly specs: EffectiveSpecs;
  readonly faults: readonly DeclaredFault[];
  readonly variants: readonly DeclaredVariant[];
  /**
   * Makes the subject of a trial: a function, or, for several threads, the URL of a module that exports one as
   * `openSubject(specs)`.
   */
  readonly subject: OpenSubject | { readonly module: string; readonly threads: number };
  readonly onProgress?: (progress: Progress) => void;
};

/** The gate against itself: every rule on a healthy subject, every fault and every near-miss by all rules. */
export async function runSelfCheck(options: SelfCheckOptions): Promise<SelfCheckReport> {
  const { specs, faults, variants, subject, onProgress = () => undefined } = options;
  const now = () => systemClock.now();
  if (typeof subject === 'function') {
    const inTurn = { faults, variants, now, atOnce: 1, tryOut: tryOut.bind(undefined, specs, subject) };
    return await checkRules(inTurn, onProgress);
  }
  const threads = openTrialThreads(subject, specs);
  try {
    return await checkRules({ faults, variants, now, atOnce: subject.threads, tryOut: threads.tryOut }, onProgress);
  } finally {
    await threads.close();
  }
}
