// Compares what is made from the rows of scripts/cli/settings.ts and flags.ts with the files; with --write, writes the files.
// What stands above the tables of the page is written by hand.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CommandRows, commands } from '../../scripts/cli/commands.ts';
import { callSettings } from '../../scripts/cli/flags.ts';
import { type AnySetting, defaultText, flagText, optionName } from '../../scripts/cli/kinds.ts';
import { listMembers } from '../../scripts/cli/load-settings.ts';
import { configurable } from '../../scripts/cli/settings.ts';
import { packageRoot } from '../../specs/src/index.ts';
import { readingsPage } from './readings.ts';

const { folder, apiKey, token, ...callable } = callSettings;
type Settings = Readonly<Record<string, AnySetting>>;

/** What the objects of the configuration are for. */
const groups: Readonly<Record<string, string>> = {
  http: 'how generate, diff, doctor and conform reach the services',
  'generate.accept[]':
    'diagnostics that are known: they are not printed and fail nothing; one that matches nothing any more is named',
  docs: 'the site about the models',
  'generate.publish': 'makes the packages publishable; without it they are private',
  'conform.redact': 'what reports leave out beside credentials, wherever its value is repeated',
  'conform.hooks': 'test hooks of a staging build (docs/how-to/offer-test-hooks.md)',
  'conform.jobs': 'ids of jobs at the Workflow Execution API, as they stand in a path',
  'conform.live': 'what the owner of a deployed service states, so that more rules can be checked',
  'conform.live.credentials': 'where the credentials are',
  'conform.live.graphs':
    'files with the graphs of the jobs as JSON, relative to the configuration file: responses have to repeat them verbatim',
  'conform.live.models[]': 'the models that may run',
  'conform.live.models[].alternate': 'another provider of the model',
  'conform.live.models[].fallback': 'a retry of a failed run with another provider that works',
};

/** What a member is, and what holds where nothing is set. */
function sentence(path: string, setting: AnySetting | undefined): string | undefined {
  const says = setting?.says ?? groups[path];
  if (says === undefined) return undefined;
  const words = setting && defaultText(setting);
  const text = `${says.charAt(0).toUpperCase()}${says.slice(1)}.`;
  return words === undefined ? text : `${text} Default: ${words}.`;
}

function printType(settings: Settings, path: string, indent: string): string {
  const setting = settings[path];
  if (setting !== undefined) return setting.kind.type;
  const lines = [...listMembers(settings, path)].map(([name, member]) => {
    const says = sentence(member, settings[member]);
    const comment = says === undefined ? '' : `${indent}  /** ${says} */\n`;
    const mark = settings[member]?.isRequired ? '' : '?';
    return `${comment}${indent}  readonly ${name}${mark}: ${printType(settings, member, `${indent}  `)};\n`;
  });
  const object = `{\n${lines.join('')}${indent}}`;
  return path.endsWith('[]') ? `readonly ${object}[]` : object;
}

/** The options of a call: what the file has under the same name is taken from there, with what it says. */
function printCall(): string {
  const options = Object.entries<AnySetting>(callable).map(([path, row]) => ({
    path,
    row,
    name: optionName(path, row),
  }));
  const own = options.filter(({ path, name }) => !(path in configurable) || !path.endsWith(name));
  const shared = options.flatMap((one) => (own.includes(one) ? [] : [one.path]));
  const inGenerate = Object.keys(configurable).map((path) => /^generate\.\w+/.exec(path)?.[0] ?? '');
  const left = new Set(inGenerate.filter((path) => path !== '' && !shared.includes(path)));
  const list = (paths: Iterable<string>): string => [...paths].map((path) => `'${path.split('.').at(-1)}'`).join(' | ');
  return `Pick<SwitchyardConfig, ${list(shared.filter((path) => !path.includes('.')))}> &
  Omit<Generate, ${list(left)}> & ${printType(Object.fromEntries(own.map(({ name, row }) => [name, row])), '', '  ')}`;
}

