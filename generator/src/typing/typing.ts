import type { CanonicalSchema } from '../../../specs/src/index.ts';
import type { TypeName } from '../model/identifiers.ts';
import { breakCycle } from './circular-names.ts';
import type { Merging } from './merging.ts';
import { createSeal } from './seal.ts';
import { type TypeModel, unknownType } from './type-model.ts';
import { readType } from './type-rules.ts';

/** Types of one document's schemas; each name's type is made once, when first asked for. */
export type Typing = {
  typeOf(schema: CanonicalSchema): TypeModel;
  /** As it can be declared: free of names that are only themselves. */
  declared(name: TypeName): TypeModel;
  /** As it is to be printed. */
  seal(type: TypeModel): TypeModel;
  /** Names that had to be cut loose from themselves. */
  readonly circular: ReadonlySet<TypeName>;
  /** Whether the document asked for more merging than any honest one needs. */
  exhausted(): boolean;
};

const stepsAtMost = 100_000;
/** Names merged into names merged into names: beyond this they are printed as intersections. */
const chainsAtMost = 100;

export function createTyping(definitions: ReadonlyMap<TypeName, CanonicalSchema>): Typing {
  let made = new Map<TypeName, TypeModel | undefined>();
  let earlier: ReadonlyMap<TypeName, TypeModel | undefined> = new Map();
  let isRecursive = false;
  const circular = new Set<TypeName>();
  let depth = 0;
  const expand = (name: TypeName): TypeModel | undefined => {
    const known = made.get(name);
    if (known !== undefined) return known;
    if (made.has(name) || depth > chainsAtMost) {
      isRecursive = true;
      return undefined;
    }
    depth++;
    made.set(name, undefined); // being made
    const read = readType(definitions.get(name) ?? {}, merging);
    const type = breakCycle(name, read, expand);
    if (type !== read) circular.add(name);
    made.set(name, type);
    depth--;
    return type;
  };
  const shapeOf = (name: TypeName): TypeModel | undefined => expand(name) ?? earlier.get(name);
  const merging: Merging = {
    expand,
    shapeOf,
    open: new Map(),
    subtracting: new Map(),
    typesAll: false,
    steps: stepsAtMost,
  };
  // A type that was asked for while it was being made is known at the second time.
  for (const name of definitions.keys()) expand(name);
  if (isRecursive) [earlier, made] = [made, new Map()];
  return {
    typeOf: (schema) => readType(schema, merging),
    seal: createSeal(merging),
    declared: (name) => expand(name) ?? unknownType,
    circular,
    exhausted: () => merging.steps <= 0,
  };
}
