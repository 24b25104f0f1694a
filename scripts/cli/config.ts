import type { SpecSettings } from '../../specs/src/index.ts';

/** Settings of a project; a flag or an environment variable of the same meaning wins over each. */
export type SwitchyardConfig = {
  /** The maker's word in header names and extension keys; `Service` by default. */
  readonly brand?: string;
  /** The two queue status values beside COMPLETED: waiting, running. */
  readonly queueStatuses?: SpecSettings['queueStatuses'];
  /** OpenAPI Overlay 1.0 files, applied in order; relative to the configuration file. */
  readonly overlays?: readonly string[];
  readonly routerUrl?: string;
  readonly workflowUrl?: string;
  readonly generate?: {
    readonly out?: string;
    readonly cache?: string;
    /** npm scope of the generated packages, with its `@`. */
    readonly scope?: string;
    /** Whole names of packages that are to be called otherwise; the scope is then not added. */
    readonly packages?: {
      readonly modelRouter?: string;
      readonly workflowExecution?: string;
      readonly models?: string;
    };
    /** Globs over model ids; all models by default. */
    readonly only?: readonly string[];
    readonly concurrency?: number;
    readonly allowEmpty?: boolean;
    /** Validators of outputs beside those of inputs; the router promises no output schema. */
    readonly outputValidators?: boolean;
    /** Neither validators nor schemas as data. */
    readonly typesOnly?: boolean;
    readonly strict?: boolean;
  };
  readonly conform?: {
    readonly out?: string;
    /** Globs over rule ids; all rules by default. */
    readonly rules?: readonly string[];
    /** Ids of jobs at the workflow target. */
    readonly jobs?: {
      readonly save?: string;
      readonly api?: string;
      readonly foreign?: string;
      readonly expired?: string;
    };
  };
};

/** Types a `switchyard.config.ts`; returns what it is given. */
export function defineConfig(config: SwitchyardConfig): SwitchyardConfig {
  return config;
}
