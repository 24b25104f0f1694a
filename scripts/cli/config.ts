import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  compileSchema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type SpecSettings,
} from '../../specs/src/index.ts';
import { importDefault } from './config-module.ts';
import { UsageError } from './errors.ts';

/** `env:NAME`, an environment variable, or `command:PROGRAM ARGUMENT…`, what a program prints. */
type SecretSource = string;

/** What the owner of a deployed service states, so that more rules can be checked. */
export type LiveSettings = {
  readonly credentials?: {
    readonly router?: {
      readonly main?: SecretSource;
      /** Of the same workspace as `main`. */
      readonly colleague?: SecretSource;
      /** Of another workspace. */
      readonly neighbour?: SecretSource;
      /** Without a workspace. */
      readonly solo?: SecretSource;
      readonly noCredits?: SecretSource;
      readonly noAccess?: SecretSource;
      readonly notEnabled?: SecretSource;
      readonly rateLimited?: SecretSource;
      readonly spendCapped?: SecretSource;
    };
    readonly workflow?: {
      readonly main?: SecretSource;
      /** Of another account. */
      readonly other?: SecretSource;
      /** Authenticated, and not allowed to read any job. */
      readonly forbidden?: SecretSource;
      readonly rateLimited?: SecretSource;
    };
  };
  /** How the router takes `main`; by default as an API key, unless it comes from `SWITCHYARD_TOKEN`. */
  readonly scheme?: 'api-key' | 'bearer';
  readonly workflowAuthentication?: 'required' | 'open';
  /** Files with the graphs of the jobs as JSON, relative to the configuration file: responses have to repeat them verbatim. */
  readonly graphs?: Readonly<Partial<Record<'save' | 'api' | 'unreadable' | 'deleted', string>>>;
  /** How many runs may be started in all; 0 by default. */
  readonly budget?: number;
  /** The models that may run. */
  readonly models?: readonly {
    readonly id: string;
    /** Valid against the model's own schema. */
    readonly input: JsonObject;
    /** Valid as well, and refused by the content policy of its provider. */
    readonly rejectedInput?: JsonObject;
    /** Valid as well, and its provider fails on it. */
    readonly failingInput?: JsonObject;
    /** Of the first model with an authored input: valid as well, and its run takes ten seconds or more. */
    readonly slowInput?: JsonObject;
    /** Equal inputs give equal outputs. */
    readonly deterministic?: boolean;
    /** The most that a run costs; `--plan` adds it up. */
    readonly maxCostCents?: number;
  }[];
  /** The most requests per second; no limit by default. */
  readonly maxRps?: number;
};

