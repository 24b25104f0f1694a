// Compares the pages about the configuration and the open points with their sources; with --write, writes them. The text above the
// tables of the configuration is written by hand.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { getDescription } from 'valibot';
import { type CommandRow, commands, flagText, listFlags } from '../../scripts/cli/commands.ts';
import { type Member, settingMembers } from '../../scripts/cli/settings.ts';
import { readFacts, type Schema } from '../../scripts/cli/values.ts';
import { packageRoot } from '../../specs/src/index.ts';
import { readingsPage, table } from './readings.ts';

/** Every flag of every command. */
const flags = Object.entries<CommandRow>(commands).flatMap(([command, row]) =>
  Object.entries(listFlags(row)).map(([option, flag]) => ({ command, text: flagText(option, flag), flag })),
);

/** Reads the comments of the members of `configSchema`, by their path. */
function readComments(): ReadonlyMap<string, string> {
  const path = join(packageRoot(), 'scripts/cli/settings.ts');
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const comments = new Map<string, string>();
  const visit = (node: ts.Node, above: string): void => {
    const name = ts.isPropertyAssignment(node) ? above + node.name.getText() : undefined;
    if (name !== undefined)
      for (const comment of ts.getJSDocCommentsAndTags(node))
        comments.set(name, String(comment.comment).replace(/\s*\n\s*/g, ' '));
    ts.forEachChild(node, (child) => visit(child, name === undefined ? above : `${name}.`));
  };
  visit(source, '');
  return comments;
}

const comments = readComments();

/** Prints the names of a setting below each other. */
const inLines = (...names: readonly (string | undefined)[]): string =>
  names.flatMap((name) => (name ? `\`${name}\`` : [])).join('<br>');

/** Lists the members of a setting that is an object or a list of objects. */
function listMembers(path: string, { wrapped }: Member, shown = ''): string[] {
  const { item = wrapped } = wrapped as Member['wrapped'] & { readonly item?: Member['wrapped'] };
  return Object.entries(item.entries ?? {}).flatMap(([name, member]) => {
    // A required member is not wrapped.
    const schema: Schema = member.wrapped ?? member;
    const description = comments.get(`${path}.${name}`) ?? getDescription(schema);
    if (description === undefined) return listMembers(`${path}.${name}`, member, `${shown}${name}.`);
    const mark = shown === '' && member.wrapped !== undefined ? ' (optional)' : '';
    return `\`${shown}${name}\`: ${description.replace(/\.$/, '')}${mark}`;
  });
}

/** Lists the settings: the members of the configuration with a comment. All other members are groups of settings. */
function listSettings(members: Readonly<Record<string, Member>>, above = ''): string[][] {
  return Object.entries(members).flatMap(([name, member]) => {
    const path = above + name;
    const comment = comments.get(path);
    if (comment === undefined) return listSettings(member.wrapped.entries ?? {}, `${path}.`);
    const { text, flag } = flags.find((one) => one.flag.sets === path) ?? {};
    const parts = listMembers(path, member);
    const holds =
      parts.length > 0 ? parts : [readFacts(member.wrapped).must.replace(/^be |, and must not be empty$/g, '')];
    return [[inLines(path, text, flag?.variable), [comment, ...holds].join('<br>')]];
  });
}

/** Lists the flags that override no setting, each with the commands that take it. */
function listFlagRows(): string[][] {
  const groups = Map.groupBy(
    flags.filter(({ flag }) => flag.sets === undefined),
    ({ text, flag }) => `${text} ${flag.description}`,
  );
  return [...groups.values()].map((same) => {
    const [{ text, flag } = { text: '', flag: undefined }] = same;
    const takers = same.map(({ command }) => `\`${command}\``).join(', ');
    return [inLines(text, flag?.variable), flag?.description ?? '', takers];
  });
}

const pagePath = 'docs/reference/configuration.md';
const [introduction = ''] = readFileSync(join(packageRoot(), pagePath), 'utf8').split('## Settings\n');
const page = `${introduction}## Settings

${table(['setting, flag and variable', 'meaning, and what it holds'], listSettings(settingMembers))}
## Settings that are only flags

${table(['flag and variable', 'meaning', 'commands'], listFlagRows())}`;

const files = { [pagePath]: page, 'docs/readings.md': readingsPage() };
const isWriting = process.argv.includes('--write');
for (const [path, text] of Object.entries(files)) {
  const file = join(packageRoot(), path);
  if (isWriting) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    process.stdout.write(`${path} differs from its source: run npm run settings\n`);
    process.exitCode = 1;
  }
}
