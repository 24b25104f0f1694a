import { findingTexts, listRules, outcomeTexts, requirementOf, requisites } from '../../../contract-tests/src/index.ts';
import { diagnosticTexts } from '../../../generator/src/index.ts';
import { listFaults, listVariants } from '../../../sandbox/src/index.ts';
import { readAssumptions, readRequirements } from '../../../specs/src/index.ts';
import { UsageError } from '../errors.ts';
import type { CommandIo } from '../io.ts';

/** What `--json` prints, and as text a word about it with the lines that follow. */
type Explanation = {
  readonly json: { readonly kind: string; readonly id: string; readonly [member: string]: unknown };
  readonly about: string;
  readonly lines: readonly string[];
};

/** What an id of the tool's output means, as text or as JSON. */
export function runExplain(name: string, flags: { json?: boolean }, io: CommandIo): number {
  const found = [
    explainRule,
    explainRequirement,
    explainWord,
    explainDeviation,
    explainRequisite,
    explainAssumption,
  ].reduce((earlier: Explanation | undefined, explain) => earlier ?? explain(name, io), undefined);
  if (found === undefined) throw new UsageError(unknown(name));
  const head = `${io.style('strong', found.json.id)}  ${io.style('dim', found.about)}`;
  io.out(flags.json ? `${JSON.stringify(found.json, null, 2)}\n` : `${[head, ...found.lines].join('\n')}\n`);
  return 0;
}

const hint = (io: CommandIo, command: string): string => io.style('dim', `try it: switchyard conform ${command}`);

function explainRule(id: string, io: CommandIo): Explanation | undefined {
  const rule = listRules().find((one) => one.id === id);
  if (rule === undefined) return undefined;
  const requirements = rule.requirements.flatMap((name) => {
    const known = requirementOf(name);
    return known === undefined ? [] : [{ id: name, section: known.section, statement: known.statement }];
  });
  const { sentence, api, cost } = rule;
  const cited = requirements.map((one) => `${one.id} (section ${one.section}): ${one.statement}`);
  return {
    json: { kind: 'rule', id, sentence, api, cost, requirements },
    about: `rule of the ${api} API, ${cost}`,
    lines: [sentence, ...cited, hint(io, `--rule '${id}'`)],
  };
}

function explainRequirement(id: string): Explanation | undefined {
  const known = requirementOf(id);
  if (known === undefined) return undefined;
  const { section, statement, level } = known;
  const rules = listRules()
    .filter(({ requirements }) => requirements.includes(id))
    .map((rule) => ({ id: rule.id, sentence: rule.sentence }));
  const checked = rules.length === 0 ? 'No rule of the gate checks it.' : 'Checked by:';
  return {
    json: { kind: 'requirement', id, section, statement, level, rules },
    about: `requirement, section ${section}, ${level}`,
    lines: [statement, checked, ...rules.map((rule) => `  ${rule.id}: ${rule.sentence}`)],
  };
}

const words = {
  diagnostic: { about: 'diagnostic of generate', texts: diagnosticTexts },
  finding: { about: 'code of a finding of conform', texts: findingTexts },
  outcome: { about: 'outcome of a rule of conform', texts: outcomeTexts },
} as const;

/** A code or a word of the output. */
function explainWord(id: string): Explanation | undefined {
  for (const [kind, { about, texts }] of Object.entries(words)) {
    const meaning = Object.hasOwn(texts, id) ? String(Reflect.get(texts, id)) : undefined;
    if (meaning !== undefined) return { json: { kind, id, meaning }, about, lines: [meaning] };
  }
  return undefined;
}

/** What the sandbox does on purpose. */
function explainDeviation(id: string, io: CommandIo): Explanation | undefined {
  const kind = listFaults().some((one) => one.id === id) ? 'fault' : 'variant';
  const known = [...listFaults(), ...listVariants()].find((one) => one.id === id);
  if (known === undefined) return undefined;
  const { description, requirements } = known;
  return {
    json: { kind, id, description, requirements },
    about: `${kind} of the sandbox`,
    lines: [
      description,
      `${kind === 'fault' ? 'Violates' : 'Is allowed by'}: ${requirements.join(', ')}`,
      hint(io, `--target sandbox --${kind} '${id}'`),
    ],
  };
}

/** What rules require of a target. Credentials of both APIs may share a name. */
function explainRequisite(name: string): Explanation | undefined {
  const given = requisites
    .filter((row) => row.name === name || row.id === name)
    .map(({ id, sentence, setting }) => {
      const rules = listRules().filter(({ requires }) => requires.some((rows) => rows.includes(id)));
      return { sentence, setting, rules: rules.map((rule) => rule.id) };
    });
  if (given.length === 0) return undefined;
  return {
    json: { kind: 'requisite', id: name, given },
    about: 'what rules require of a target',
    lines: given.flatMap(({ sentence, setting, rules }) => [
      `${sentence}${setting === undefined ? '' : ` Given with ${setting}.`}`,
      ...(rules.length === 0 ? [] : [`Required by ${rules.length} rules:`]),
      ...rules.map((id) => `  ${id}`),
    ]),
  };
}

function explainAssumption(name: string): Explanation | undefined {
  const known = readAssumptions().find(({ id }) => id === name);
  if (known === undefined) return undefined;
  const { section, choice, why, override } = known;
  return {
    json: { kind: 'assumption', ...known },
    about: `what the contract leaves open, section ${section}`,
    lines: [choice, `Why: ${why}`, `To choose otherwise: ${override}`],
  };
}

function unknown(name: string): string {
  const names = [
    ...listRules().map(({ id }) => id),
    ...readRequirements().map(({ id }) => id),
    ...Object.values(words).flatMap(({ texts }) => Object.keys(texts)),
    ...[...listFaults(), ...listVariants(), ...readAssumptions()].map(({ id }) => id),
    ...requisites.map(({ name: one }) => one),
  ];
  const near = names.filter((id) => id.toLowerCase().includes(name.toLowerCase())).slice(0, 5);
  const advice =
    near.length === 0
      ? 'conform --list-rules, sandbox --list-faults and --list-variants list names; reports show those of findings, outcomes and requirements'
      : `did you mean ${near.join(', ')}?`;
  return `nothing is called ${JSON.stringify(name)}; ${advice}`;
}
