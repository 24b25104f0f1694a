import type { TypeName } from '../model/identifiers.ts';
import type { CanonicalSchema } from '../schema/canonical-schema.ts';
import { breakCycle } from './circular-names.ts';
import type { Merging } from './merging.ts';
import type { TypeModel } from './type-model.ts';
import { readType } from './type-rules.ts';

/** Types of one document's schemas; each name's type is made once, when first asked for. */
export type Typing = {
  typeOf(schema: CanonicalSchema): TypeModel;
  /** As it can be declared: free of names that are only themselves. */
  declared(name: TypeName): TypeModel;
  /** Names that had to be cut loose from themselves. */
  readonly circular: ReadonlySet<TypeName>;
  /** Whether the document asked for more merging than any honest one needs. */
  exhausted(): boolean;
};

const stepsAtMost = 50_000;
/** Names merged into names merged into names: beyond this they are printed as intersections. */
const chainsAtMost = 100;

export function createTyping(definitions: ReadonlyMap<TypeName, CanonicalSchema>): Typing {
  const made = new Map<TypeName, TypeModel | undefined>();
  const circular = new Set<TypeName>();
  let depth = 0;
  const expand = (name: TypeName): TypeModel | undefined => {
    if (made.has(name)) return made.get(name);
    if (depth > chainsAtMost) return undefined;
    depth++;
    made.set(name, undefined); // being made
    const type = readType(definitions.get(name) ?? {}, merging);
    made.set(name, type);
    depth--;
    return type;
  };
  const merging: Merging = { expand, open: new Map(), steps: stepsAtMost };
  return {
    typeOf: (schema) => readType(schema, merging),
    declared(name) {
      const type = expand(name) ?? { kind: 'unknown' };
      const broken = breakCycle(name, type, (other) => expand(other));
      if (broken === type) return type;
      circular.add(name);
      made.set(name, broken);
      return broken;
    },
    circular,
    exhausted: () => merging.steps <= 0,
  };
}
