/** `run` rejects where a place does not do what `name` says; `create` gives an empty one. */
export type PlaceTest<Place> = {
  readonly name: string;
  run(create: () => Place | Promise<Place>): Promise<void>;
};

export function defineTest<Place>(name: string, check: (place: Place) => Promise<void>): PlaceTest<Place> {
  return { name, run: async (create) => check(await create()) };
}

export function expect(value: unknown, wanted: unknown): void {
  const [found, expected] = [JSON.stringify(value), JSON.stringify(wanted)];
  if (found !== expected) throw new Error(`expected ${expected}, and found ${found}`);
}
