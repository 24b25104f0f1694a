/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
/**
 * The headers of a request, of which a later one replaces an earlier one of its name, or the name of one that no platform sends. Looked
 * at here, since the platform's `Headers` and `Request` take longer than the rest of the call.
 */
export function mergeHeaders(...parts) {
    const all = {};
    for (const part of parts)
        for (const name of Object.keys(part ?? {})) {
            const value = part?.[name];
            if (value === undefined)
                continue;
            if (!headerName.test(name) || typeof value !== 'string' || !headerValue.test(value.trim()))
                return name;
            all[name.toLowerCase()] = value.trim();
        }
    return all;
}
