// Written from the settings of settings.ts by `npm run settings`.
import type { JsonObject } from '../../specs/src/index.ts';

/** Settings of a project. A flag or an environment variable with the same meaning overrides a setting. */
export type SwitchyardConfig = {
  /** Vendor name in header names and extension keys (default: detected from the source, or else Service). */
  readonly brand?: string;
  /** The two queue statuses other than COMPLETED (default: IN_QUEUE,IN_PROGRESS). */
  readonly queueStatuses?: string | readonly [string, string];
  /** OpenAPI Overlay 1.0 documents, applied in order. */
  readonly overlays?: readonly string[];
  /** Base URL of the Model Router. */
  readonly routerUrl?: string;
  /** Base URL of the Workflow Execution API. */
  readonly workflowUrl?: string;
  readonly http?: {
    /** Headers to send with every request, for gateways; env:NAME and command:PROGRAM ARGUMENT… refer to secrets, any other text is the value itself. */
    readonly headers?: Readonly<Record<string, string>>;
    /** PEM file with a CA certificate to trust. */
    readonly ca?: string;
    /** PEM file with the client certificate. */
    readonly cert?: string;
    /** PEM file with the private key of the client certificate. */
    readonly key?: string;
    /** Passphrase of the private key. */
    readonly passphrase?: string;
  };
  readonly generate?: {
    /** Output folder for the packages (default: generated). */
    readonly out?: string;
    /** Version of the packages; auto increments it according to the changes since the last release (default: unchanged). */
    readonly version?: string;
    /** Exit with 1 if a model could not be generated. */
    readonly strict?: boolean;
    /** Folder of the private document cache (default: .switchyard/cache). */
    readonly cache?: string;
    /** Time limit; models that have not been read by then count as failed (default: 10m, plus 50ms per model). */
    readonly deadline?: string;
    /** Accept an empty catalog. */
    readonly allowEmpty?: boolean;
    /** Maximum number of unreadable documents; if there are more, the exit code is 3 (default: 0). */
    readonly allowFailed?: number;
    /** Only generate models whose id matches; files of all other models are removed from the output. */
    readonly only?: readonly string[];
    /** The npm scope of the packages (default: the scope of the existing output, or else of the nearest package.json). */
    readonly scope?: string;
    /** Packages, or a folder of plain files (default: packages if there is a scope). */
    readonly layout?: 'packages' | 'folder';
    /** Omit the client for the Workflow Execution API. */
    readonly routerOnly?: boolean;
    /** Also generate validators for outputs. */
    readonly outputValidators?: boolean;
    /** Omit validators and runtime schemas. */
    readonly typesOnly?: boolean;
    /** Pattern of release tags, such as packages-v*, for the version auto (default: the current commit counts as the last release). */
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
  };
  readonly docs?: {
    /** Name of the documentation site (default: Models). */
    readonly name?: string;
    /** Logo of the documentation site: .svg, .png, .jpg or .webp, at most 200 kB. */
    readonly logo?: string;
    /** Accent colour of the documentation site, such as #0a6e5c. */
    readonly colour?: string;
  };
  readonly conform?: {
    /** Output folder for the reports (default: .switchyard/conform). */
    readonly out?: string;
    /** Additional report formats: sarif, markdown. */
    readonly report?: string | readonly string[];
    /** File with accepted findings (default: conform-waivers.yaml, if it exists). */
    readonly waivers?: string;
    /** Only check rules whose ids match, and the rules that they depend on. */
    readonly rules?: readonly string[];
    readonly deadlines?: {
      /** Maximum time to wait for a response (default: 10s). */
      readonly request?: string;
      /** Maximum time to wait for the response to a run on a live target (default: 10m). */
      readonly held?: string;
      /** Maximum duration of a rule (default: 60s). */
      readonly rule?: string;
      /** Maximum duration of the whole check (default: 10m). */
      readonly run?: string;
    };
    readonly hooks?: {
      /** URL of the test hooks of a staging build. */
      readonly url?: string;
      /** Source of the bearer token for the test hooks. */
      readonly credential?: string;
    };
    readonly live?: {
      /** Maximum number of runs on a live target; their models must be listed in conform.live.models (default: 0). */
      readonly budget?: number;
      /** Maximum number of requests per second (default: no limit). */
      readonly maxRps?: number;
      /** How credentials are sent to the router; JSON Web Tokens of callers other than `main` are always sent as bearer tokens (default: bearer for a JSON Web Token and for SWITCHYARD_TOKEN, otherwise api-key). */
      readonly scheme?: 'api-key' | 'bearer';
      /** Whether every call of the Workflow Execution API needs a credential (default: either is accepted). */
      readonly workflowAuthentication?: 'required' | 'open';
      readonly credentials?: {
        /** Sources of the credentials for the router, by caller. */
        readonly router?: {
          /** The caller in most rules (default: `SWITCHYARD_API_KEY` or `SWITCHYARD_TOKEN`). */
          readonly main?: string;
          /** A second caller in the workspace of `main`. */
          readonly colleague?: string;
          /** A caller in a different workspace. */
          readonly neighbour?: string;
          /** A caller without a workspace. */
          readonly solo?: string;
          /** A credential that was valid and has been revoked. */
          readonly revoked?: string;
          /** An expired bearer token. */
          readonly expiredToken?: string;
          /** A caller without credits. */
          readonly noCredits?: string;
          /** A caller who may not use the API. */
          readonly noAccess?: string;
          /** A caller who may use the API, but not the models marked as `barred`. */
          readonly barred?: string;
          /** A caller whose workspace is not enabled. */
          readonly notEnabled?: string;
          /** A caller who is always over the rate limit. */
          readonly rateLimited?: string;
          /** A caller whose committed spend is always at its cap. */
          readonly spendCapped?: string;
        };
        /** Sources of the credentials for the Workflow Execution API, by caller. */
        readonly workflow?: {
          /** The caller in most rules (default: `SWITCHYARD_WORKFLOW_TOKEN`). */
          readonly main?: string;
          /** A caller in a different account. */
          readonly other?: string;
          /** An authenticated caller who may not read any job. */
          readonly forbidden?: string;
          /** A caller who is always over the rate limit. */
          readonly rateLimited?: string;
        };
      };
      /** Files with the graphs of the jobs as JSON, relative to the configuration file; responses must contain them verbatim. */
      readonly graphs?: {
        /** The workflow graph of the job `save`. */
        readonly save?: string;
        /** The workflow graph of the job `api`. */
        readonly api?: string;
        /** The workflow graph of the job `unreadable`. */
        readonly unreadable?: string;
        /** The workflow graph of the job `deleted`. */
        readonly deleted?: string;
      };
      /** No other caller uses the listed models, or any model in the workspace of `main`, during the check. */
      readonly exclusive?: boolean;
      /** Maximum size of a request body that the router accepts, in bytes; the gate sends one byte more. */
      readonly ceiling?: number;
      /** The models that may run. */
      readonly models?: readonly {
        /** The id of a model that may run. */
        readonly id: string;
        /** An input that the model may be run with. */
        readonly input?: JsonObject | string;
        /** An input that the content policy of the provider rejects. */
        readonly rejectedInput?: JsonObject | string;
        /** An input that makes the provider fail. */
        readonly failingInput?: JsonObject | string;
        /** An input for which a run takes at least ten seconds. */
        readonly slowInput?: JsonObject | string;
        /** An input in the format of the `alternate` provider. Strict mode forwards it unchanged. */
        readonly strictInput?: JsonObject | string;
        /** A second input that the model may be run with. By default, it is derived from the first. */
        readonly otherInput?: JsonObject | string;
        readonly alternate?: {
          /** The value to send as `model_provider`. */
          readonly provider: string;
          /** An input that both the model and this provider accept. */
          readonly input: JsonObject;
          /** Fields of that input that the conversion drops. */
          readonly drops: readonly string[];
        };
        readonly fallback?: {
          /** The value to send as `fallback_provider`. */
          readonly value: string;
          /** An input that fails at the first provider and succeeds at the fallback provider. */
          readonly input: JsonObject;
        };
        /** The credential `barred` has no access to this model. */
        readonly barred?: boolean;
        /** How long signed links of the service are valid, in hours. */
        readonly linkHours?: number;
        /** The same input always gives the same output. */
        readonly deterministic?: boolean;
        /** Maximum cost of a run in cents; --plan prints the total. */
        readonly maxCostCents?: number;
      }[];
    };
    /** Files with custom rules, as paths or globs relative to the folder of the configuration. */
    readonly ownRules?: readonly string[];
    readonly redact?: {
      /** Additional headers whose values are omitted from reports. */
      readonly headers?: readonly string[];
      /** Query parameters whose values are omitted from reports. */
      readonly query?: readonly string[];
      /** JSON pointers to members of bodies whose values are omitted from reports; * matches every member or item. */
      readonly pointers?: readonly string[];
    };
    /** Our readings of ambiguous passages that a live target must follow, by id: { 'OP-040': 'required' }, or 'required' for all (default: differences are reported, but do not fail a rule). */
    readonly readings?: 'required' | Readonly<Record<string, 'required'>>;
    /** Ids of jobs in the Workflow Execution API, percent-encoded as in a path. */
    readonly jobs?: {
      /** A job pinned to a workflow version that `main` can read, such as a job created in the editor. */
      readonly save?: string;
      /** A job that was submitted through the API and is not pinned to a version. */
      readonly api?: string;
      /** A job of a different account. */
      readonly foreign?: string;
      /** A job whose retention period has ended. */
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
