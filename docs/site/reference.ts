import type { Command } from 'commander';
import { listReadings, listRules } from '../../contract-tests/src/index.ts';
import { diagnosticTexts } from '../../generator/src/index.ts';
import { listFaults, listVariants } from '../../sandbox/src/index.ts';
import { createProgram } from '../../scripts/cli/program.ts';
import { fakeIo } from '../../scripts/tests/fake-io.ts';
import { readRequirements } from '../../specs/src/index.ts';
import { table } from './readings.ts';

/** The help text of every command. */
export function commandsPage(): string {
  const program = createProgram(fakeIo({ workingFolder: process.cwd() }), () => {});
  const named = (command: Command, name: string): string[] => [
    `## ${name}\n\n\`\`\`text\n${readHelp(command)}\n\`\`\`\n`,
    ...command.commands.flatMap((child) => named(child, `${name} ${child.name()}`)),
  ];
  return `# Commands\n\nFor those who look up a flag. \`--help\` prints the same.\n\n${named(program, program.name()).join('\n')}`;
}

function readHelp(command: Command): string {
  let text = '';
  const writeOut = (part: string): void => {
    text += part;
  };
  command.configureOutput({ writeOut }).outputHelp();
  return text.trim();
}

/** Every rule of the gate by family, with its sentence and its requirements. */
export function rulesPage(): string {
  const families = Map.groupBy(listRules(), ({ family }) => family);
  const sections = [...families].map(
    ([family, rules]) =>
      `## ${family}\n\n${renderRows(rules.map((rule) => ({ ...rule, text: rule.sentence, readings: listReadings(rule) })))}`,
  );
  return `# Rules\n\nFor those who look up one of the ${listRules().length} rules of the gate. \`npx openapi-switchyard explain RULE\` prints it with what it cites.\n\n${sections.join('\n')}`;
}

/** Every requirement by the first section of the API documents that states it, with the rules that check it. */
export function requirementsPage(): string {
  const rules = listRules();
  const byPlace = Map.groupBy(readRequirements(), ({ id, section }) => {
    const api = id.startsWith('WX') ? 'Workflow Execution' : 'Model Router';
    return `${api}, section ${section.split(/[;, ]/)[0]}`;
  });
  const places = [...byPlace].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
  const sections = places.map(([place, requirements]) => {
    const lines = requirements.map(({ id, level, section, statement }) => {
      const checking = rules.filter((rule) => rule.requirements.includes(id)).map((rule) => `\`${rule.id}\``);
      const by = checking.length === 0 ? 'No rule checks it.' : `Checked by ${checking.join(', ')}.`;
      return `### ${id}\n\n${escapeText(statement)} (${level}, section ${section})\n\n${by}\n`;
    });
    return `## ${place}\n\n${lines.join('\n')}`;
  });
  return `---\noutline: 2\n---\n\n# Requirements\n\nFor those who look up what the API documents demand, and which rules check it.\n\n${sections.join('\n')}`;
}

/** What the sandbox does wrong on purpose, and what it does that only looks wrong. */
export function faultsPage(): string {
  return `# Faults and variants

For those who want a sandbox that is wrong. \`npx openapi-switchyard sandbox --fault ID\` breaks the contract on purpose, \`--variant ID\` does what is allowed and looks wrong.

## Faults

${renderRows(listFaults().map((fault) => ({ ...fault, text: fault.description })))}
## Variants

${renderRows(listVariants().map((variant) => ({ ...variant, text: variant.description })))}`;
}

/** Every diagnostic of `generate`, with what to do. */
export function diagnosticsPage(): string {
  const sections = Object.entries(diagnosticTexts).map(([id, text]) => `## ${id}\n\n${escapeText(text)}\n`);
  return `# Diagnostics\n\nFor those who look up what \`npx openapi-switchyard generate\` reports. \`npx openapi-switchyard explain CODE\` prints the same.\n\n${sections.join('\n')}`;
}

type Row = {
  readonly id: string;
  readonly text: string;
  readonly requirements: readonly string[];
  readonly readings?: readonly string[];
};

function renderRows(rows: readonly Row[]): string {
  const cells = rows.map(({ id, text, requirements, readings = [] }) => {
    const links = requirements.map((name) => `[${name}](./requirements#${name.toLowerCase()})`);
    return [`\`${id}\``, escapeText(text), [...readings, ...links].join(', ')];
  });
  return table(['id', 'meaning', 'readings and requirements'], cells);
}

/** Text of code as Markdown: nothing of it is markup, and nothing is a template; code in backticks stays code. */
export function escapeText(text: string): string {
  const escapeProse = (prose: string): string =>
    prose.replaceAll(/[\\*_[\]<>{}]/g, (character) => `&#${character.charCodeAt(0)};`).replaceAll(/\s*\n\s*/g, ' ');
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : escapeProse(part)))
    .join('');
}
