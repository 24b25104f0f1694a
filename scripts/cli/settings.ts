import * as v from 'valibot';
import { reportFormats } from '../../contract-tests/src/report/formats.ts';
import {
  type CredentialName,
  type GivenInput,
  type JobName,
  ownerSettings,
  type Requisite,
} from '../../contract-tests/src/requires.ts';
import * as values from './values.ts';
import { group, listOf, type Schema, strict, toggle } from './values.ts';

const { optional } = v;

type OwnerMembers<Name extends string, Given> = Readonly<Record<Name, v.OptionalSchema<Schema<Given>, undefined>>>;

/** Returns the optional members in which an owner describes a service. The gate defines their names and descriptions. */
function createOwnerMembers<Name extends string, Given>(
  rows: readonly Pick<Requisite, 'name' | 'sentence'>[],
  schema: Schema<Given>,
): OwnerMembers<Name, Given> {
  const entries = rows.map(({ name, sentence }) => [name, optional(v.pipe(schema, v.description(sentence)))]);
  return Object.fromEntries(entries) as OwnerMembers<Name, Given>; // The rows are made from the type of the names.
}

/**
 * The configuration. The type of `switchyard.config.ts` and docs/reference/configuration.md are made from it: a member with a comment is
 * a setting. The flags in commands.ts override members. Paths are relative to the folder of the file.
 */
export const configSchema = strict({
  /** Vendor name in header names and extension keys (default: detected from the source, or else Service). */
  brand: optional(values.text),
  /** The two queue statuses other than COMPLETED (default: IN_QUEUE,IN_PROGRESS). */
  queueStatuses: optional(values.statusPair),
  /** OpenAPI Overlay 1.0 documents, applied in order. */
  overlays: optional(values.paths, []),
  /** Base URL of the Model Router. */
  routerUrl: optional(values.baseUrl),
  /** Base URL of the Workflow Execution API. */
  workflowUrl: optional(values.baseUrl),
  http: group({
    /**
     * Headers to send with every request, for gateways; env:NAME and command:PROGRAM ARGUMENT… refer to secrets, any other text is the
     * value itself.
     */
    headers: optional(values.headers, {}),
    /** PEM file with a CA certificate to trust. */
    ca: optional(values.text),
    /** PEM file with the client certificate. */
    cert: optional(values.text),
    /** PEM file with the private key of the client certificate. */
    key: optional(values.text),
    /** Passphrase of the private key. */
    passphrase: optional(values.secret),
  }),
  generate: group({
    /** Output folder for the packages (default: generated). */
    out: optional(values.folder, 'generated'),
    /** Version of the packages; auto increments it according to the changes since the last release (default: unchanged). */
    version: optional(values.version),
    /** Exit with 1 if a model could not be generated. */
    strict: optional(toggle, false),
    /** Folder of the private document cache (default: .switchyard/cache). */
    cache: optional(values.folder, '.switchyard/cache'),
    /** Time limit; models that have not been read by then count as failed (default: 10m, plus 50ms per model). */
    deadline: optional(values.duration),
    /** Accept an empty catalog. */
    allowEmpty: optional(toggle, false),
    /** Maximum number of unreadable documents; if there are more, the exit code is 3 (default: 0). */
    allowFailed: optional(values.wholeNumber(0, 200_000), 0),
    /** Only generate models whose id matches; files of all other models are removed from the output. */
    only: optional(values.globs, []),
    /** The npm scope of the packages (default: the scope of the existing output, or else of the nearest package.json). */
    scope: optional(values.scope),
    /** Packages, or a folder of plain files (default: packages if there is a scope). */
    layout: optional(values.choice('packages', 'folder')),
    /** Omit the client for the Workflow Execution API. */
    routerOnly: optional(toggle, false),
    /** Also generate validators for outputs. */
    outputValidators: optional(toggle, false),
    /** Omit validators and runtime schemas. */
    typesOnly: optional(toggle, false),
    /** Pattern of release tags, such as packages-v*, for the version auto (default: the current commit counts as the last release). */
    releaseTags: optional(values.text),
    /** License of the packages. */
    license: optional(values.text),
    /** Author of the packages. */
    author: optional(values.text),
    publish: optional(
      strict({
        /** Who may install the packages; without generate.publish they are private (default: restricted). */
        access: optional(values.choice('public', 'restricted'), 'restricted'),
        /** Other members of publishConfig, such as registry or provenance. */
        publishConfig: optional(values.publishConfig),
      }),
    ),
  }),
  docs: group({
    /** Name of the documentation site (default: Models). */
    name: optional(values.text, 'Models'),
    /** Logo of the documentation site: .svg, .png, .jpg or .webp, at most 200 kB. */
    logo: optional(values.path),
    /** Accent colour of the documentation site, such as #0a6e5c. */
    colour: optional(values.colour),
  }),
  conform: group({
    /** Output folder for the reports (default: .switchyard/conform). */
    out: optional(values.folder, '.switchyard/conform'),
    /** Additional report formats: sarif, markdown. */
    report: optional(values.someOf(reportFormats), []),
    /** File with accepted findings (default: conform-waivers.yaml, if it exists). */
    waivers: optional(values.path),
    /** Only check rules whose ids match, and the rules that they depend on. */
    rules: optional(values.globs),
    deadlines: group({
      /** Maximum time to wait for a response (default: 10s). */
      request: optional(values.duration),
      /** Maximum time to wait for the response to a run on a live target (default: 10m). */
      held: optional(values.duration),
      /** Maximum duration of a rule (default: 60s). */
      rule: optional(values.duration),
      /** Maximum duration of the whole check (default: 10m). */
      run: optional(values.duration),
    }),
    hooks: group({
      /** URL of the test hooks of a staging build. */
      url: optional(values.baseUrl),
      /** Source of the bearer token for the test hooks. */
      credential: optional(values.secret),
    }),
    /** Files with custom rules, as paths or globs relative to the folder of the configuration. */
    ownRules: optional(values.globs, []),
    redact: group({
      /** Additional headers whose values are omitted from reports. */
      headers: optional(values.ids, []),
      /** Query parameters whose values are omitted from reports. */
      query: optional(values.ids, []),
      /** JSON pointers to members of bodies whose values are omitted from reports; * matches every member or item. */
      pointers: optional(values.ids, []),
    }),
    /**
     * Interpretations of ambiguous API text ("readings") that a live target has to follow: 'required' for all, or by id, such
     * as { 'OP-040': 'required' }. Default: a target that deviates from one is reported, but the rule does not fail.
     */
    readings: optional(values.readings),
    /** Ids of jobs in the Workflow Execution API, percent-encoded as in a path. */
    jobs: group(createOwnerMembers<JobName, string>(ownerSettings.jobs, values.jobId)),
    live: group({
      /** Maximum number of runs on a live target; their models must be listed in conform.live.models (default: 0). */
      budget: optional(values.wholeNumber(0, 10_000), 0),
      /** Maximum number of requests per second (default: no limit). */
      maxRps: optional(values.positive),
      /**
       * How credentials are sent to the router; JSON Web Tokens of callers other than `main` are always sent as bearer tokens (default:
       * bearer for a JSON Web Token and for SWITCHYARD_TOKEN, otherwise api-key).
       */
      scheme: optional(values.choice('api-key', 'bearer')),
      /** Whether every call of the Workflow Execution API needs a credential (default: either is accepted). */
      workflowAuthentication: optional(values.choice('required', 'open')),
      credentials: group({
        /** Sources of the credentials for the router, by caller. The command `explain` describes each caller. */
        router: group(
          createOwnerMembers<CredentialName<'router'>, string>(ownerSettings.routerCredentials, values.secret),
        ),
        /** Sources of the credentials for the Workflow Execution API, by caller. */
        workflow: group(
          createOwnerMembers<CredentialName<'workflow'>, string>(ownerSettings.workflowCredentials, values.secret),
        ),
      }),
      /** Files with the graphs of the jobs as JSON, relative to the configuration file; responses must contain them verbatim. */
      graphs: group(
        createOwnerMembers<'save' | 'api' | 'unreadable' | 'deleted', string>(ownerSettings.graphs, values.path),
      ),
      /** No other caller uses the listed models, or any model in the workspace of `main`, during the check. */
      exclusive: optional(toggle),
      /** Maximum size of a request body that the router accepts, in bytes; the gate sends one byte more. */
      ceiling: optional(values.wholeNumber(1, 100 * 1024 * 1024)),
      /** The models that may run. */
      models: optional(
        listOf(
          strict({
            /** The id of a model that may run. */
            id: values.modelId,
            ...createOwnerMembers<GivenInput, values.WrittenInput>(ownerSettings.inputs, values.writtenInput),
            alternate: optional(
              strict({
                /** The value to send as `model_provider`. */
                provider: values.text,
                /** An input that both the model and this provider accept. */
                input: values.input,
                /** Fields of that input that the conversion drops. */
                drops: values.globs,
              }),
            ),
            fallback: optional(
              strict({
                /** The value to send as `fallback_provider`. */
                value: values.text,
                /** An input that fails at the first provider and succeeds at the fallback provider. */
                input: values.input,
              }),
            ),
            /** The credential `barred` has no access to this model. */
            barred: optional(toggle),
            /** The same input always gives the same output. */
            deterministic: optional(toggle),
            /** Maximum cost of a run in cents; --plan prints the total. */
            maxCostCents: optional(values.cents),
          }),
        ),
        [],
      ),
    }),
  }),
});

