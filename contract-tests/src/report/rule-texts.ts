import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, packageRoot, type Requirement, readRequirements } from '../../../specs/src/index.ts';
import { HarnessError } from '../contract/errors.ts';
import type { Rule } from '../contract/rule.ts';

let sentences: Sentences | undefined;
const found = new Map<string, string>();
let requirements: ReadonlyMap<string, Requirement> | undefined;

/** What a rule checks, as a sentence; its id where it has none, as a rule of a caller's own. The file is read once. */
export function ruleSentence({ id: ruleId, sentence }: Pick<Rule, 'id' | 'sentence'>): string {
  if (sentence !== undefined) return sentence;
  sentences ??= parseSentences(
    JSON.parse(readFileSync(join(packageRoot(), 'contract-tests/rule-sentences.json'), 'utf8')),
  );
  const known = found.get(ruleId) ?? sentenceOf(sentences, ruleId) ?? ruleId;
  found.set(ruleId, known);
  return known;
}

/** A requirement of the register, which is read once. */
export function requirementOf(id: string): Requirement | undefined {
  requirements ??= new Map(readRequirements().map((one) => [one.id, one]));
  return requirements.get(id);
}

export type Sentences = ReadonlyMap<string, string>;

/**
 * The sentences by rule id, or by the start of rule ids with a `*` behind it. A sentence states what a right server does; one with
 * "is noted" belongs to a rule that observes what the documents leave open. Throws `HarnessError` on any other form.
 */
export function parseSentences(value: unknown): Sentences {
  if (!isJsonObject(value)) throw new HarnessError('rule-sentences.json is not a map');
  return new Map(
    Object.entries(value).map(([key, sentence]) => {
      if (typeof sentence !== 'string' || sentence.trim() === '')
        throw new HarnessError(`rule-sentences.json: ${key} has no sentence`);
      return [key, sentence.trim()];
    }),
  );
}

/** The sentence of a rule: its own, else that of the longest start of its id, with the rest of the id in place of `{}`. */
export function sentenceOf(sentences: Sentences, ruleId: string): string | undefined {
  const own = sentences.get(ruleId);
  if (own !== undefined) return own;
  const starts = [...sentences.keys()]
    .filter((key) => key.endsWith('*'))
    .map((key) => key.slice(0, -1))
    .filter((start) => ruleId.startsWith(start))
    .toSorted((one, other) => other.length - one.length);
  const [start] = starts;
  if (start === undefined) return undefined;
  return sentences.get(`${start}*`)?.replace('{}', () => ruleId.slice(start.length).replace(/[.-]/g, ' '));
}
