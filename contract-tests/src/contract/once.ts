type Known<Key, Value> = { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown };

/** What is known under a key; it is made when it is first asked for. */
export function once<Key, Value>(known: Known<Key, Value>, key: Key, make: () => Value): Value {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
