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

/** Start data of a process; plain data. `rules` is the address of a `RulesModule`. */
export type Assignment = {
  readonly rules: string;
  readonly input: ConformanceInput;
  readonly startedAtMs: number;
  readonly skipped: readonly Stopped[];
  /** The file that names each call that may be billed, before it is sent. */
  readonly notes?: string;
  /** The check is over: this is cancelled, and nothing else is done. */
  readonly queued?: readonly Queued[];
};

/** Imports the rules of the gate and those of the owner. */
export async function importRules({ rules, input }: Pick<Assignment, 'rules' | 'input'>): Promise<readonly Rule[]> {
  const { allRules }: RulesModule = await import(rules);
  return withOwnRules(allRules, input.ownRules);
}

/** Checks a target over HTTP in this process. Throws `HarnessError`, or `BrandMismatch` when the target uses another brand. */
export async function performCheck(
  { input, startedAtMs, skipped, notes, queued }: Omit<Assignment, 'rules'>,
  rules: readonly Rule[],
  hear: (entry: Entry) => void,
): Promise<void> {
  const ports = httpPorts(input.target, input.maxRps);
  if (queued !== undefined) {
    const limits = { ...input.limits, runMs: Number.MAX_SAFE_INTEGER };
    return cancelQueued(queued, openCheck({ ...input, limits }, ports, openRecord(input, { startedAtMs })));
  }
  const onEntry = (entry: Entry): void => {
    // It is on disk before the request is sent.
    if (entry.kind === 'run' && notes !== undefined)
      appendFileSync(notes, `${JSON.stringify(entry.record)}\n`, { mode: 0o600, flush: true });
    hear(entry);
  };
  const recorder = openRecord(input, { startedAtMs, skipped, onEntry });
  const addDiscovery = (found: Found): void => {
    if (found.otherBrand !== undefined) throw new BrandMismatch(input.specs.settings.brand, found.otherBrand);
    recorder.addDiscovery(found);
  };
  await checkTarget(rules, input, ports, { ...recorder, addDiscovery });
}
