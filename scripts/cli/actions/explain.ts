import {
  describeGrounds,
  findingTexts,
  findRequirement,
  listReadings,
  listRules,
  outcomeTexts,
  requisites,
} from '../../../contract-tests/src/index.ts';
import { changeTexts, diagnosticTexts } from '../../../generator/src/index.ts';
import { listFaults, listVariants } from '../../../sandbox/src/index.ts';
import { readAssumptions, readRequirements } from '../../../specs/src/index.ts';
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

/** One kind of ids in the tool's output, each with its explanation. */
type Glossary = ReadonlyMap<string, () => Explanation>;

function glossary<Entry extends { readonly id: string }>(
  entries: readonly Entry[],
  explain: (entry: Entry) => Explanation,
): Glossary {
  return new Map(entries.map((entry) => [entry.id, () => explain(entry)]));
}

function readGlossaries(): readonly Glossary[] {
  return [
    glossary(listRules(), explainRule),
    glossary(readRequirements(), explainRequirement),
    explainWords('diagnostic', 'diagnostic of generate', diagnosticTexts),
    explainWords('change', 'rule of changes of diff', changeTexts),
    explainWords('finding', 'code of a finding of conform', findingTexts),
    explainWords('outcome', 'outcome of a rule of conform', outcomeTexts),
    explainDeviations('fault', 'Violates', listFaults()),
    explainDeviations('variant', 'Uses what is left open at', listVariants()),
    explainRequisites(({ id }) => id),
    explainRequisites(({ name }) => name),
    glossary(readAssumptions(), explainAssumption),
  ];
}

const foundShown = 30;

/** What an id of the tool's output means, as text or as JSON; or what has these words, which may be a part of an id. */
export function runExplain(words: readonly string[], flags: { json?: boolean }, io: CommandIo): number {
  const glossaries = readGlossaries();
  const name = words.join(' ');
  const exact = glossaries.map((one) => one.get(name)).find((one) => one !== undefined);
  const found = exact === undefined ? findByWords(name, glossaries) : [exact()];
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
    const list = `${shown.join('')}${more}${io.style('dim', `next: switchyard explain ${only.facts.id}`)}\n`;
    const all = found.map(({ facts }) => facts);
    io.out(flags.json ? `${JSON.stringify(all, null, 2)}\n` : list);
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
    hint: `switchyard conform --rule '${id}'`,
  };
}

function explainRequirement(requirement: ReturnType<typeof readRequirements>[number]): Explanation {
  const { id, section, statement, level } = requirement;
  const rules = listRules()
    .filter(({ requirements }) => requirements.includes(id))
    .map((rule) => ({ id: rule.id, sentence: rule.sentence }));
  const heading = rules.length === 0 ? 'No rule of the gate checks it.' : 'Checked by:';
  return {
    facts: { kind: 'requirement', id, section, statement, level, rules },
    title: `requirement, section ${section}, ${level}`,
    lines: [statement, heading, ...rules.map((rule) => `  ${rule.id}: ${rule.sentence}`)],
  };
}

function explainWords(kind: string, title: string, texts: Readonly<Record<string, string>>): Glossary {
  const entries = Object.entries(texts).map(([id, meaning]) => ({ id, meaning }));
  return glossary(entries, ({ id, meaning }) => ({ facts: { kind, id, meaning }, title, lines: [meaning] }));
}

type Deviation = { readonly id: string; readonly description: string; readonly requirements: readonly string[] };

/** What the sandbox does on purpose. */
function explainDeviations(kind: string, relation: string, entries: readonly Deviation[]): Glossary {
  return glossary(entries, ({ id, description, requirements }) => ({
    facts: { kind, id, description, requirements },
    title: `${kind} of the sandbox`,
    lines: [description, ...requirements.map((one) => `${relation} ${one}: ${findRequirement(one)?.statement}`)],
    hint: `switchyard conform --target sandbox --${kind} '${id}'`,
  }));
}

/** What rules require of a target. Credentials of both APIs may share a name. */
function explainRequisites(key: (row: (typeof requisites)[number]) => string): Glossary {
  const groups = [...Map.groupBy(requisites, key)].map(([id, rows]) => ({ id, rows }));
  return glossary(groups, ({ id, rows }) => {
    const given = rows.map(({ id: row, sentence, setting }) => {
      const rules = listRules().filter(({ requires }) => requires.some((ids) => ids.includes(row)));
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

function explainAssumption(assumption: ReturnType<typeof readAssumptions>[number]): Explanation {
  const { id, section, choice, why, override } = assumption;
  const rules = listRules().filter((rule) => listReadings(rule).includes(id));
  return {
    facts: { kind: 'assumption', ...assumption, rules: rules.map((rule) => rule.id) },
    title: `what the contract leaves open, section ${section}`,
    lines: [
      choice,
      `Why: ${why}`,
      `To choose otherwise: ${override}`,
      ...(rules.length === 0 ? [] : [`Rules that fail only where conform.readings requires ${id}, or note it:`]),
      ...rules.map((rule) => `  ${rule.id}: ${rule.sentence}`),
    ],
  };
}

/** Names with all the words first, those that begin with them before; then what says the words. */
function findByWords(name: string, glossaries: readonly Glossary[]): readonly Explanation[] {
  const words = name.toLowerCase().split(/\s+/);
  const rank = ({ facts, lines: [sentence = ''] }: Explanation): number => {
    const id = facts.id.toLowerCase();
    if (id.startsWith(name.toLowerCase())) return 0;
    if (words.every((word) => id.includes(word))) return 1;
    return words.every((word) => `${id} ${sentence}`.toLowerCase().includes(word)) ? 2 : 3;
  };
  const all = glossaries.flatMap((one) => [...one.values()].map((explain) => explain()));
  const ranked = all.map((one) => ({ one, at: rank(one) })).filter(({ at }) => at < 3);
  return ranked.toSorted((one, other) => one.at - other.at).map(({ one }) => one);
}
