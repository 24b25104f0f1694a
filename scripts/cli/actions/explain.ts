import {
  describeBasis,
  findingTexts,
  type ListedRule,
  listReadings,
  listRules,
  outcomeTexts,
  requisites,
} from '../../../contract-tests/src/index.ts';
import { changeTexts, diagnosticTexts } from '../../../generator/src/index.ts';
import { listFaults, listVariants } from '../../../sandbox/src/index.ts';
import { findRequirement, readChoices, readFreedoms, readRequirements } from '../../../specs/src/index.ts';
import { UsageError } from '../errors.ts';
import type { CommandIo } from '../io.ts';

/** An id in the tool's output. */
type Entry = { readonly id: string; readonly title: string; readonly lines: readonly string[] };

const mostShown = 30;

/** Explains each of these ids. If a word is not an id, lists the ids that match all the words. */
export function runExplain(_: object, io: CommandIo, words: readonly string[]): number {
  const all = listEntries();
  const named = words.map((word) => all.find(({ id }) => id === word)).filter((entry) => entry !== undefined);
  const isNamed = named.length === words.length;
  const found = isNamed ? named : findByWords(words.join(' ').toLowerCase(), all);
  const [first] = found;
  if (first === undefined)
    throw new UsageError(
      `no entry matches ${JSON.stringify(words.join(' '))}: conform --list-rules, sandbox --list-faults and sandbox --list-variants list names; custom rules are not explained`,
    );
  if (isNamed || found.length === 1) {
    for (const { id, title, lines } of found)
      io.out(`${io.style('strong', id)}  ${io.style('dim', title)}\n${lines.map((line) => `${line}\n`).join('')}`);
    return 0;
  }
  for (const { id, lines } of found.slice(0, mostShown)) io.out(`${io.style('strong', id)}  ${lines[0]}\n`);
  if (found.length > mostShown)
    io.out(`${found.length - mostShown} more entries match: add words to narrow the search\n`);
  io.out(`${io.style('dim', `next: npx openapi-switchyard explain ${first.id}`)}\n`);
  return 0;
}

/** Finds the entries whose id and first line contain all the words. Ids that begin with the text come first. */
function findByWords(wanted: string, all: readonly Entry[]): readonly Entry[] {
  const words = wanted.split(/\s+/);
  const found = all.filter(({ id, lines }) => words.every((word) => `${id} ${lines[0]}`.toLowerCase().includes(word)));
  const rank = ({ id }: Entry): number => (id.toLowerCase().startsWith(wanted) ? 0 : 1);
  return found.toSorted((a, b) => rank(a) - rank(b));
}

/** Lists every id in the tool's output. If two entries have the same id, the first one is shown. */
function listEntries(): readonly Entry[] {
  const rules = listRules();
  const entries: Entry[] = [];
  const add = (id: string, title: string, lines: readonly (string | false | undefined)[]): void => {
    entries.push({ id, title, lines: lines.filter((line) => typeof line === 'string') });
  };
  const listMatching = (heading: string, isListed: (rule: ListedRule) => boolean): string[] => {
    const lines = rules.filter(isListed).map(({ id, sentence }) => `  ${id}: ${sentence}`);
    return lines.length > 0 ? [heading, ...lines] : [];
  };

  for (const rule of rules) {
    const cited = rule.requirements.map((name) => {
      const requirement = findRequirement(name);
      return requirement && `${name} (section ${requirement.section}): ${requirement.statement}`;
    });
    const failure = [`If it fails: ${rule.means}`, rule.usualCause && `Usual cause: ${rule.usualCause}`];
    const hint = `Check it: npx openapi-switchyard conform --rule '${rule.id}'`; // Uses the configured service.
    const lines = [rule.sentence, ...failure, `It ${describeBasis(rule)}`, ...cited, hint];
    add(rule.id, `rule of the ${rule.api} API, ${rule.cost}`, lines);
  }
  for (const { id, section, statement, level } of readRequirements()) {
    const checking = listMatching('Checked by:', ({ requirements }) => requirements.includes(id));
    const lines = [statement, ...checking, checking.length === 0 && 'No rule checks it.'];
    add(id, `requirement, section ${section}, ${level}`, lines);
  }
  for (const [title, texts] of [
    ['diagnostic of generate', diagnosticTexts],
    ['change code of diff', changeTexts],
    ['finding code of conform', findingTexts],
    ['rule outcome of conform', outcomeTexts],
  ] as const)
    for (const [id, meaning] of Object.entries(texts)) add(id, title, [meaning]);
  for (const [kind, relation, rows] of [
    ['fault', 'Violates', listFaults()],
    ['variant', 'Allowed by', listVariants()],
  ] as const)
    for (const { id, description, requirements } of rows) {
      const cited = requirements.map((name) => `${relation} ${name}: ${findRequirement(name)?.statement}`);
      const hint = `Try it: npx openapi-switchyard conform --target sandbox --${kind} '${id}'`;
      add(id, `${kind} of the sandbox`, [description, ...cited, hint]);
    }
  // Credentials of both APIs may have the same name.
  for (const key of ['id', 'name'] as const)
    for (const [id, rows] of Map.groupBy(requisites, (row) => row[key])) {
      const lines = rows.flatMap((row) => {
        const dependentRules = rules.filter(({ requires }) => requires.some((ids) => ids.includes(row.id)));
        const settingHint = row.setting === undefined ? '' : ` Set it with ${row.setting}.`;
        const heading = dependentRules.length > 0 && `Required by ${dependentRules.length} rules:`;
        return [`${row.sentence}${settingHint}`, heading, ...dependentRules.map((rule) => `  ${rule.id}`)];
      });
      add(id, 'what rules require of a target', lines);
    }
  for (const { id, kind, section, question, choice, why, override } of readChoices()) {
    const heading = `Rules that depend on it, and only fail if conform.readings requires ${id}:`;
    const dependentRules = listMatching(heading, (rule) => listReadings(rule).includes(id));
    const answers = [question, choice, why && `Why: ${why}`, override && `To choose otherwise: ${override}`];
    add(id, `${kind}, section ${section}`, [...answers, ...dependentRules]);
  }
  for (const { id, text, reading, why, variants = [] } of readFreedoms()) {
    const source = text === undefined ? `The API leaves it open: ${reading}.` : `The API says: ${text}`;
    const hints = variants.map((variant) => `Sandbox variant that uses it: ${variant}`);
    add(id, 'freedom: a behaviour that servers may choose', [why ?? source, ...hints]);
  }
  return entries;
}
