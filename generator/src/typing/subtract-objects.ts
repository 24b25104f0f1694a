import { typeOfUnlisted } from './intersect-objects.ts';
import { narrowNamed, objectWith } from './object-shape.ts';
import { choiceOf, type Field, neverType, type ObjectType, type TypeModel } from './type-model.ts';

type Difference = { readonly rest: TypeModel; readonly exact: boolean };
type Operations = {
  meet(left: TypeModel, right: TypeModel): TypeModel;
  subtract(from: TypeModel, minus: TypeModel): Difference;
  /** Whether a member that only the other one lists may be of another type, rather than absent. */
  readonly typesAll: boolean;
};
/** A type together with the object shape behind it. */
type Branch = { readonly type: TypeModel; readonly shape: ObjectType };
/** One way to miss the other object: what one member would have to be. */
type Miss = Pick<Field, 'name' | 'required' | 'type'>;

/** Objects that miss at least one thing that the other ones ask for. */
export function subtractObjects(from: Branch, minus: ObjectType, operations: Operations): Difference {
  const both = operations.meet(from.shape, minus);
  if (both.kind === 'never') return { rest: from.type, exact: true };
  if (both === from.shape) return { rest: neverType, exact: true };
  if (minus.loose) return { rest: from.type, exact: false };
  const found = missesOf(from.shape, minus, operations);
  if (found === undefined) return { rest: from.type, exact: false };
  const alternatives = found.misses.map((miss) => narrowNamed(from.type, objectWith([miss]), operations.meet));
  // One of them takes nothing away.
  if (alternatives.includes(from.type)) return { rest: from.type, exact: false };
  return { rest: choiceOf(alternatives), exact: found.exact };
}

type Misses = { readonly misses: readonly Miss[]; readonly exact: boolean };

/** Undefined when the difference lies in something that no type can say. */
function missesOf(from: ObjectType, minus: ObjectType, operations: Operations): Misses | undefined {
  const asked = [...minus.fields.values()];
  const absent = asked
    .filter(({ name, required }) => required && from.fields.get(name)?.required !== true)
    .map(({ name }): Miss => ({ name, required: false, type: neverType }));
  // A key of the other one alone is left out rather than given a type of which nobody speaks, unless nobody speaks of any.
  const isAnyKey = operations.typesAll || absent.length === 0 || from.fields.size === 0;
  const own = isAnyKey ? asked : asked.filter(({ name }) => from.fields.has(name));
  const otherwise = own.map((field) => missOf(field, from, operations));
  const surplus = surplusOf(from, minus, operations);
  if (surplus === undefined) return undefined;
  return {
    misses: mergeMisses([...absent, ...otherwise.flatMap(({ miss }) => miss ?? []), ...surplus]),
    exact: otherwise.every(({ exact }) => exact),
  };
}

/** What is left of a member may still hold values that the other one accepts; the member has to be there all the same. */
function missOf(field: Field, from: ObjectType, { meet, subtract }: Operations): { miss?: Miss; exact: boolean } {
  const { name, type } = field;
  const { rest, exact } = subtract(from.fields.get(name)?.type ?? typeOfUnlisted(name, from, meet), type);
  return rest.kind === 'never' ? { exact } : { miss: { name, required: true, type: rest }, exact };
}

/** Members that the other one does not list and does not accept. */
function surplusOf(from: ObjectType, minus: ObjectType, { meet, subtract }: Operations): Miss[] | undefined {
  const misses: Miss[] = [];
  for (const { name, type } of from.fields.values()) {
    if (minus.fields.has(name)) continue;
    const left = subtract(type, typeOfUnlisted(name, minus, meet));
    if (left.rest.kind === 'never') continue;
    if (!left.exact) return undefined;
    misses.push({ name, required: true, type: left.rest });
  }
  if (minus.rest === 'unsaid' || minus.rest === 'open') return minus.patterns.length === 0 ? misses : undefined;
  // Any other member would do as well, and that cannot be said.
  if (from.rest !== 'closed' || from.patterns.length > 0) return undefined;
  return misses;
}

// Absent or of another type: one optional member says both.
function mergeMisses(misses: readonly Miss[]): Miss[] {
  const merged = new Map<string, Miss>();
  for (const miss of misses) {
    const known = merged.get(miss.name);
    merged.set(
      miss.name,
      known === undefined
        ? miss
        : {
            name: miss.name,
            required: known.required && miss.required,
            type: choiceOf([known.type, miss.type]),
          },
    );
  }
  return [...merged.values()];
}
