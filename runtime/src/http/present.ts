type Present<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** Without the members that are undefined. */
export function present<Members extends object>(members: Members): Present<Members> {
  const found: Present<Members> = {};
  // As a loop, since a call does this many times.
  for (const name in members) if (members[name] !== undefined) found[name] = members[name] as never; // it is not undefined
  return found;
}
