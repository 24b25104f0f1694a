import { appendFileSync } from 'node:fs';
import { BrandMismatch } from '../../../specs/src/index.ts';
import type { Rule } from '../contract/rule.ts';
import { withOwnRules } from '../own-rules.ts';
import type { ConformanceInput, Found } from '../run/check.ts';
import { checkTarget, openCheck } from '../run/engine.ts';
import { cancelQueued, type Queued } from '../run/settle.ts';
import { httpPorts } from '../targets/ports.ts';
import type { Entry, Stopped } from './record.ts';
import { openRecord } from './record.ts';

type RulesModule = { readonly allRules: readonly Rule[] };

/** Plain data to start a process with. */
export type Assignment = {
  /** URL of a `RulesModule`. */
  readonly rules: string;
  readonly input: ConformanceInput;
  readonly startedAtMs: number;
  readonly skipped: readonly Stopped[];
  /** Path of a file that receives each call that may be billed, before it is sent. */
  readonly notes?: string;
  /** Set after the check has ended: only cancel these requests. */
  readonly queued?: readonly Queued[];
};

/** Imports the rules of the gate and the custom rules. */
export async function importRules({ rules, input }: Assignment): Promise<readonly Rule[]> {
  const { allRules }: RulesModule = await import(rules);
  return withOwnRules(allRules, input.ownRules);
}

/**
 * Checks a target over HTTP in this process. Throws `HarnessError`, or `BrandMismatch` if the target uses another
 * brand.
 */
export async function performCheck(
  { input, startedAtMs, skipped, notes, queued }: Assignment,
  rules: readonly Rule[],
  onEntry: (entry: Entry) => void,
): Promise<void> {
  const ports = httpPorts(input.target, input.maxRps);
  if (queued !== undefined) {
    const limits = { ...input.limits, runMs: Number.MAX_SAFE_INTEGER };
    return cancelQueued(queued, openCheck({ ...input, limits }, ports, openRecord(input, { startedAtMs })));
  }
  const writeEntry = (entry: Entry): void => {
    // Written to disk before the request is sent.
    if (entry.kind === 'run' && notes !== undefined)
      appendFileSync(notes, `${JSON.stringify(entry.record)}\n`, { mode: 0o600, flush: true });
    onEntry(entry);
  };
  const recorder = openRecord(input, { startedAtMs, skipped, onEntry: writeEntry });
  const addDiscovery = (found: Found): void => {
    if (found.otherBrand !== undefined) throw new BrandMismatch(input.specs.settings.brand, found.otherBrand);
    recorder.addDiscovery(found);
  };
  await checkTarget(rules, input, ports, { ...recorder, addDiscovery });
}
