import { NestedTooDeeply } from './failure.ts';
import { isContainer, listNames } from './schema.ts';

export type Ids = {
  /** Returns the same text for equal values, in any order of members. Throws NestedTooDeeply for a value that contains itself. */
  identify(value: unknown): string;
};

type Part = {
  readonly value: object;
  /** Undefined for an array. */
  readonly names: readonly string[] | undefined;
  /** Its members in the order of their names, or its items. */
  readonly parts: readonly unknown[];
  readonly ids: string[];
};
const underway = '';

/**
 * Identifies values by their contents, in time proportional to their size and without recursion. Equal parts get the same short id,
 * and the text of a value has the ids of its parts only.
 */
export function createIds(): Ids {
  const byText = new Map<string, string>();
  const byValue = new Map<object, string>();
  const start = (value: object): Part => {
    byValue.set(value, underway);
    if (Array.isArray(value)) return { value, names: undefined, parts: value, ids: [] };
    const members: { readonly [name: string]: unknown } = Object(value);
    const names = listNames(members).sort();
    return { value, names, parts: names.map((name) => members[name]), ids: [] };
  };
  const finish = ({ value, names, ids }: Part): void => {
    const text =
      names === undefined ? `[${ids.join()}]` : `{${ids.map((id, at) => `${JSON.stringify(names[at])}:${id}`)}}`;
    const id = byText.get(text) ?? `#${byText.size}`;
    byText.set(text, id);
    byValue.set(value, id);
  };
  const known = (value: unknown): string | undefined => {
    if (isContainer(value)) return byValue.get(value);
    return typeof value === 'string' ? JSON.stringify(value) : String(value);
  };

  return {
    identify(value) {
      const open: Part[] = known(value) === undefined ? [start(value as object)] : []; // a scalar is known
      for (let part = open.at(-1); part !== undefined; part = open.at(-1)) {
        if (part.ids.length === part.parts.length) {
          finish(part);
          open.pop();
          continue;
        }
        const inner = part.parts[part.ids.length];
        const id = known(inner);
        if (id === underway) throw new NestedTooDeeply();
        if (id === undefined) open.push(start(inner as object));
        else part.ids.push(id);
      }
      return known(value) ?? '';
    },
  };
}
