type Present<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** Returns the members that are not undefined. */
export function present<Members extends object>(members: Members): Present<Members> {
  const found: Present<Members> = {};
  // A loop, since each call does this many times.
  for (const name in members) if (members[name] !== undefined) found[name] = members[name] as never; // it is not undefined
  return found;
}
