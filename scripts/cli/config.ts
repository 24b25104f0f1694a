// Written from the settings of settings.ts by `npm run settings`.
import type { JsonObject } from '../../specs/src/index.ts';

/** Settings of a project; a flag or an environment variable of the same meaning wins over each. */
export type SwitchyardConfig = {
  /** Vendor name in header names and extension keys (default: detected from the source, else Service). */
  readonly brand?: string;
  /** The two queue statuses other than COMPLETED (default: IN_QUEUE,IN_PROGRESS). */
  readonly queueStatuses?: string | readonly [string, string];
  /** OpenAPI Overlay 1.0 documents, applied in order. */
  readonly overlays?: readonly string[];
  /** Base address of the Model Router. */
  readonly routerUrl?: string;
  /** Base address of the Workflow Execution API. */
  readonly workflowUrl?: string;
  readonly http?: {
    /** Sent with every request, for gateways; env:NAME and command:PROGRAM ARGUMENT… are secrets, other text is the value itself. */
    readonly headers?: Readonly<Record<string, string>>;
    /** PEM file with an authority to trust. */
    readonly ca?: string;
    /** PEM file with the client's certificate. */
    readonly cert?: string;
    /** PEM file with the key of that certificate. */
    readonly key?: string;
    /** Passphrase of the key. */
    readonly passphrase?: string;
  };
  readonly generate?: {
    /** Folder of the packages (default: generated). */
    readonly out?: string;
    /** Version of the packages; auto raises it according to the changes since the last release (default: kept). */
    readonly version?: string;
    /** Exit with 1 if a model could not be generated. */
    readonly strict?: boolean;
    /** Folder of the private document cache (default: .switchyard/cache). */
    readonly cache?: string;
    /** Time limit; models that are not read by then count as failed (default: 10m, and 50ms for each model). */
    readonly deadline?: string;
    /** Accept an empty catalog. */
    readonly allowEmpty?: boolean;
    /** How many documents may be unreadable; with more, the exit code is 3 (default: 0). */
    readonly allowFailed?: number;
    /** Only models whose id matches; files of other models are removed from the output. */
    readonly only?: readonly string[];
    /** The npm scope of the packages (default: that of the output, else of the nearest package.json). */
    readonly scope?: string;
    /** Packages, or a folder of plain files (default: packages when there is a scope). */
    readonly layout?: 'packages' | 'folder';
    /** Leave out the client of the Workflow Execution API. */
    readonly routerOnly?: boolean;
    /** Also make validators of outputs. */
    readonly outputValidators?: boolean;
    /** Leave out validators and schemas as data. */
    readonly typesOnly?: boolean;
    /** Tags of releases, such as packages-v*, for the version auto (default: the current commit counts as released). */
    readonly releaseTags?: string;
    /** License of the packages. */
    readonly license?: string;
    /** Author of the packages. */
    readonly author?: string;
    readonly publish?: {
      /** Who may install the packages; without generate.publish they are private (default: restricted). */
      readonly access?: 'public' | 'restricted';
      /** Other members of publishConfig, such as registry or provenance. */
      readonly publishConfig?: Readonly<Record<string, string | boolean>>;
    };
    /** Accepted diagnostics: they are not printed and fail nothing; entries that no longer match are reported. */
    readonly accept?: readonly {
      /** A glob over model ids; ** also accepts diagnostics without a model. */
      readonly model: string;
      /** The code of the diagnostic, as the report prints it. */
      readonly code: string;
      /** The last day, such as 2027-01-31 (default: no end). */
      readonly until?: string;
    }[];
  };
  readonly docs?: {
    /** Name of the site about the models (default: Models). */
    readonly name?: string;
    /** Picture next to its name: .svg, .png, .jpg or .webp, at most 200 kB. */
    readonly logo?: string;
    /** Colour of its buttons and marks, such as #0a6e5c. */
    readonly colour?: string;
  };
  readonly conform?: {
    /** Folder of the reports (default: .switchyard/conform). */
    readonly out?: string;
    /** Further reports: sarif, markdown. */
    readonly report?: string | readonly string[];
    /** File of accepted findings (default: conform-waivers.yaml when present). */
    readonly waivers?: string;
    /** Only rules whose ids match, and the rules that they depend on. */
    readonly rules?: readonly string[];
    readonly deadlines?: {
      /** Maximum wait for a response (default: 10s). */
      readonly request?: string;
      /** Maximum wait for the response to a run of a live target (default: 10m). */
      readonly held?: string;
      /** Maximum time of a rule (default: 60s). */
      readonly rule?: string;
      /** Maximum time of the whole check (default: 10m). */
      readonly run?: string;
    };
    readonly hooks?: {
      /** Address of the test hooks of a staging build. */
      readonly url?: string;
      /** Source of the bearer token for the test hooks. */
      readonly credential?: string;
    };
    readonly live?: {
      /** Maximum number of runs of a live target; conform.live.models must name their models (default: 0). */
      readonly budget?: number;
      /** Maximum number of requests per second (default: no limit). */
      readonly maxRps?: number;
      /** How credentials are sent to the router; JSON Web Tokens other than main are always sent as bearer tokens (default: bearer for a JSON Web Token and for one of SWITCHYARD_TOKEN, else api-key). */
      readonly scheme?: 'api-key' | 'bearer';
      /** Whether every call of the Workflow Execution API needs a credential (default: either is accepted). */
      readonly workflowAuthentication?: 'required' | 'open';
      readonly credentials?: {
        /** Sources of the credentials for the router, by caller. */
        readonly router?: {
          /** The caller of most rules; else `SWITCHYARD_API_KEY` or `SWITCHYARD_TOKEN`. */
          readonly main?: string;
          /** Another caller of the workspace of `main`. */
          readonly colleague?: string;
          /** A caller of another workspace. */
          readonly neighbour?: string;
          /** A caller without a workspace. */
          readonly solo?: string;
          /** A credential that was valid once and was revoked. */
          readonly revoked?: string;
          /** A bearer token whose time is over. */
          readonly expiredToken?: string;
          /** A caller without credits. */
          readonly noCredits?: string;
          /** A caller who may not use the API. */
          readonly noAccess?: string;
          /** A caller who may use the API, but not the models that are stated as `barred`. */
          readonly barred?: string;
          /** A caller whose workspace is not enabled. */
          readonly notEnabled?: string;
          /** A caller who is over the rate limit at all times. */
          readonly rateLimited?: string;
          /** A caller whose committed spend is at its cap at all times. */
          readonly spendCapped?: string;
        };
        /** Sources of the credentials for the Workflow Execution API, by caller. */
        readonly workflow?: {
          /** The caller of most rules; else `SWITCHYARD_WORKFLOW_TOKEN`. */
          readonly main?: string;
          /** A caller of another account. */
          readonly other?: string;
          /** A caller who is known, and may read no job. */
          readonly forbidden?: string;
          /** A caller who is over the rate limit at all times. */
          readonly rateLimited?: string;
        };
      };
      /** Files with the graphs of the jobs as JSON, relative to the configuration file: responses must repeat them verbatim. */
      readonly graphs?: {
        /** Of the job save. */
        readonly save?: string;
        /** Of the job api. */
        readonly api?: string;
        /** Of the job unreadable. */
        readonly unreadable?: string;
        /** Of the job deleted. */
        readonly deleted?: string;
      };
      /** During the check, no other caller uses the named models, or any model in the workspace of `main`. */
      readonly exclusive?: boolean;
      /** Maximum bytes of a request body that the router accepts; the gate sends one byte more. */
      readonly ceiling?: number;
      /** The models that may run. */
      readonly models?: readonly {
        /** The id of a model that may run. */
        readonly id: string;
        /** An input with which the model may run. */
        readonly input?: JsonObject | string;
        /** An input that is refused by the content policy of its provider. */
        readonly rejectedInput?: JsonObject | string;
        /** An input on which its provider fails. */
        readonly failingInput?: JsonObject | string;
        /** An input with which a run takes ten seconds or more. */
        readonly slowInput?: JsonObject | string;
        /** An input in the form of the provider in `alternate`, which strict mode forwards unchanged. */
        readonly strictInput?: JsonObject | string;
        /** A second input with which the model may run; without it one is made of the first. */
        readonly otherInput?: JsonObject | string;
        readonly alternate?: {
          /** The value of `model_provider`. */
          readonly provider: string;
          /** An input that the model and this provider accept. */
          readonly input: JsonObject;
          /** The fields of that input that the conversion drops. */
          readonly drops: readonly string[];
        };
        readonly fallback?: {
          /** The value of `fallback_provider`. */
          readonly value: string;
          /** An input that fails at the first provider and succeeds at another one. */
          readonly input: JsonObject;
        };
        /** The credential `barred` has no access to this model. */
        readonly barred?: boolean;
        /** How many hours the signed links of the service are valid. */
        readonly linkHours?: number;
        /** Equal inputs give equal outputs. */
        readonly deterministic?: boolean;
        /** Maximum cost of a run in cents; --plan prints the total. */
        readonly maxCostCents?: number;
      }[];
    };
    /** Files with rules of your own, as paths or globs from the folder of the configuration. */
    readonly ownRules?: readonly string[];
    readonly redact?: {
      /** Further headers whose values are left out of reports. */
      readonly headers?: readonly string[];
      /** Query parameters whose values are left out of reports. */
      readonly query?: readonly string[];
      /** JSON pointers to members of bodies that are left out of reports; * is every member or item. */
      readonly pointers?: readonly string[];
    };
    /** Our readings of ambiguous passages that a live target must follow, by id: { 'OP-040': 'required' }, or 'required' for all (default: differences are reported, and fail no rule). */
    readonly readings?: 'required' | Readonly<Record<string, 'required'>>;
    /** Ids of jobs at the Workflow Execution API, encoded as in a path. */
    readonly jobs?: {
      /** A job pinned to a version of a workflow that `main` can read, as one that was made in the editor. */
      readonly save?: string;
      /** A job that was submitted through the API, and is not pinned to a version. */
      readonly api?: string;
      /** A job of another account. */
      readonly foreign?: string;
      /** A job after its retention. */
      readonly expired?: string;
      /** A job pinned to a version that the caller can no longer read. */
      readonly unreadable?: string;
      /** A job pinned to a workflow that the caller can no longer read. */
      readonly deleted?: string;
      /** A job whose lookup fails with 500 upstream_error. */
      readonly failing?: string;
    };
  };
};

