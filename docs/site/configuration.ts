// Compares the type and the reference page of the configuration with scripts/cli/settings.ts; with --write, writes them. The text above the tables of the page is written by hand.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import { type CommandRow, commands } from '../../scripts/cli/commands.ts';
import { buildObjectSchema } from '../../scripts/cli/load-settings.ts';
import { describe, fileSettings, flagText, type Setting, type Settings, settings } from '../../scripts/cli/settings.ts';
import { factsOf, type Schema } from '../../scripts/cli/values.ts';
import { packageRoot } from '../../specs/src/index.ts';
import { readingsPage, table } from './readings.ts';

/** Every flag of every command. */
const withFlag: { command: string; name: string; setting: Setting }[] = Object.entries<CommandRow>(commands).flatMap(
  ([command, { flags, groups = {} }]) =>
    [...flags, ...Object.values(groups).flat()].map((name) => ({ command, name, setting: settings[name] })),
);

/** Prints the names of a setting below each other. */
const inLines = (...names: readonly (string | undefined)[]): string =>
  names.flatMap((name) => (name ? `\`${name}\`` : [])).join('<br>');

const toSchema = (schema: Schema): JsonSchema =>
  toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode: 'input',
    errorMode: 'ignore',
    ignoreActions: ['metadata'],
  });

/** The members of a setting that is an object, or a list of objects. */
function listMembers(schema: JsonSchema, above = ''): string[] {
  const { items, properties = {}, required = [] } = schema;
  if (typeof items === 'object' && !Array.isArray(items)) return listMembers(items, above);
  return Object.entries(properties).flatMap(([name, member]) => {
    if (typeof member !== 'object') return [];
    const mark = required.includes(name) ? '' : ' (optional)';
    const { description } = member;
    return description === undefined
      ? listMembers(member, `${above}${name}.`)
      : `\`${above}${name}\`: ${description}${above === '' ? mark : ''}`;
  });
}

function fileRow([name, setting]: readonly [string, Setting]): string[] {
  const flag = withFlag.some((one) => one.name === name) ? flagText(name, setting) : '';
  const members = listMembers(toSchema(setting.schema));
  const holds = members.length === 0 ? factsOf(setting.schema).must.replace(/^be |, and must not be empty$/g, '') : '';
  return [inLines(name, flag, setting.variable), [describe(setting), holds, ...members].filter(Boolean).join('<br>')];
}

/** Flags that the file has no setting for, each with the commands that take it. */
function flagRows(): string[][] {
  const onlyFlags = withFlag.filter(({ name }) => !Object.hasOwn(fileSettings, name));
  return [...new Map(onlyFlags.map((one) => [one.name, one.setting]))].map(([name, setting]) => {
    const takers = onlyFlags.filter((one) => one.name === name).map(({ command }) => `\`${command}\``);
    return [inLines(flagText(name, setting), setting.variable), describe(setting), takers.join(', ')];
  });
}

const pagePath = 'docs/reference/configuration.md';
const [introduction = ''] = readFileSync(join(packageRoot(), pagePath), 'utf8').split('## Settings\n');
const rows: Settings = fileSettings;
const page = `${introduction}## Settings

${table(['setting, flag and variable', 'meaning, and what it holds'], Object.entries(rows).map(fileRow))}
## Settings that are only flags

${table(['flag and variable', 'meaning', 'commands'], flagRows())}`;

/** A schema as TypeScript, with descriptions as doc comments. */
function printType(of: JsonSchema['items'], indent = ''): string {
  if (typeof of !== 'object' || Array.isArray(of)) return 'unknown';
  if (of.anyOf !== undefined) return [...new Set(of.anyOf.map((one) => printType(one, indent)))].join(' | ');
  const listed = of.enum ?? (of.const === undefined ? undefined : [of.const]);
  if (listed !== undefined)
    return listed.map((one) => (typeof one === 'string' ? `'${one}'` : String(one))).join(' | ');
  if (of.prefixItems !== undefined) return `readonly [${of.prefixItems.map((one) => printType(one)).join(', ')}]`;
  if (of.type === 'array') return `readonly ${printType(of.items, indent)}[]`;
  if (of.type !== 'object') return of.type === 'integer' ? 'number' : String(of.type);
  if (of.properties === undefined) {
    const member = printType(of.additionalProperties, indent);
    return member === 'undefined' ? 'JsonObject' : `Readonly<Record<string, ${member}>>`;
  }
  const lines = Object.entries(of.properties).map(([name, member]) => {
    const text = typeof member === 'object' ? member.description : undefined;
    const comment = text === undefined ? '' : `${indent}  /** ${text.charAt(0).toUpperCase()}${text.slice(1)}. */\n`;
    const mark = of.required?.includes(name) ? '' : '?';
    return `${comment}${indent}  readonly ${name}${mark}: ${printType(member, `${indent}  `)};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

const config = `// Written from the settings of settings.ts by \`npm run settings\`.
import type { JsonObject } from '../../specs/src/index.ts';

/** Settings of a project. A flag or an environment variable with the same meaning overrides a setting. */
export type SwitchyardConfig = ${printType(toSchema(buildObjectSchema(rows)))};
`;
const files = {
  'scripts/cli/config.ts': config,
  [pagePath]: page,
  'docs/readings.md': readingsPage(),
};
const isWriting = process.argv.includes('--write');
for (const [path, text] of Object.entries(files)) {
  const file = join(packageRoot(), path);
  if (isWriting) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    process.stdout.write(`${path} differs from scripts/cli/settings.ts: run npm run settings\n`);
    process.exitCode = 1;
  }
}
