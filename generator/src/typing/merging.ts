import type { TypeName } from '../model/identifiers.ts';
import type { TypeModel } from './type-model.ts';

/** What merging types needs to know of their document. */
export type Merging = {
  /** The type behind a name; undefined while that very type is being made. */
  expand(name: TypeName): TypeModel | undefined;
  /** The same; while it is being made, what an earlier attempt came to, if there was one. */
  shapeOf(name: TypeName): TypeModel | undefined;
  /** What each name is being merged with right now: meeting the same again means that it would not end. */
  readonly open: Map<TypeName, Set<TypeModel | TypeName>>;
  /** The same for differences. */
  readonly subtracting: Map<TypeModel | TypeName, Set<TypeModel | TypeName>>;
  /** While what a schema must not be is taken away: a key that it alone lists may then be there, with another type. */
  typesAll: boolean;
  /** Steps left: a document can ask for exponentially many. */
  steps: number;
};
