import type { Command, Option } from 'commander';
import { createProgram } from '../../../scripts/cli/program.ts';
import { fakeIo } from '../../../scripts/tests/fake-io.ts';
import { code, escapeText, table } from './markdown.ts';

/** Every command with its arguments and flags, from the program itself. */
export function commandsPage(): string {
  const io = fakeIo({ workingFolder: process.cwd() });
  const program = createProgram(io, () => {});
  const sections = program.commands.flatMap((command) => [command, ...command.commands]).map(section);
  return `# Commands\n\n${textAfterFlags(program)}\n${sections.join('\n')}`;
}

function section(command: Command): string {
  const rows = command.options.filter(({ hidden }) => !hidden).map(flagRow);
  return `## ${nameOf(command)}

${escapeText(command.description())}

\`\`\`text
${nameOf(command)} ${command.usage()}
\`\`\`

${table(
  ['argument', 'meaning'],
  command.registeredArguments.map((one) => [code(one.name()), escapeText(one.description)]),
)}${table(['flag', 'meaning'], rows)}${textAfterFlags(command)}`;
}

function flagRow({ flags, description, argChoices }: Option): string[] {
  const choices = argChoices === undefined ? '' : `. One of ${argChoices.map(code).join(', ')}.`;
  return [code(flags), `${escapeText(description)}${choices}`];
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** Examples and notes, as the help text has them. */
function textAfterFlags(command: Command): string {
  const parts: string[] = [];
  command.configureOutput({ writeOut: (part) => void parts.push(part) }).outputHelp();
  const after = parts.join('').slice(command.helpInformation().length).trim();
  return after === '' ? '' : `\`\`\`text\n${after}\n\`\`\`\n`;
}
