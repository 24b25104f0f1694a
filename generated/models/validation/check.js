export function nothingEvaluated() {
    return { names: new Set(), items: 0, others: new Set() };
}
export function addEvaluated(known, more) {
    for (const name of more.names)
        known.names.add(name);
    known.items = Math.max(known.items, more.items);
    for (const index of more.others)
        known.others.add(index);
}
/** A run for the parts of a value, which record what they evaluate separately. */
export function inside(run) {
    return run.evaluated === undefined ? run : { ...run, evaluated: undefined };
}
/** A run for the verdict alone. */
export function withoutFailures(run) {
    return { ...run, failures: undefined };
}
