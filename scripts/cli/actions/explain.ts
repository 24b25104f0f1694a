import {
  describeGrounds,
  findingTexts,
  listReadings,
  listRules,
  outcomeTexts,
  type Requisite,
  requisites,
} from '../../../contract-tests/src/index.ts';
import { changeTexts, diagnosticTexts } from '../../../generator/src/index.ts';
import { listFaults, listVariants } from '../../../sandbox/src/index.ts';
import { findRequirement, readChoices, readFreedoms, readRequirements } from '../../../specs/src/index.ts';
import { UsageError } from '../errors.ts';
import type { CommandIo } from '../io.ts';

type Explanation = {
  /** The output of `--json`. */
  readonly facts: { readonly kind: string; readonly id: string } & Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly lines: readonly string[];
  /** A command to try. */
  readonly hint?: string;
};

const foundShown = 30;

/** Prints what an id of the tool's output means, as text or as JSON; or lists the ids that match these words. */
export function runExplain(flags: { json?: boolean }, io: CommandIo, words: readonly string[]): number {
  const name = words.join(' ');
  const all = explainAll();
  const exact = all.find(({ facts }) => facts.id === name);
  const found = exact === undefined ? findByWords(name, all) : [exact];
  const [only, ...others] = found;
  if (only === undefined)
    throw new UsageError(
      `nothing is called ${JSON.stringify(name)} or says so; conform --list-rules, sandbox --list-faults and --list-variants list names`,
    );
  const { facts, title, lines, hint } = only;
  if (flags.json) {
    const shown = others.length > 0 ? found.map((one) => one.facts) : facts;
    io.out(`${JSON.stringify(shown, null, 2)}\n`);
  } else if (others.length > 0) {
    for (const one of found.slice(0, foundShown)) io.out(`${io.style('strong', one.facts.id)}  ${one.lines[0]}\n`);
    if (found.length > foundShown)
      io.out(`${found.length - foundShown} more entries match: add a word to narrow the search\n`);
    io.out(`${io.style('dim', `next: npx openapi-switchyard explain ${facts.id}`)}\n`);
  } else {
    const head = `${io.style('strong', facts.id)}  ${io.style('dim', title)}`;
    const last = hint === undefined ? [] : [io.style('dim', `try it: ${hint}`)];
    io.out(`${[head, ...lines, ...last].join('\n')}\n`);
  }
  return 0;
}

