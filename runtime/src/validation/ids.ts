import { NestedTooDeeply } from './failure.ts';
import { isContainer, isMembers, listNames } from './schema.ts';

export type Ids = {
  /** The same text for equal values, whatever the order of their members. Throws NestedTooDeeply on a value that holds itself. */
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
 * Names values by their contents, in time proportional to their size and without recursion: a part that is equal to an earlier
 * one gets its name, so that a value's own text holds those of its parts and not all that is in them.
 */
export function createIds(): Ids {
  const byText = new Map<string, string>();
  const byValue = new Map<object, string>();
  const start = (value: object): Part => {
    byValue.set(value, underway);
    const names = isMembers(value) ? listNames(value).sort() : undefined;
    const parts = isMembers(value) ? names?.map((name) => value[name]) : value;
    return { value, names, parts: parts as readonly unknown[], ids: [] }; // what has no names is an array
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
