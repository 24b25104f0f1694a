export function cached<Source extends object, Value>(compute: (source: Source) => Value): (source: Source) => Value {
  const known = new WeakMap<Source, { readonly value: Value }>();
  return (source) => {
    const entry = known.get(source) ?? { value: compute(source) };
    known.set(source, entry);
    return entry.value;
  };
}

/** Memoizes `compute` per object like `cached`, but lets the garbage collector drop values when memory runs low. */
export function cachedWhilePossible<Source extends object, Value extends object>(
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
