import { listRules } from '../../../contract-tests/src/index.ts';
import { listFaults, listVariants } from '../../../sandbox/src/index.ts';
import { readRequirements } from '../../../specs/src/index.ts';
import { code, escapeText, table } from './markdown.ts';

const linked = (ids: readonly string[]): string =>
  ids.map((id) => `[${id}](./requirements#${id.toLowerCase()})`).join(', ');

/** Every rule of the gate by family, with its sentence and its requirements. */
export function rulesPage(): string {
  const families = Map.groupBy(listRules(), ({ family }) => family);
  const sections = [...families].map(
    ([family, rules]) =>
      `## ${family}\n\n${table(
        ['rule', 'what a right server does', 'requirements'],
        rules.map(({ id, sentence, requirements }) => [code(id), escapeText(sentence), linked(requirements)]),
      )}`,
  );
  return `# Rules\n\n${listRules().length} rules. \`switchyard explain RULE\` prints one with what it cites.\n\n${sections.join('\n')}`;
}

/** Every requirement by section of the API documents, with the rules that check it. */
export function requirementsPage(): string {
  const rules = listRules();
  const sections = [...Map.groupBy(readRequirements(), ({ section }) => section)].map(([section, requirements]) => {
    const lines = requirements.map(({ id, level, statement }) => {
      const checkedBy = rules.filter((rule) => rule.requirements.includes(id)).map((rule) => code(rule.id));
      const by = checkedBy.length === 0 ? 'No rule of the gate checks it.' : `Checked by ${checkedBy.join(', ')}.`;
      return `### ${id}\n\n${escapeText(statement)} (${level})\n\n${by}\n`;
    });
    return `## Section ${section}\n\n${lines.join('\n')}`;
  });
  return `---\noutline: 2\n---\n\n# Requirements\n\nThe register of what the API documents demand.\n\n${sections.join('\n')}`;
}

/** What the sandbox does wrong on purpose, and what it does that only looks wrong. */
export function faultsPage(): string {
  const rows = (entries: ReturnType<typeof listFaults> | ReturnType<typeof listVariants>): string[][] =>
    entries.map(({ id, description, requirements }) => [code(id), escapeText(description), linked(requirements)]);
  return `# Faults and variants

\`switchyard sandbox --fault ID\` breaks the contract on purpose, \`--variant ID\` does what is allowed and looks wrong.

## Faults

${table(['fault', 'what is wrong', 'requirements'], rows(listFaults()))}
## Variants

${table(['variant', 'what is allowed', 'requirements'], rows(listVariants()))}`;
}
