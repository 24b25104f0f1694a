function locOf(place) {
    const loc = [];
    for (let at = place; at !== undefined; at = at.outer)
        loc.unshift(at.step);
    return loc;
}
/** Always false, so that a check can end with it. */
export function refuse(complaints, place, reason) {
    if (complaints !== undefined) {
        const { type, msg, ctx } = reason;
        complaints.push({ loc: locOf(place), msg, type, ...(ctx === undefined ? {} : { ctx }) });
    }
    return false;
}
/** One entry for each failing field, the first complaint about it. */
export function firstOfEach(failures) {
    const byField = new Map();
    for (const failure of failures) {
        const key = JSON.stringify(failure.loc);
        if (!byField.has(key))
            byField.set(key, failure);
    }
    return [...byField.values()];
}