/** Settings of a project; a flag or an environment variable of the same meaning wins over each. */
export type SwitchyardConfig = {
  /** Vendor name in header names and extension keys; by default what the source shows, else `Service`. */
  readonly brand?: string;
  /** The two queue status values beside COMPLETED: waiting, running. */
  readonly queueStatuses?: SpecSettings['queueStatuses'];
  /** OpenAPI Overlay 1.0 files, applied in order; relative to the configuration file. */
  readonly overlays?: readonly string[];
  readonly routerUrl?: string;
  readonly workflowUrl?: string;
  /** How `generate`, `diff`, `doctor` and `conform` reach the services. */
  readonly http?: {
    /** Sent with every request, for gateways; `env:NAME` and `command:PROGRAM ARGUMENT…` are secrets, other text is the value itself. */
    readonly headers?: Readonly<Record<string, string>>;
    /** PEM files, relative to the configuration file: an authority to trust, the client's certificate, and its key. */
    readonly ca?: string;
    readonly cert?: string;
    readonly key?: string;
    /** Of the key. */
    readonly passphrase?: SecretSource;
  };
  readonly generate?: {
    readonly out?: string;
    readonly cache?: string;
    /** npm scope of the generated packages, with its `@`; by default that of the output, else of the nearest `package.json`. */
    readonly scope?: string;
    /** Packages with a manifest each, or a folder of plain files with relative imports; the latter where there is no scope. */
    readonly layout?: 'packages' | 'folder';
    /** Of the packages: a version, or `auto` for what the changes since the last release ask for. By default versions are kept. */
    readonly version?: string;
    /** The tags of releases, such as `packages-v*`, for `version: 'auto'`; by default the present commit counts as released. */
    readonly releaseTags?: string;
    readonly license?: string;
    readonly author?: string;
    /** Makes the packages publishable, with `access: 'restricted'` where not said otherwise; without it they are private. */
    readonly publish?: {
      readonly access?: 'public' | 'restricted';
      /** Other members of `publishConfig`, such as `registry` or `provenance`. */
      readonly publishConfig?: Readonly<Record<string, string | boolean>>;
    };
    /** Full names of packages, used in place of scope and default name. */
    readonly packages?: {
      readonly modelRouter?: string;
      readonly workflowExecution?: string;
      readonly models?: string;
    };
    /** Globs over model ids; all models by default. */
    readonly only?: readonly string[];
    readonly concurrency?: number;
    readonly allowEmpty?: boolean;
    /** Adds validators of outputs; the router promises no output schema. */
    readonly outputValidators?: boolean;
    /** No validators and no schemas as data. */
    readonly typesOnly?: boolean;
    readonly strict?: boolean;
  };
  readonly conform?: {
    readonly out?: string;
    /** Formats beside result.json, report.html and junit.xml: sarif, markdown, har, badge. */
    readonly report?: readonly string[];
    /** Globs over rule ids; all rules by default. */
    readonly rules?: readonly string[];
    /** Durations such as `500ms`, `90s`, `10m`; by default 10s for a response, 60s for a rule, 10m for a run. */
    readonly deadlines?: {
      readonly request?: string;
      /** Of a response to a run, which a live router may hold; by default ten minutes. */
      readonly held?: string;
      readonly rule?: string;
      readonly run?: string;
    };
    /** File of accepted findings; by default conform-waivers.yaml beside the configuration, where it exists. */
    readonly waivers?: string;
    /** Test hooks of a staging build (docs/test-hooks.md). */
    readonly hooks?: { readonly url: string; readonly credential?: SecretSource };
    /** Ids of jobs at the workflow target. */
    readonly jobs?: {
      readonly save?: string;
      readonly api?: string;
      readonly foreign?: string;
      readonly expired?: string;
      readonly unreadable?: string;
      readonly deleted?: string;
    };
    readonly live?: LiveSettings;
  };
};

/** Types a `switchyard.config.ts`; returns its argument. */
export function defineConfig(config: SwitchyardConfig): SwitchyardConfig {
  return config;
}

export type LoadedConfig = { readonly config: SwitchyardConfig; readonly folder: string };

const text = { type: 'string', minLength: 1 };
const packageName = { ...text, maxLength: 214, pattern: '^(@[a-z0-9][a-z0-9._-]*/)?[a-z0-9][a-z0-9._-]*$' };
const texts = { type: 'array', items: text };
const closed = (properties: JsonObject): JsonObject => ({ type: 'object', properties, additionalProperties: false });
const textsOf = (...names: readonly string[]): JsonObject =>
  closed(Object.fromEntries(names.map((name) => [name, text])));
