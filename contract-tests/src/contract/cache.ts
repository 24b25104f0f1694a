/** Returns a function that computes a value from an object once, and keeps it for as long as the object exists. */
export function cached<Source extends object, Value>(compute: (source: Source) => Value): (source: Source) => Value {
  const known = new WeakMap<Source, { readonly value: Value }>();
  return (source) => {
    const entry = known.get(source) ?? { value: compute(source) };
    known.set(source, entry);
    return entry.value;
  };
}
