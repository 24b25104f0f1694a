import { listRules, requirementOf } from '../../../contract-tests/src/index.ts';
import { diagnosticTexts } from '../../../generator/src/index.ts';
import { readRequirements } from '../../../specs/src/index.ts';
import { UsageError } from '../errors.ts';
import type { CommandIo } from '../io.ts';

type Explanation =
  | { kind: 'rule'; id: string; sentence: string; api: string; cost: string; requirements: Cited[] }
  | { kind: 'requirement'; id: string; section: string; statement: string; level: string; rules: RuleLine[] }
  | { kind: 'diagnostic'; id: string; meaning: string };
type Cited = { id: string; section: string; statement: string };
type RuleLine = { id: string; sentence: string };

/** What a rule, a requirement or a diagnostic says, as text or as JSON. */
export function runExplain(name: string, flags: { json?: boolean }, io: CommandIo): number {
  const found = explainRule(name) ?? explainRequirement(name) ?? explainDiagnostic(name);
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

function explainDiagnostic(id: string): Explanation | undefined {
  const meaning = Object.hasOwn(diagnosticTexts, id) ? diagnosticTexts[id] : undefined;
  return meaning === undefined ? undefined : { kind: 'diagnostic', id, meaning };
}

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
      return [`${head}  ${io.style('dim', 'diagnostic of generate')}`, found.meaning];
  }
}

function unknown(name: string): string {
  const names = [
    ...listRules().map(({ id }) => id),
    ...readRequirements().map(({ id }) => id),
    ...Object.keys(diagnosticTexts),
  ];
  const near = names.filter((id) => id.toLowerCase().includes(name.toLowerCase())).slice(0, 5);
  const hint =
    near.length === 0 ? 'switchyard conform --list-rules lists the rules' : `did you mean ${near.join(', ')}?`;
  return `nothing is called ${JSON.stringify(name)}; ${hint}`;
}
