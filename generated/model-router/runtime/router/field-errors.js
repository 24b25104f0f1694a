/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/**
 * Messages by path, as in `layers[0].kind`; the path of the whole value is empty. Takes `fields` of an error and `detail` of a
 * validator or of a 422.
 */
export function fieldErrors(detail) {
    const messages = new Map();
    for (const { loc, msg } of detail) {
        const path = loc.reduce(addStep, '');
        messages.set(path, [...(messages.get(path) ?? []), msg]);
    }
    // Also a member called `__proto__` becomes a key of its own here.
    return Object.fromEntries(messages);
}
function addStep(path, step) {
    if (typeof step === 'number')
        return `${path}[${step}]`;
    if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(step))
        return `${path}[${JSON.stringify(step)}]`;
    return path === '' ? step : `${path}.${step}`;
}
