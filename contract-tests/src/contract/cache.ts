/** Returns a function that calls `compute` once per object. */
export function memoize<Source extends object, Value>(compute: (source: Source) => Value): (source: Source) => Value {
  const known = new WeakMap<Source, { readonly value: Value }>();
  return (source) => {
    const entry = known.get(source) ?? { value: compute(source) };
    known.set(source, entry);
    return entry.value;
  };
}

/** Like `memoize`, but the garbage collector may drop a value, which is then computed again. */
export function memoizeWeakly<Source extends object, Value extends object>(
  compute: (source: Source) => Value,
): (source: Source) => Value {
  const known = new WeakMap<Source, WeakRef<Value>>();
  return (source) => {
    const earlier = known.get(source)?.deref();
    if (earlier !== undefined) return earlier;
    const value = compute(source);
    known.set(source, new WeakRef(value));
    return value;
  };
}

/** A map with texts as keys. Forgets all entries when its keys have more than this many characters in total. */
export function createTextMap<Value>(maxCharacters: number) {
  const known = new Map<string, Value>();
  let characters = 0;
  return {
    get: (text: string): Value | undefined => known.get(text),
    set: (text: string, value: Value): void => {
      if (known.has(text) || text.length > maxCharacters) return;
      if (characters + text.length > maxCharacters) {
        known.clear();
        characters = 0;
      }
      known.set(text, value);
      characters += text.length;
    },
  };
}
