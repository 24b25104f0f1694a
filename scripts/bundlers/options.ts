import type { GenerateOptions } from '../cli/library-commands.ts';

/** As those of `generate`: what is left out comes from environment, `switchyard.config.ts` and defaults. */
export type SwitchyardPluginOptions = Omit<GenerateOptions, 'check' | 'frozen'> & {
  /**
   * Writes nothing, and fails the build where the output is not as it would be generated now (`true`, as `generate --check`) or not
   * as its lockfile says (`lockfile`, as `verify`: without credential and network). The flag `--frozen` of `generate` is another: it
   * builds what the lockfile names.
   */
  readonly frozen?: boolean | 'lockfile';
  /** In development: seconds between two looks at the router, by default 60; `false` generates at the start alone. */
  readonly watch?: number | false;
};

/** `unknown`: of a bundler that does not say whether it builds once. */
export type Mode = 'build' | 'development' | 'unknown';
