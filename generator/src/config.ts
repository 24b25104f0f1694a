import type { EffectiveSpecs } from '../../specs/src/index.ts';

export type Credential = { kind: 'api-key' | 'bearer'; value: string };

/** What the generated packages are called, whole: `@acme/models`. */
export type PackageNames = {
  readonly modelRouter: string;
  readonly workflowExecution: string;
  readonly models: string;
};

export function packageNamesIn(scope: string): PackageNames {
  return {
    modelRouter: `${scope}/model-router`,
    workflowExecution: `${scope}/workflow-execution`,
    models: `${scope}/models`,
  };
}

/** Everything a run depends on beside its ports; nothing below this line has defaults of its own. */
export type GenerateConfig = {
  routerUrl: string;
  credential: Credential | undefined;
  outDir: string;
  /** Private to the user: model documents are not for shared caches (MR-SCH-11). */
  cacheDir: string;
  specs: EffectiveSpecs;
  packageNames: PackageNames;
  /** Globs over model ids; empty selects all. */
  only: readonly string[];
  concurrency: number;
  /** `check` writes nothing, neither output nor cache. */
  mode: 'write' | 'check';
  /** `offline` asks nobody and reads the cache alone; `network` when left out. */
  source?: 'network' | 'offline';
  /** Builds exactly what the lockfile names, or fails; `only` is then the lockfile's own selection. */
  frozen?: boolean;
  allowEmpty: boolean;
  /** The router promises no output schema, so that judging outputs is for those who ask for it. */
  outputValidators?: boolean;
  /** Leaves out validators and schemas as data. */
  typesOnly?: boolean;
};

export type Progress = (event: { phase: string; done: number; total?: number; model?: string }) => void;
