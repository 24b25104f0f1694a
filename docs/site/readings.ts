import { type Choice, readChoices, readFreedoms } from '../../specs/src/index.ts';

const introduction = `# Open points of the API documents

For owners of a service who want to know how rules and specifications interpret the API documents, and why.

The two API documents contradict themselves in some places and are silent in others. This page lists each such point with our choice.
It is made from \`specs/open-points.yaml\`; \`npx openapi-switchyard explain OP-018\` prints one point with the rules that rest on it.

A choice is not a fact. If a specification depends on it, the place is marked \`x-assumption: OP-nnn\`, and an owner can override the choice with an
overlay or a setting. \`specs/overlays/other-readings.overlay.yaml\` has the alternative for the readings in a specification.

Ids never change and are never reused. *Router* is the Model Router, *workflow* the Workflow Execution API.
`;

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map((cell) => cell.trim().replaceAll('|', '\\|')).join(' | ')} |\n`).join('');
}

function listChoices(choices: readonly Choice[]): string {
  const rows = choices.map(({ id, section, choice, why = '', override = '' }) => [id, section, choice, why, override]);
  return table(['id', 'section', 'choice', 'why', 'how to override it'], rows);
}

/** docs/readings.md, from the register of open points. */
export function readingsPage(): string {
  const choices = readChoices();
  const shown = choices.filter(({ kind, question }) => kind === 'reading' && question === undefined);
  const assumptions = choices.filter(({ kind }) => kind === 'assumption');
  const questions = Map.groupBy(
    choices.filter(({ question }) => question !== undefined),
    ({ section }) => section,
  );
  const asked = [...questions].map(([section, own]) => {
    const rows = own.map(({ id, question = '', choice }) => [id, question, choice]);
    return `### ${section}\n\n${table(['id', 'question', 'reading'], rows)}`;
  });
  const freedoms = readFreedoms().flatMap(({ id, text, reading = '', variants = [] }) =>
    variants.length === 0
      ? []
      : [[id, text === undefined ? reading : `"${text}"`, variants.map((name) => `\`${name}\``).join(', ')]],
  );
  return [
    introduction,
    `## Readings\n\nThe API documents are contradictory or incomplete here.\n\n${asked.join('\n')}`,
    `## Readings in a specification\n\n${listChoices(shown)}`,
    `## Assumptions\n\nThe API documents are silent here.\n\n${listChoices(assumptions)}`,
    `## Freedoms of a server\n\nNo rule fails on a server that uses one of them.\n\n${table(['id', 'left by', 'variants of the sandbox'], freedoms)}`,
  ].join('\n');
}