function makeSchema(path: string): object {
  const setting = configurable[path];
  const description = sentence(path, setting);
  const said = description === undefined ? {} : { description };
  if (setting !== undefined) return { ...said, ...setting.kind.schema };
  const members = [...listMembers(configurable, path)];
  const required = members.filter(([, member]) => configurable[member]?.isRequired).map(([name]) => name);
  const object = {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, member]) => [name, makeSchema(member)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
  return { ...said, ...(path.endsWith('[]') ? { type: 'array', items: object } : object) };
}

const code = (text: string): string => `\`${text}\``;
/** Names of one thing below each other; those that it lacks are left out. */
const inLines = (...names: readonly (string | undefined)[]): string =>
  names
    .filter(Boolean)
    .map((name) => code(name ?? ''))
    .join('<br>');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')));
  return `${lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')}\n`;
}

/** Every flag of every command. */
const withFlag = listFlags(commands, '');

function listFlags(rows: CommandRows, above: string): { command: string; name: string; setting: AnySetting }[] {
  return Object.entries(rows).flatMap(([own, { flags = {}, groups = {}, children = {} }]) => {
    const command = `${above}${own}`;
    const settings = [flags, ...Object.values(groups)].flatMap((group) => Object.entries(group));
    return [...settings.map(([name, setting]) => ({ command, name, setting })), ...listFlags(children, `${command} `)];
  });
}

function fileRow([name, setting]: readonly [string, AnySetting]): string[] {
  const flag = withFlag.some((one) => one.name === name) ? flagText(name, setting) : '';
  const words = setting.kind.must.replace(/^be |, and must not be empty$/g, '');
  const pattern = /^match pattern (.+)$/.exec(words)?.[1];
  const holds = pattern === undefined ? words : code(pattern);
  return [inLines(name, flag, setting.variable), `${meaning(setting)}<br>${holds}`];
}

function meaning(setting: AnySetting): string {
  const preset = defaultText(setting);
  return preset === undefined ? setting.says : `${setting.says} (default: ${preset})`;
}

/** Flags of no setting of the file, each with the commands that take it. */
function flagRows(): string[][] {
  const alone = withFlag.filter(({ name }) => !Object.hasOwn(configurable, name));
  return [...new Map(alone.map((one) => [one.name, one.setting]))].map(([name, setting]) => {
    const takers = alone.filter((one) => one.name === name).map(({ command }) => code(command));
    const names = inLines(flagText(name, setting), setting.variable);
    return [names, meaning(setting), takers.join(', ')];
  });
}

const pagePath = 'docs/reference/configuration.md';
const [introduction = ''] = readFileSync(join(packageRoot(), pagePath), 'utf8').split('## Settings\n');
const page = `${introduction}## Settings

${table(['setting, flag and variable', 'meaning, and what it holds'], Object.entries(configurable).map(fileRow))}## Flags alone

${table(['flag and variable', 'meaning', 'commands'], flagRows()).trimEnd()}
`;

const config = `// Written from the rows of settings.ts by \`npm run settings\`.
import type { JsonObject } from '../../specs/src/index.ts';

/** Settings of a project; a flag or an environment variable of the same meaning wins over each. */
export type SwitchyardConfig = ${printType(configurable, '', '')};

/** The flags of \`npx openapi-switchyard generate\`, in camel case; what is left out comes from environment, configuration file and defaults. */
export type GenerateSettings = ${printCall()};
type Generate = NonNullable<SwitchyardConfig['generate']>;
`;

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'switchyard.config.ts',
  ...makeSchema(''),
};

const files = {
  'scripts/cli/config.ts': config,
  [pagePath]: page,
  'docs/readings.md': readingsPage(),
  'docs/switchyard.config.schema.json': `${JSON.stringify(schema, null, 2)}\n`,
};
const isWriting = process.argv.includes('--write');
for (const [path, text] of Object.entries(files)) {
  const file = join(packageRoot(), path);
  if (isWriting) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    process.stdout.write(`${path} is not as the settings are: run npm run settings\n`);
    process.exitCode = 1;
  }
}
