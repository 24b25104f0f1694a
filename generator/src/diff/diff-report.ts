import type { Verdict } from './rules.ts';
import type { SchemaChange } from './schema-change.ts';

export type ModelDiff = {
  readonly id: string;
  /** `renamed`: the same schemas under another id, or an id that the document gives as its former one. */
  readonly kind: 'added' | 'removed' | 'renamed' | 'changed';
  readonly formerId?: string;
  readonly verdict: Verdict;
  readonly changes: readonly SchemaChange[];
};
export type Bump = 'major' | 'minor' | 'patch' | 'none';
export type PackageDiff = {
  readonly name: string;
  readonly bump: Bump;
  /** Versions in the two outputs, and the one that the bump makes of the first; below 1.0.0 a major change raises the minor. */
  readonly versions: { readonly before: string; readonly after: string; readonly suggested: string };
  /** Of the API that the package is for; those of models stand with the models. */
  readonly changes: readonly SchemaChange[];
  /** Markdown, without a heading for the version. */
  readonly changelog: string;
};
export type DiffReport = {
  readonly format: 1;
  readonly verdict: Verdict | 'none';
  readonly counts: {
    readonly models: Readonly<Record<ModelDiff['kind'] | 'unchanged', number>>;
    readonly changes: Readonly<Record<Verdict, number>>;
  };
  readonly models: readonly ModelDiff[];
  readonly packages: readonly PackageDiff[];
};