/** The flags of `npx openapi-switchyard generate`, in camel case; options that are left out come from environment, configuration file and defaults. */
export type GenerateSettings = {
  /** Folder of the packages (default: generated). */
  readonly out?: string;
  /** Version of the packages; auto raises it according to the changes since the last release (default: kept). */
  readonly packageVersion?: string;
  /** Exit with 1 if a model could not be generated. */
  readonly strict?: boolean;
  /** Write nothing; exit with 1 if the output is outdated. */
  readonly check?: boolean;
  /** Base address of the Model Router. */
  readonly routerUrl?: string;
  /** Send the credential to a public host over plain http. */
  readonly allowHttp?: boolean;
  /** Configuration file (default: switchyard.config.ts when present). */
  readonly config?: string;
  /** Vendor name in header names and extension keys (default: detected from the source, else Service). */
  readonly brand?: string;
  /** The two queue statuses other than COMPLETED (default: IN_QUEUE,IN_PROGRESS). */
  readonly queueStatuses?: string | readonly [string, string];
  /** OpenAPI Overlay 1.0 documents, applied in order. */
  readonly overlay?: readonly string[];
  /** Folder of the private document cache (default: .switchyard/cache). */
  readonly cache?: string;
  /** Time limit; models that are not read by then count as failed (default: 10m, and 50ms for each model). */
  readonly deadline?: string;
  /** Accept an empty catalog. */
  readonly allowEmpty?: boolean;
  /** How many documents may be unreadable; with more, the exit code is 3 (default: 0). */
  readonly allowFailed?: number;
  /** Build exactly what switchyard.lock.json names, or fail. */
  readonly frozen?: boolean;
  /** Send no request; read only the cache. */
  readonly offline?: boolean;
  /** Only models whose id matches; files of other models are removed from the output. */
  readonly only?: readonly string[];
  /** The npm scope of the packages (default: that of the output, else of the nearest package.json). */
  readonly scope?: string;
  /** Packages, or a folder of plain files (default: packages when there is a scope). */
  readonly layout?: 'packages' | 'folder';
  /** Leave out the client of the Workflow Execution API. */
  readonly routerOnly?: boolean;
  /** Also make validators of outputs. */
  readonly outputValidators?: boolean;
  /** Leave out validators and schemas as data. */
  readonly typesOnly?: boolean;
};