/** Every id of the tool's output. The first entry with a name answers to it. */
function explainAll(): readonly Explanation[] {
  const rules = listRules();
  const words = (kind: string, title: string, texts: Readonly<Record<string, string>>): Explanation[] =>
    Object.entries(texts).map(([id, meaning]) => ({ facts: { kind, id, meaning }, title, lines: [meaning] }));
  const deviations = [
    ...listFaults().map((entry) => ({ ...entry, kind: 'fault', relation: 'Violates' })),
    ...listVariants().map((entry) => ({ ...entry, kind: 'variant', relation: 'Uses what is left open at' })),
  ];
  // Requirements of rules on a target. Credentials of both APIs may share a name.
  const required = (key: (row: Requisite) => string): Explanation[] =>
    [...Map.groupBy(requisites, key)].map(([id, rows]) => {
      const given = rows.map(({ id: row, sentence, setting }) => {
        const requiring = rules.filter(({ requires }) => requires.some((ids) => ids.includes(row)));
        return { sentence, setting, rules: requiring.map((rule) => rule.id) };
      });
      const lines = given.flatMap(({ sentence, setting, rules: ids }) => [
        `${sentence}${setting === undefined ? '' : ` Given with ${setting}.`}`,
        ...(ids.length === 0 ? [] : [`Required by ${ids.length} rules:`, ...ids.map((rule) => `  ${rule}`)]),
      ]);
      return { facts: { kind: 'requisite', id, given }, title: 'what rules require of a target', lines };
    });
  return [
    ...rules.map((rule): Explanation => {
      const { id, sentence, api, cost } = rule;
      const requirements = rule.requirements.flatMap((name) => {
        const known = findRequirement(name);
        return known === undefined ? [] : [{ id: name, section: known.section, statement: known.statement }];
      });
      const cited = requirements.map((one) => `${one.id} (section ${one.section}): ${one.statement}`);
      return {
        facts: { kind: 'rule', id, sentence, api, cost, requirements, readings: listReadings(rule) },
        title: `rule of the ${api} API, ${cost}`,
        lines: [sentence, `It ${describeGrounds(rule)}`, ...cited],
        hint: `npx openapi-switchyard conform --router-url https://router.example --rule '${id}'`,
      };
    }),
    ...readRequirements().map(({ id, section, statement, level }): Explanation => {
      const checking = rules
        .filter(({ requirements }) => requirements.includes(id))
        .map((rule) => ({ id: rule.id, sentence: rule.sentence }));
      const heading = checking.length === 0 ? 'No rule of the gate checks it.' : 'Checked by:';
      return {
        facts: { kind: 'requirement', id, section, statement, level, rules: checking },
        title: `requirement, section ${section}, ${level}`,
        lines: [statement, heading, ...checking.map((rule) => `  ${rule.id}: ${rule.sentence}`)],
      };
    }),
    ...words('diagnostic', 'diagnostic of generate', diagnosticTexts),
    ...words('change', 'rule of changes of diff', changeTexts),
    ...words('finding', 'code of a finding of conform', findingTexts),
    ...words('outcome', 'outcome of a rule of conform', outcomeTexts),
    ...deviations.map(({ kind, relation, id, description, requirements }): Explanation => {
      const cited = requirements.map((one) => `${relation} ${one}: ${findRequirement(one)?.statement}`);
      return {
        facts: { kind, id, description, requirements },
        title: `${kind} of the sandbox`,
        lines: [description, ...cited],
        hint: `npx openapi-switchyard conform --target sandbox --${kind} '${id}'`,
      };
    }),
    ...required(({ id }) => id),
    ...required(({ name }) => name),
    ...readChoices().map((point): Explanation => {
      const { id, kind, section, question, choice, why, override } = point;
      const resting = rules.filter((rule) => listReadings(rule).includes(id));
      const heading = `Rules that fail only where conform.readings requires ${id}, or note it:`;
      return {
        facts: { ...point, rules: resting.map((rule) => rule.id) },
        title: `${kind}, section ${section}`,
        lines: [
          ...(question === undefined ? [] : [question]),
          choice,
          ...(why === undefined ? [] : [`Why: ${why}`]),
          ...(override === undefined ? [] : [`To choose otherwise: ${override}`]),
          ...(resting.length === 0 ? [] : [heading, ...resting.map((rule) => `  ${rule.id}: ${rule.sentence}`)]),
        ],
      };
    }),
    ...readFreedoms().map((freedom): Explanation => {
      const { text, reading, why, variants = [] } = freedom;
      const words = text === undefined ? `The API leaves it open: ${reading}.` : `The API says: ${text}`;
      return {
        facts: { ...freedom },
        title: 'freedom of a server',
        lines: [why ?? words, ...variants.map((variant) => `Variant of the sandbox that uses it: ${variant}`)],
      };
    }),
  ];
}

/** Ids that begin with the name, then ids with all its words, then entries whose first line has the words. */
function findByWords(name: string, all: readonly Explanation[]): readonly Explanation[] {
  const wanted = name.toLowerCase();
  const words = wanted.split(/\s+/);
  const hasWords = (text: string): boolean => words.every((word) => text.includes(word));
  const tiers: readonly ((id: string, line: string) => boolean)[] = [
    (id) => id.startsWith(wanted),
    hasWords,
    (id, line) => hasWords(`${id} ${line}`),
  ];
  const found = tiers.flatMap((matches) =>
    all.filter(({ facts, lines: [line = ''] }) => matches(facts.id.toLowerCase(), line.toLowerCase())),
  );
  return [...new Set(found)];
}
