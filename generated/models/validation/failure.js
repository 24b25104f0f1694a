function locOf(path) {
    const loc = [];
    for (let at = path; at !== undefined; at = at.outer)
        loc.unshift(at.step);
    return loc;
}
/** Always false, so that a check can end with it. */
export function refuse(failures, path, reason) {
    if (failures !== undefined) {
        const { type, msg, ctx } = reason;
        failures.push({ loc: locOf(path), msg, type, ...(ctx === undefined ? {} : { ctx }) });
    }
    return false;
}
/** The first failure of each field. */
export function firstOfEach(failures) {
    const byField = new Map();
    for (const failure of failures) {
        const key = JSON.stringify(failure.loc);
        if (!byField.has(key))
            byField.set(key, failure);
    }
    return [...byField.values()];
}
