import { type Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from './errors.ts';

/** What commander passes to each action; a value without a default is optional. */
export type SpecFlags = { config?: string; brand?: string; queueStatuses?: string; overlay?: string[] };

export type BuildFlags = SpecFlags & { out: string; defaultResponses: boolean; json?: boolean };

export type CheckFlags = SpecFlags & { json?: boolean };

export type GenerateFlags = SpecFlags & {
  routerUrl?: string;
  allowHttp?: boolean;
  out?: string;
  cache?: string;
  scope?: string;
  layout?: 'packages' | 'folder';
  packageVersion?: string;
  only?: string[];
  concurrency?: number;
  check?: boolean;
  /** Seconds between two looks at the router. */
  watch?: number;
  frozen?: boolean;
  offline?: boolean;
  strict?: boolean;
  allowEmpty?: boolean;
  outputValidators?: boolean;
  typesOnly?: boolean;
  json?: boolean;
};

export type InitFlags = {
  routerUrl?: string;
  out?: string;
  scope?: string;
  layout?: 'packages' | 'folder';
  ci?: 'github' | 'gitlab' | 'none';
  yes?: boolean;
  force?: boolean;
};

export type DoctorFlags = { config?: string; routerUrl?: string; allowHttp?: boolean; json?: boolean };

export type VerifyFlags = { config?: string; json?: boolean };

export type DiffFlags = GenerateFlags & { base?: string; format: 'text' | 'markdown' | 'json' };

/** `out` is the folder of the site, `packages` that of the generated packages. */
export type DocsFlags = GenerateFlags & { packages?: string };

export type SandboxFlags = SpecFlags & {
  port: number;
  host: string;
  allowRemote?: boolean;
  catalog?: string;
  outcomeModels: boolean;
  cors?: string[];
  seed?: number;
  db?: string;
  clock: 'real' | 'manual';
  workflowAuth: 'accounts' | 'static' | 'optional' | 'none';
  log: 'off' | 'text' | 'json';
  fault?: string[];
  variant?: string[];
  listFaults?: boolean;
  listVariants?: boolean;
  json?: boolean;
};

export type MockFlags = SpecFlags & { port: number; json?: boolean };

export type ConformFlags = SpecFlags & {
  target?: 'mock' | 'sandbox' | 'live';
  routerUrl?: string;
  workflowUrl?: string;
  allowHttp?: boolean;
  fault?: string[];
  variant?: string[];
  rule?: string[];
  listRules?: boolean;
  selfCheck?: boolean;
  out?: string;
  runDeadline?: number;
  ruleDeadline?: number;
  requestDeadline?: number;
  heldDeadline?: number;
  budget?: number;
  plan?: boolean;
  minChecked?: number;
  maxRps?: number;
  verbose?: boolean;
  report?: string;
  waivers?: string;
  writeBaseline?: boolean;
  owner?: string;
  reason?: string;
  compare?: string;
  hooks?: string;
  shard?: { index: number; of: number };
  models?: 'all' | number | string;
  har?: string;
  hooksCredential?: string;
  json?: boolean;
};

/** The optional peer that renders the two APIs. */
export const redocPackage = 'redoc@2.5.4';

/** The flags of every command: each one reads the effective specifications. */
export function withSpecFlags(command: Command): Command {
  return command
    .addOption(configFlag())
    .addOption(
      new Option(
        '--brand <word>',
        "the maker's word in header names and extension keys (default: what the source shows, else Service)",
      ).env('SWITCHYARD_BRAND'),
    )
    .addOption(
      new Option(
        '--queue-statuses <waiting,running>',
        'the two queue statuses beside COMPLETED (default: IN_QUEUE,IN_PROGRESS)',
      ).env('SWITCHYARD_QUEUE_STATUSES'),
    )
    .option('--overlay <file...>', 'OpenAPI Overlay 1.0 documents, applied in order');
}

export function configFlag(): Option {
  return new Option('--config <file>', 'configuration file (default: switchyard.config.ts when present)').env(
    'SWITCHYARD_CONFIG',
  );
}

export function layoutFlag(): Option {
  const text = 'packages, or a folder of plain files (default: packages when there is a scope)';
  return new Option('--layout <kind>', text).choices(['packages', 'folder']);
}

export function routerFlag(): Option {
  return new Option('--router-url <url>', 'base address of the Model Router')
    .env('SWITCHYARD_ROUTER_URL')
    .argParser(httpAddress);
}

export function allowHttpFlag(): Option {
  return new Option('--allow-http', 'send the credential to a public host over plain http');
}

/** For commander: a whole number within bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return value;
  };
}

const unitMs: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);
const shortestMs = 100;
const longestMs = 24 * 3_600_000;

/** For commander: a duration such as `500ms`, `90s`, `10m` or `1h`, in milliseconds; from 100ms to 24h. */
export function duration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,9})(ms|s|m|h)$/.exec(text) ?? [];
  const ms = Number(count) * (unitMs.get(unit) ?? Number.NaN);
  if (!(ms >= shortestMs && ms <= longestMs))
    throw new InvalidArgumentError('It must be a duration from 100ms to 24h, such as 500ms, 90s, 10m or 1h.');
  return ms;
}

/** For commander: `auto`, or a version such as 1.2.3. */
export function packageVersion(text: string): string {
  if (text !== 'auto' && !/^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,100})?$/.test(text))
    throw new InvalidArgumentError('It must be auto, or a version such as 1.2.3.');
  return text;
}

/** For commander: one of several machines that share a run, `2/8`. */
export function shardOf(text: string): { index: number; of: number } {
  const [index = 0, of = 0] = (/^([1-9]\d{0,2})\/([1-9]\d{0,2})$/.exec(text) ?? []).slice(1).map(Number);
  if (index < 1 || index > of) throw new InvalidArgumentError('It must be a part of a whole, such as 1/4 to 4/4.');
  return { index, of };
}

/** For commander: `all`, a number, or a glob over model ids. */
export function modelChoice(text: string): 'all' | number | string {
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : someText(text);
}

/** For commander: text that is not empty, as an unset shell variable is. */
export function someText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

/** For commander: an absolute http or https address without credentials; a trailing slash is dropped. */
export function httpAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new InvalidArgumentError('It must be an http or https address.');
  if (url.username !== '' || url.password !== '')
    throw new InvalidArgumentError('An address must not carry credentials: use the environment.');
  if (url.search !== '' || url.hash !== '')
    throw new InvalidArgumentError('A base address has no query and no fragment.');
  return url.href.replace(/\/+$/, '');
}

/** Refuses an id that the sandbox does not know. */
export function requireKnown(what: string, ids: readonly string[], known: readonly { id: string }[]): void {
  for (const id of ids) {
    if (!known.some((entry) => entry.id === id))
      throw new UsageError(`unknown ${what} ${JSON.stringify(id)}; switchyard sandbox --list-${what}s lists them`);
  }
}
