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
import {
  type Choice,
  type Freedom,
  findRequirement,
  readChoices,
  readFreedoms,
  readRequirements,
} from '../../../specs/src/index.ts';
import { UsageError } from '../errors.ts';
import type { CommandIo } from '../io.ts';

type Explanation = {
  /** What `--json` prints. */
  readonly facts: { readonly kind: string; readonly id: string } & Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly lines: readonly string[];
  /** A command to try. */
  readonly hint?: string;
};

const allRules = listRules();

/** Every id of the tool's output. What stands first answers to its name alone. */
function explainAll(): readonly Explanation[] {
  return [
    ...allRules.map(explainRule),
    ...readRequirements().map(explainRequirement),
    ...explainWords('diagnostic', 'diagnostic of generate', diagnosticTexts),
    ...explainWords('change', 'rule of changes of diff', changeTexts),
    ...explainWords('finding', 'code of a finding of conform', findingTexts),
    ...explainWords('outcome', 'outcome of a rule of conform', outcomeTexts),
    ...listFaults().map((fault) => explainDeviation('fault', 'Violates', fault)),
    ...listVariants().map((variant) => explainDeviation('variant', 'Uses what is left open at', variant)),
    ...explainRequisites(({ id }) => id),
    ...explainRequisites(({ name }) => name),
    ...readChoices().map(explainChoice),
    ...readFreedoms().map(explainFreedom),
  ];
}

const foundShown = 30;

/** What an id of the tool's output means, as text or as JSON; or what has these words, which may be a part of an id. */
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
  if (others.length > 0) {
    const shown = found
      .slice(0, foundShown)
      .map(({ facts, lines }) => `${io.style('strong', facts.id)}  ${lines[0]}\n`);
    const more = found.length > foundShown ? `and ${found.length - foundShown} more: add a word\n` : '';
    const list = `${shown.join('')}${more}${io.style('dim', `next: npx openapi-switchyard explain ${only.facts.id}`)}\n`;
    const matching = found.map(({ facts }) => facts);
    io.out(flags.json ? `${JSON.stringify(matching, null, 2)}\n` : list);
    return 0;
  }
  const { facts, title, lines, hint } = only;
  const head = `${io.style('strong', facts.id)}  ${io.style('dim', title)}`;
  const last = hint === undefined ? [] : [io.style('dim', `try it: ${hint}`)];
  io.out(flags.json ? `${JSON.stringify(facts, null, 2)}\n` : `${[head, ...lines, ...last].join('\n')}\n`);
  return 0;
}

function explainRule(rule: ReturnType<typeof listRules>[number]): Explanation {
  const { id, sentence, api, cost } = rule;
  const requirements = rule.requirements.flatMap((name) => {
    const known = findRequirement(name);
    return known === undefined ? [] : [{ id: name, section: known.section, statement: known.statement }];
  });
  return {
    facts: { kind: 'rule', id, sentence, api, cost, requirements, readings: listReadings(rule) },
    title: `rule of the ${api} API, ${cost}`,
    lines: [
      sentence,
      `It ${describeGrounds(rule)}`,
      ...requirements.map((one) => `${one.id} (section ${one.section}): ${one.statement}`),
    ],
    hint: `npx openapi-switchyard conform --rule '${id}'`,
  };
}

function explainRequirement(requirement: ReturnType<typeof readRequirements>[number]): Explanation {
  const { id, section, statement, level } = requirement;
  const rules = allRules
    .filter(({ requirements }) => requirements.includes(id))
    .map((rule) => ({ id: rule.id, sentence: rule.sentence }));
  const heading = rules.length === 0 ? 'No rule of the gate checks it.' : 'Checked by:';
  return {
    facts: { kind: 'requirement', id, section, statement, level, rules },
    title: `requirement, section ${section}, ${level}`,
    lines: [statement, heading, ...rules.map((rule) => `  ${rule.id}: ${rule.sentence}`)],
  };
}

function explainWords(kind: string, title: string, texts: Readonly<Record<string, string>>): Explanation[] {
  return Object.entries(texts).map(([id, meaning]) => ({ facts: { kind, id, meaning }, title, lines: [meaning] }));
}

/** What the sandbox does on purpose. */
function explainDeviation(kind: string, relation: string, entry: ReturnType<typeof listVariants>[number]): Explanation {
  const { id, description, requirements } = entry;
  return {
    facts: { kind, id, description, requirements },
    title: `${kind} of the sandbox`,
    lines: [description, ...requirements.map((one) => `${relation} ${one}: ${findRequirement(one)?.statement}`)],
    hint: `npx openapi-switchyard conform --target sandbox --${kind} '${id}'`,
  };
}

/** What rules require of a target. Credentials of both APIs may share a name. */
function explainRequisites(key: (row: (typeof requisites)[number]) => string): Explanation[] {
  return [...Map.groupBy(requisites, key)].map(([id, rows]) => {
    const given = rows.map(({ id: row, sentence, setting }) => {
      const rules = allRules.filter(({ requires }) => requires.some((ids) => ids.includes(row)));
      return { sentence, setting, rules: rules.map((rule) => rule.id) };
    });
    return {
      facts: { kind: 'requisite', id, given },
      title: 'what rules require of a target',
      lines: given.flatMap(({ sentence, setting, rules }) => [
        `${sentence}${setting === undefined ? '' : ` Given with ${setting}.`}`,
        ...(rules.length === 0 ? [] : [`Required by ${rules.length} rules:`]),
        ...rules.map((rule) => `  ${rule}`),
      ]),
    };
  });
}

function explainChoice(choice: Choice): Explanation {
  const { id, section, question, choice: chosen, why, override } = choice;
  const rules = allRules.filter((rule) => listReadings(rule).includes(id));
  return {
    facts: { ...choice, rules: rules.map((rule) => rule.id) },
    title: `${choice.kind}, section ${section}`,
    lines: [
      ...(question === undefined ? [] : [question]),
      chosen,
      ...(why === undefined ? [] : [`Why: ${why}`]),
      ...(override === undefined ? [] : [`To choose otherwise: ${override}`]),
      ...(rules.length === 0 ? [] : [`Rules that fail only where conform.readings requires ${id}, or note it:`]),
      ...rules.map((rule) => `  ${rule.id}: ${rule.sentence}`),
    ],
  };
}

function explainFreedom(freedom: Freedom): Explanation {
  const { text, reading, why, variants = [] } = freedom;
  const words = text === undefined ? `The API leaves it open: ${reading}.` : `The API says: ${text}`;
  return {
    facts: { ...freedom },
    title: 'freedom of a server',
    lines: [why ?? words, ...variants.map((variant) => `Variant of the sandbox that uses it: ${variant}`)],
  };
}

/** Names with all the words first, those that begin with them before; then what says the words. */
function findByWords(name: string, all: readonly Explanation[]): readonly Explanation[] {
  const words = name.toLowerCase().split(/\s+/);
  const rank = ({ facts, lines: [sentence = ''] }: Explanation): number => {
    const id = facts.id.toLowerCase();
    if (id.startsWith(name.toLowerCase())) return 0;
    if (words.every((word) => id.includes(word))) return 1;
    return words.every((word) => `${id} ${sentence}`.toLowerCase().includes(word)) ? 2 : 3;
  };
  const ranked = all.map((one) => ({ one, at: rank(one) })).filter(({ at }) => at < 3);
  return ranked.toSorted((one, other) => one.at - other.at).map(({ one }) => one);
}
