/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/**
 * Returns messages by path, such as `layers[0].kind`; the path of the whole value is empty. Accepts `fields` of an
 * error, and `detail` of a validator or a 422.
 */
export function fieldErrors(detail) {
    const messages = new Map();
    for (const { loc, msg } of detail) {
        let path = '';
        for (const step of loc) {
            if (typeof step === 'number')
                path += `[${step}]`;
            else if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(step))
                path += `[${JSON.stringify(step)}]`;
            else
                path += path === '' ? step : `.${step}`;
        }
        messages.set(path, [...(messages.get(path) ?? []), msg]);
    }
    // Safe for a member named `__proto__`.
    return Object.fromEntries(messages);
}
