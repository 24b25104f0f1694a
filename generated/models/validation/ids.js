/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { NestedTooDeeply } from './failure.js';
import { isMembers, listNames } from './schema.js';
const underway = '';
/**
 * Names values by their contents, in time proportional to their size and without recursion: a part that is equal to an earlier
 * one gets its name, so that a value's own text holds those of its parts and not all that is in them.
 */
export function createIds() {
    const byText = new Map();
    const byValue = new Map();
    const start = (value) => {
        byValue.set(value, underway);
        return { value, names: isMembers(value) ? listNames(value).sort() : undefined, ids: [] };
    };
    const finish = ({ value, names, ids }) => {
        const text = names === undefined ? `[${ids.join()}]` : `{${ids.map((id, at) => `${JSON.stringify(names[at])}:${id}`)}}`;
        const id = byText.get(text) ?? `#${byText.size}`;
        byText.set(text, id);
        byValue.set(value, id);
    };
    const known = (value) => (isContainer(value) ? byValue.get(value) : printScalar(value));
    /** Adds the id of the next part, or returns the part when it has to be named first. */
    const addNext = (part) => {
        const inner = partAt(part, part.ids.length);
        const id = known(inner);
        if (id === underway)
            throw new NestedTooDeeply();
        if (id === undefined && isContainer(inner))
            return inner;
        part.ids.push(id ?? '');
        return undefined;
    };
    return {
        identify(value) {
            const open = isContainer(value) && !byValue.has(value) ? [start(value)] : [];
            for (let part = open.at(-1); part !== undefined; part = open.at(-1)) {
                if (part.ids.length === countParts(part)) {
                    finish(part);
                    open.pop();
                    continue;
                }
                const inner = addNext(part);
                if (inner !== undefined)
                    open.push(start(inner));
            }
            return known(value) ?? '';
        },
    };
}
export function isContainer(value) {
    return typeof value === 'object' && value !== null;
}
function countParts({ value, names }) {
    return names?.length ?? (Array.isArray(value) ? value.length : 0);
}
function partAt({ value, names }, at) {
    if (Array.isArray(value))
        return value[at];
    return isMembers(value) ? value[names?.[at] ?? ''] : undefined;
}
function printScalar(value) {
    return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
