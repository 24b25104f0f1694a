export function nothingDescribed() {
    return { names: new Set(), items: 0, found: new Set() };
}
export function describe(known, more) {
    for (const name of more.names)
        known.names.add(name);
    known.items = Math.max(known.items, more.items);
    for (const index of more.found)
        known.found.add(index);
}
/** Members and items of a value are judged by themselves: what is described there is nobody else's. */
export function inside(run) {
    return run.described === undefined ? run : { ...run, described: undefined };
}
/** Neither complains nor describes. */
export function silently(run) {
    return { ...run, complaints: undefined };
}
