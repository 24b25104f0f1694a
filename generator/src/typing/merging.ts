import type { TypeName } from '../model/identifiers.ts';
import type { TypeModel } from './type-model.ts';

/** What merging types needs to know of their document. */
export type Merging = {
  /** The type behind a name; undefined while that very type is being made. */
  expand(name: TypeName): TypeModel | undefined;
  /** Pairs of names on the way to being merged: meeting one again means that both are recursive. */
  readonly pairs: Set<string>;
  /** Steps left: a document can ask for exponentially many. */
  steps: number;
};
