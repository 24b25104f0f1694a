/** Returns a function that computes the value of an object once, and keeps it for as long as the object exists. */
export function cached<Source extends object, Value>(compute: (source: Source) => Value): (source: Source) => Value {
  const known = new WeakMap<Source, { readonly value: Value }>();
  return (source) => {
    const entry = known.get(source) ?? { value: compute(source) };
    known.set(source, entry);
    return entry.value;
  };
}

/** Like `cached`, but values may be dropped when memory runs low, and are then computed again. */
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