// They become a part of a path as they are.
const jobId = { ...text, pattern: "^[A-Za-z0-9._~%!$&'()*+,;=:@-]+$" };
const jobKinds = ['save', 'api', 'foreign', 'expired', 'unreadable', 'deleted'];
const live = closed({
  credentials: closed({
    router: textsOf(
      ...[
        'main',
        'colleague',
        'neighbour',
        'solo',
        'noCredits',
        'noAccess',
        'notEnabled',
        'rateLimited',
        'spendCapped',
      ],
    ),
    workflow: textsOf('main', 'other', 'forbidden', 'rateLimited'),
  }),
  scheme: { enum: ['api-key', 'bearer'] },
  workflowAuthentication: { enum: ['required', 'open'] },
  graphs: textsOf('save', 'api', 'unreadable', 'deleted'),
  budget: { type: 'integer', minimum: 0, maximum: 10_000 },
  models: {
    type: 'array',
    items: {
      ...closed({
        id: { ...text, pattern: '^[^/]+/[^/]+$' },
        input: { type: 'object' },
        rejectedInput: { type: 'object' },
        failingInput: { type: 'object' },
        slowInput: { type: 'object' },
        deterministic: { type: 'boolean' },
        maxCostCents: { type: 'number', minimum: 0 },
      }),
      required: ['id', 'input'],
    },
  },
  maxRps: { type: 'number', exclusiveMinimum: 0 },
});
const shape = closed({
  brand: text,
  queueStatuses: { ...texts, minItems: 2, maxItems: 2 },
  overlays: texts,
  routerUrl: text,
  workflowUrl: text,
  http: closed({
    headers: { type: 'object', additionalProperties: text },
    ca: text,
    cert: text,
    key: text,
    passphrase: { ...text, pattern: '^(env|command):.' },
  }),
  generate: closed({
    out: text,
    cache: text,
    scope: text,
    layout: { enum: ['packages', 'folder'] },
    version: { ...text, pattern: '^(auto|[0-9]+[.][0-9]+[.][0-9]+(-[0-9A-Za-z.-]+)?)$' },
    releaseTags: text,
    license: text,
    author: text,
    publish: closed({
      access: { enum: ['public', 'restricted'] },
      publishConfig: { type: 'object', additionalProperties: { type: ['string', 'boolean'] } },
    }),
    packages: closed({ modelRouter: packageName, workflowExecution: packageName, models: packageName }),
    only: texts,
    concurrency: { type: 'integer', minimum: 1 },
    allowEmpty: { type: 'boolean' },
    outputValidators: { type: 'boolean' },
    typesOnly: { type: 'boolean' },
    strict: { type: 'boolean' },
  }),
  conform: closed({
    out: text,
    report: texts,
    waivers: text,
    rules: texts,
    deadlines: closed({ request: text, held: text, rule: text, run: text }),
    hooks: { ...closed({ url: text, credential: text }), required: ['url'] },
    jobs: closed(Object.fromEntries(jobKinds.map((kind) => [kind, jobId]))),
    live,
  }),
});

/** Reads the named configuration file, or `switchyard.config.ts|mts|js|mjs` of the folder when there is one. */
export async function loadConfig(folder: string, named: string | undefined): Promise<LoadedConfig> {
  const files = configFiles(folder, named);
  const file = named === undefined ? files.find((one) => existsSync(one)) : files[0];
  if (file === undefined) return { config: {}, folder };
  if (!existsSync(file)) throw new UsageError(`configuration file ${file} does not exist`);
  const loaded = await importDefault(file);
  const [violation] = compileSchema(shape)(loaded);
  if (violation !== undefined) {
    const { pointer, message, params } = violation;
    const unknown = params['additionalProperty'];
    const what =
      unknown === undefined
        ? `${pointer || 'the configuration'} ${message}`
        : `${pointer || 'the configuration'} has no setting ${JSON.stringify(unknown)}; it has ${settingsAt(pointer).join(', ')}`;
    throw new UsageError(`${file}: ${what}`);
  }
  // The schema above checks the type.
  return { config: loaded as SwitchyardConfig, folder: dirname(file) };
}

/** Where the configuration may be. */
export function configFiles(folder: string, named: string | undefined): readonly string[] {
  if (named !== undefined) return [resolve(folder, named)];
  return ['ts', 'mts', 'js', 'mjs'].map((ending) => join(folder, `switchyard.config.${ending}`));
}

/** The names of the settings at a place of the configuration. */
function settingsAt(pointer: string): readonly string[] {
  let at: JsonValue | undefined = shape;
  for (const name of pointer.split('/').slice(1)) {
    const { properties, items }: JsonObject = isJsonObject(at) ? at : {};
    at = isJsonObject(properties) ? properties[name] : items;
  }
  const { properties }: JsonObject = isJsonObject(at) ? at : {};
  return isJsonObject(properties) ? Object.keys(properties) : [];
}
