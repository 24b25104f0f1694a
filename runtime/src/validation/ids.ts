import { NestedTooDeeply } from './failure.ts';
import { isMembers, listNames } from './schema.ts';

export type Ids = {
  /** The same text for equal values, whatever the order of their members. Throws NestedTooDeeply on a value that holds itself. */
  identify(value: unknown): string;
};

type Part = {
  readonly value: object;
  /** Undefined for an array. */
  readonly names: readonly string[] | undefined;
  readonly ids: string[];
};
const underway = '';

/**
 * Names values by their contents, in time proportional to their size and without recursion: a part that is equal to an earlier
 * one gets its name, so that a value's own text holds those of its parts and not all that is in them.
 */
export function createIds(): Ids {
  const byText = new Map<string, string>();
  const byValue = new Map<object, string>();
  const start = (value: object): Part => {
    byValue.set(value, underway);
    return { value, names: isMembers(value) ? listNames(value).sort() : undefined, ids: [] };
  };
  const finish = ({ value, names, ids }: Part): void => {
    const text =
      names === undefined ? `[${ids.join()}]` : `{${ids.map((id, at) => `${JSON.stringify(names[at])}:${id}`)}}`;
    const id = byText.get(text) ?? `#${byText.size}`;
    byText.set(text, id);
    byValue.set(value, id);
  };
  const known = (value: unknown): string | undefined => (isContainer(value) ? byValue.get(value) : printScalar(value));

  /** Adds the id of the next part, or returns the part when it has to be named first. */
  const addNext = (part: Part): object | undefined => {
    const inner = partAt(part, part.ids.length);
    const id = known(inner);
    if (id === underway) throw new NestedTooDeeply();
    if (id === undefined && isContainer(inner)) return inner;
    part.ids.push(id ?? '');
    return undefined;
  };

  return {
    identify(value) {
      const open: Part[] = isContainer(value) && !byValue.has(value) ? [start(value)] : [];
      for (let part = open.at(-1); part !== undefined; part = open.at(-1)) {
        if (part.ids.length === countParts(part)) {
          finish(part);
          open.pop();
          continue;
        }
        const inner = addNext(part);
        if (inner !== undefined) open.push(start(inner));
      }
      return known(value) ?? '';
    },
  };
}

export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function countParts({ value, names }: Part): number {
  return names?.length ?? (Array.isArray(value) ? value.length : 0);
}

function partAt({ value, names }: Part, at: number): unknown {
  if (Array.isArray(value)) return value[at];
  return isMembers(value) ? value[names?.[at] ?? ''] : undefined;
}

function printScalar(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