/** Settings of a project. A flag or an environment variable with the same meaning overrides a setting. */
export type SwitchyardConfig = v.InferInput<typeof configSchema>;
/** The settings as commands use them, with defaults. */
export type Config = v.InferOutput<typeof configSchema>;

/** A path in the configuration, such as `generate.out`. */
export type SettingPath<T = SwitchyardConfig> = {
  [Name in keyof T & string]: NonNullable<T[Name]> extends string | number | boolean | readonly unknown[]
    ? Name
    : Name | `${Name}.${SettingPath<NonNullable<T[Name]>>}`;
}[keyof T & string];
export type SettingAt<Path, T = SwitchyardConfig> = Path extends `${infer Name}.${infer Rest}`
  ? SettingAt<Rest, NonNullable<T[Name & keyof T]>>
  : NonNullable<T[Path & keyof T]>;

/** A member of an object schema. */
export type Member = { readonly wrapped: Schema & { readonly entries?: Members }; readonly default?: unknown };
type Members = Readonly<Record<string, Member>>;
export const settingMembers = configSchema.entries as unknown as Members; // Each member of the configuration is optional.

export function findSetting(path: SettingPath): Member | undefined {
  let [members, member]: [Members, Member?] = [settingMembers];
  for (const name of path.split('.')) {
    member = members[name];
    members = member?.wrapped.entries ?? {};
  }
  return member;
}
