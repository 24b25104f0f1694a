import { findingTexts, listRules, outcomeTexts, requirementOf, requisites } from '../../../contract-tests/src/index.ts';
import { diagnosticTexts } from '../../../generator/src/index.ts';
import { listFaults, listVariants } from '../../../sandbox/src/index.ts';
import { readAssumptions, readRequirements } from '../../../specs/src/index.ts';
import { UsageError } from '../errors.ts';
import type { CommandIo } from '../io.ts';

type Explanation =
  | { kind: 'rule'; id: string; sentence: string; api: string; cost: string; requirements: Cited[] }
  | { kind: 'requirement'; id: string; section: string; statement: string; level: string; rules: RuleLine[] }
  | { kind: 'diagnostic' | 'finding' | 'outcome'; id: string; meaning: string }
  | { kind: 'fault' | 'variant'; id: string; description: string; requirements: readonly string[] }
  | { kind: 'requisite'; id: string; given: Given[] }
  | { kind: 'assumption'; id: string; section: string; choice: string; why: string; override: string };
type Cited = { id: string; section: string; statement: string };
/** Credentials of both APIs may share a name. */
type Given = { sentence: string; setting?: string; rules: string[] };
type RuleLine = { id: string; sentence: string };

/** What an id of the tool's output means, as text or as JSON. */
export function runExplain(name: string, flags: { json?: boolean }, io: CommandIo): number {
  const found =
    explainRule(name) ??
    explainRequirement(name) ??
    explainWord(name) ??
    explainDeviation(name) ??
    explainRequisite(name) ??
    explainAssumption(name);
  if (found === undefined) throw new UsageError(unknown(name));
  io.out(flags.json ? `${JSON.stringify(found, null, 2)}\n` : `${linesOf(found, io).join('\n')}\n`);
  return 0;
}

function explainRule(id: string): Explanation | undefined {
  const rule = listRules().find((one) => one.id === id);
  if (rule === undefined) return undefined;
  const cited = rule.requirements.flatMap((name) => {
    const known = requirementOf(name);
    return known === undefined ? [] : [{ id: name, section: known.section, statement: known.statement }];
  });
  return { kind: 'rule', id, sentence: rule.sentence, api: rule.api, cost: rule.cost, requirements: cited };
}

function explainRequirement(id: string): Explanation | undefined {
  const known = requirementOf(id);
  if (known === undefined) return undefined;
  const { section, statement, level } = known;
  const rules = listRules()
    .filter(({ requirements }) => requirements.includes(id))
    .map((rule) => ({ id: rule.id, sentence: rule.sentence }));
  return { kind: 'requirement', id, section, statement, level, rules };
}

const words = { diagnostic: diagnosticTexts, finding: findingTexts, outcome: outcomeTexts } as const;

/** A code or a word of the output. */
function explainWord(id: string): Explanation | undefined {
  for (const kind of ['diagnostic', 'finding', 'outcome'] as const) {
    const texts: Readonly<Record<string, string | undefined>> = words[kind];
    const meaning = Object.hasOwn(texts, id) ? texts[id] : undefined;
    if (meaning !== undefined) return { kind, id, meaning };
  }
  return undefined;
}

/** What the sandbox does on purpose. */
function explainDeviation(name: string): Explanation | undefined {
  const entry = (kind: 'fault' | 'variant') => (kind === 'fault' ? listFaults() : listVariants());
  for (const kind of ['fault', 'variant'] as const) {
    const known = entry(kind).find(({ id }) => id === name);
    if (known === undefined) continue;
    return { kind, id: name, description: known.description, requirements: known.requirements };
  }
  return undefined;
}

/** What rules require of a target: what its owner gives, and what it is capable of. */
function explainRequisite(name: string): Explanation | undefined {
  const given = requisites
    .filter((row) => row.name === name || row.id === name)
    .map(({ id, sentence, setting }): Given => {
      const rules = listRules().filter(({ requires }) => requires.some((rows) => rows.includes(id)));
      return { sentence, ...(setting === undefined ? {} : { setting }), rules: rules.map((rule) => rule.id) };
    });
  return given.length === 0 ? undefined : { kind: 'requisite', id: name, given };
}

function explainAssumption(name: string): Explanation | undefined {
  const known = readAssumptions().find(({ id }) => id === name);
  return known === undefined ? undefined : { kind: 'assumption', ...known };
}

const wordOf = {
  diagnostic: 'diagnostic of generate',
  finding: 'code of a finding of conform',
  outcome: 'outcome of a rule of conform',
} as const;

function linesOf(found: Explanation, io: CommandIo): readonly string[] {
  const head = io.style('strong', found.id);
  switch (found.kind) {
    case 'rule':
      return [
        `${head}  ${io.style('dim', `rule of the ${found.api} API, ${found.cost}`)}`,
        found.sentence,
        ...found.requirements.map(({ id, section, statement }) => `${id} (section ${section}): ${statement}`),
        io.style('dim', `try it: switchyard conform --rule '${found.id}'`),
      ];
    case 'requirement':
      return [
        `${head}  ${io.style('dim', `requirement, section ${found.section}, ${found.level}`)}`,
        found.statement,
        ...(found.rules.length === 0 ? ['No rule of the gate checks it.'] : ['Checked by:']),
        ...found.rules.map(({ id, sentence }) => `  ${id}: ${sentence}`),
      ];
    case 'diagnostic':
    case 'finding':
    case 'outcome':
      return [`${head}  ${io.style('dim', wordOf[found.kind])}`, found.meaning];
    case 'fault':
    case 'variant':
      return [
        `${head}  ${io.style('dim', `${found.kind} of the sandbox`)}`,
        found.description,
        `${found.kind === 'fault' ? 'Violates' : 'Is allowed by'}: ${found.requirements.join(', ')}`,
        io.style('dim', `try it: switchyard conform --target sandbox --${found.kind} '${found.id}'`),
      ];
    case 'requisite':
      return [
        `${head}  ${io.style('dim', 'what rules require of a target')}`,
        ...found.given.flatMap(({ sentence, setting, rules }) => [
          `${sentence}${setting === undefined ? '' : ` Given with ${setting}.`}`,
          ...(rules.length === 0 ? [] : [`Required by ${rules.length} rules:`]),
          ...rules.map((id) => `  ${id}`),
        ]),
      ];
    case 'assumption':
      return [
        `${head}  ${io.style('dim', `what the contract leaves open, section ${found.section}`)}`,
        found.choice,
        `Why: ${found.why}`,
        `To choose otherwise: ${found.override}`,
      ];
  }
}

function unknown(name: string): string {
  const names = [
    ...listRules().map(({ id }) => id),
    ...readRequirements().map(({ id }) => id),
    ...Object.values(words).flatMap(Object.keys),
    ...[...listFaults(), ...listVariants(), ...readAssumptions()].map(({ id }) => id),
    ...requisites.map(({ name: one }) => one),
  ];
  const near = names.filter((id) => id.toLowerCase().includes(name.toLowerCase())).slice(0, 5);
  const hint =
    near.length === 0
      ? 'conform --list-rules, sandbox --list-faults and --list-variants list names; reports show those of findings, outcomes and requirements'
      : `did you mean ${near.join(', ')}?`;
  return `nothing is called ${JSON.stringify(name)}; ${hint}`;
}
