/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/**
 * Returns the headers of a request; later ones replace earlier ones. Returns the name of a header that is invalid. The
 * platform's `Headers` would take longer than the rest of the call.
 */
export function mergeHeaders(...parts) {
    const all = {};
    for (const part of parts)
        for (const name of Object.keys(part ?? {})) {
            const value = part?.[name];
            if (value === undefined)
                continue;
            const isSendable = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && typeof value === 'string';
            if (!isSendable || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value.trim()))
                return name;
            all[name.toLowerCase()] = value.trim();
        }
    return all;
}
