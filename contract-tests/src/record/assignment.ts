import { appendFileSync } from 'node:fs';
import { BrandMismatch } from '../../../specs/src/index.ts';
import type { Ports } from '../contract/exchange.ts';
import type { Rule } from '../contract/rule.ts';
import { withOwnRules } from '../own-rules.ts';
import type { ConformanceInput, Recorder } from '../run/check.ts';
import type { Queued } from '../run/settle.ts';
import { httpPorts } from '../targets/ports.ts';
import { type Entry, openRecord, type Stopped } from './record.ts';

type RulesModule = { readonly allRules: readonly Rule[] };

export type Assignment = {
  readonly rules: string;
  readonly input: ConformanceInput;
  readonly startedAtMs: number;
  readonly skipped: readonly Stopped[];
  /** Path of a file that receives each call that may be billed, before it is sent. */
  readonly notes?: string | undefined;
  /** If set, the check has ended and the process only cancels these requests. */
  readonly queued?: readonly Queued[];
};

/** Rules, ports and record of a check over HTTP in this process. */
export type PreparedCheck = { readonly rules: readonly Rule[]; readonly ports: Ports; readonly record: Recorder };

/** Imports the rules, and opens the record and the connections. Recording throws `BrandMismatch` for a different brand. */
export async function prepareCheck(
  { rules: module, input, startedAtMs, skipped, notes }: Assignment,
  onEntry: (entry: Entry) => void,
): Promise<PreparedCheck> {
  const { allRules }: RulesModule = await import(module);
  const rules = await withOwnRules(allRules, input.ownRules);
  const writeEntry = (entry: Entry): void => {
    // Written to disk before the request is sent.
    if (entry.kind === 'run' && notes !== undefined)
      appendFileSync(notes, `${JSON.stringify(entry.record)}\n`, { mode: 0o600, flush: true });
    onEntry(entry);
  };
  const recorder = openRecord(input, { startedAtMs, skipped, onEntry: writeEntry });
  const addDiscovery: Recorder['addDiscovery'] = (found) => {
    if (found.otherBrand !== undefined) throw new BrandMismatch(input.specs.settings.brand, found.otherBrand);
    recorder.addDiscovery(found);
  };
  return { rules, ports: httpPorts(input.target, input.maxRps), record: { ...recorder, addDiscovery } };
}
