import { readChoices } from '../../../specs/src/index.ts';
import { HarnessError } from './errors.ts';
import type { Rule } from './rule.ts';
import type { Target } from './target.ts';

/** The sentence that says how we read it. Throws `HarnessError` on an id that specs/open-points.yaml lacks. */
export function findChoice(id: string): string {
  const row = readChoices().find((one) => one.id === id);
  if (row === undefined) throw new HarnessError(`no assumption is called ${id}`);
  return row.choice;
}

type Grounds = Pick<Rule, 'reading' | 'partReading'>;

export function listReadings({ reading, partReading }: Grounds): readonly string[] {
  return [reading ?? [], partReading ?? []].flat();
}

/** Introduces the sentences of the text that a rule rests on, and names its readings. */
export function describeGrounds(grounds: Grounds): string {
  const ours = listReadings(grounds).map((id) => `our reading ${id} (${findChoice(id).replace(/\.$/, '')})`);
  if (grounds.reading !== undefined) return `rests on ${ours.join(' and ')}, about:`;
  return ours.length === 0 ? 'rests on the text:' : `rests on the text, and in part on ${ours.join(' and ')}:`;
}

export function areRequired(ids: readonly string[], { readings = {} }: Pick<Target, 'readings'>): boolean {
  return readings === 'required' || ids.every((id) => readings[id] === 'required');
}

/** The readings that a finding of the rule rests on. Throws `HarnessError` where it names one that the rule does not. */
export function readingsBehind(rule: Rule, { reading }: { readonly reading?: string }): readonly string[] {
  if (reading === undefined) return [rule.reading ?? []].flat();
  if (listReadings(rule).includes(reading)) return [reading];
  throw new HarnessError(`a finding of ${rule.id} rests on ${reading}, which the rule does not name`);
}
