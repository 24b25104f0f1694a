import type { EffectiveSpecs } from '../../specs/src/index.ts';
import type { Credential } from './catalog/router-client.ts';
import type { PackageNames } from './emit/emitted-file.ts';

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
  /** `offline` sends no request and reads the cache alone; `network` when left out. */
  source?: 'network' | 'offline';
  /** Builds exactly what the lockfile names, or fails; `only` does not apply. */
  frozen?: boolean;
  allowEmpty: boolean;
  /** The router promises no output schema, so output validators are optional. */
  outputValidators?: boolean;
  /** Leaves out validators and schemas as data. */
  typesOnly?: boolean;
};
