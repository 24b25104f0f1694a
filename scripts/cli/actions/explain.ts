import {
  describeGrounds,
  findingTexts,
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

type Entry = {
  readonly id: string;
  readonly title: string;
  readonly lines: readonly string[];
  /** A command to try. */
  readonly hint?: string;
};

const mostShown = 30;

/** Prints the meaning of an id of the tool's output, or lists the ids that match these words. */
export function runExplain(_: object, io: CommandIo, words: readonly string[]): number {
  const name = words.join(' ');
  const all = listEntries();
  const exact = all.find(({ id }) => id === name);
  const [first, ...others] = exact === undefined ? findByWords(name, all) : [exact];
  if (first === undefined)
    throw new UsageError(
      `nothing has the name or the words ${JSON.stringify(name)}; conform --list-rules, sandbox --list-faults and --list-variants list names; rules of your own are not explained`,
    );
  if (others.length === 0) {
    io.out(`${[`${io.style('strong', first.id)}  ${io.style('dim', first.title)}`, ...first.lines].join('\n')}\n`);
    if (first.hint !== undefined) io.out(`${io.style('dim', `try it: ${first.hint}`)}\n`);
    return 0;
  }
  for (const { id, lines } of [first, ...others].slice(0, mostShown))
    io.out(`${io.style('strong', id)}  ${lines[0]}\n`);
  if (others.length >= mostShown)
    io.out(`${others.length + 1 - mostShown} more entries match: add a word to narrow the search\n`);
  io.out(`${io.style('dim', `next: npx openapi-switchyard explain ${first.id}`)}\n`);
  return 0;
}

/** Lists every id of the tool's output. Where two entries have an id, the first one is shown. */
function listEntries(): readonly Entry[] {
  const rules = listRules();
  const listed = (rows: readonly { id: string; sentence: string }[], heading: string): string[] =>
    rows.length === 0 ? [] : [heading, ...rows.map(({ id, sentence }) => `  ${id}: ${sentence}`)];
  const words = (title: string, texts: Readonly<Record<string, string>>): Entry[] =>
    Object.entries(texts).map(([id, meaning]) => ({ id, title, lines: [meaning] }));
  const deviations = (kind: string, relation: string, rows: readonly Deviation[]): Entry[] =>
    rows.map(({ id, description, requirements }) => ({
      id,
      title: `${kind} of the sandbox`,
      lines: [description, ...requirements.map((one) => `${relation} ${one}: ${findRequirement(one)?.statement}`)],
      hint: `npx openapi-switchyard conform --target sandbox --${kind} '${id}'`,
    }));
  // Credentials of both APIs may share a name.
  const needs = (key: 'id' | 'name'): Entry[] =>
    [...Map.groupBy(requisites, (row) => row[key])].map(([id, rows]) => {
      const lines = rows.flatMap(({ id: row, sentence, setting }) => {
        const requiring = rules.filter(({ requires }) => requires.some((ids) => ids.includes(row)));
        return [
          `${sentence}${setting === undefined ? '' : ` Given with ${setting}.`}`,
          ...(requiring.length === 0 ? [] : [`Required by ${requiring.length} rules:`]),
          ...requiring.map((rule) => `  ${rule.id}`),
        ];
      });
      return { id, title: 'what rules require of a target', lines };
    });
  return [
    ...rules.map((rule): Entry => {
      const cited = rule.requirements.flatMap((name) => {
        const known = findRequirement(name);
        return known === undefined ? [] : [`${name} (section ${known.section}): ${known.statement}`];
      });
      return {
        id: rule.id,
        title: `rule of the ${rule.api} API, ${rule.cost}`,
        lines: [rule.sentence, `It ${describeGrounds(rule)}`, ...cited],
        hint: `npx openapi-switchyard conform --router-url https://router.example --rule '${rule.id}'`,
      };
    }),
    ...readRequirements().map(({ id, section, statement, level }): Entry => {
      const checking = listed(
        rules.filter(({ requirements }) => requirements.includes(id)),
        'Checked by:',
      );
      const lines = checking.length === 0 ? ['No rule of the gate checks it.'] : checking;
      return { id, title: `requirement, section ${section}, ${level}`, lines: [statement, ...lines] };
    }),
    ...words('diagnostic of generate', diagnosticTexts),
    ...words('rule of changes of diff', changeTexts),
    ...words('code of a finding of conform', findingTexts),
    ...words('outcome of a rule of conform', outcomeTexts),
    ...deviations('fault', 'Violates', listFaults()),
    ...deviations('variant', 'Uses what is left open at', listVariants()),
    ...needs('id'),
    ...needs('name'),
    ...readChoices().map(({ id, kind, section, question, choice, why, override }): Entry => {
      const resting = rules.filter((rule) => listReadings(rule).includes(id));
      const lines = [
        question,
        choice,
        why && `Why: ${why}`,
        override && `To choose otherwise: ${override}`,
        ...listed(resting, `Rules that fail only where conform.readings requires ${id}, or note it:`),
      ];
      return { id, title: `${kind}, section ${section}`, lines: lines.filter((line) => line !== undefined) };
    }),
    ...readFreedoms().map(({ id, text, reading, why, variants = [] }): Entry => {
      const grounds = text === undefined ? `The API leaves it open: ${reading}.` : `The API says: ${text}`;
      const using = variants.map((variant) => `Variant of the sandbox that uses it: ${variant}`);
      return { id, title: 'freedom of a server', lines: [why ?? grounds, ...using] };
    }),
  ];
}

type Deviation = { readonly id: string; readonly description: string; readonly requirements: readonly string[] };

/** Finds ids that begin with the name, then ids with all its words, then entries whose id and first line have the words. */
function findByWords(name: string, all: readonly Entry[]): readonly Entry[] {
  const wanted = name.toLowerCase();
  const hasWords = (text: string): boolean => wanted.split(/\s+/).every((word) => text.toLowerCase().includes(word));
  return [
    ...new Set([
      ...all.filter(({ id }) => id.toLowerCase().startsWith(wanted)),
      ...all.filter(({ id }) => hasWords(id)),
      ...all.filter(({ id, lines }) => hasWords(`${id} ${lines[0]}`)),
    ]),
  ];
}
