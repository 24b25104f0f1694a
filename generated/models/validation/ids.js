/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { NestedTooDeeply } from './failure.js';
import { isContainer, listNames } from './schema.js';
const underway = '';
/**
 * Identifies values by their contents, in time proportional to their size and without recursion. Equal parts get the same short id,
 * and the text of a value has the ids of its parts only.
 */
export function createIds() {
    const byText = new Map();
    const byValue = new Map();
    const start = (value) => {
        byValue.set(value, underway);
        if (Array.isArray(value))
            return { value, names: undefined, parts: value, ids: [] };
        const members = Object(value);
        const names = listNames(members).sort();
        return { value, names, parts: names.map((name) => members[name]), ids: [] };
    };
    const finish = ({ value, names, ids }) => {
        const text = names === undefined ? `[${ids.join()}]` : `{${ids.map((id, at) => `${JSON.stringify(names[at])}:${id}`)}}`;
        const id = byText.get(text) ?? `#${byText.size}`;
        byText.set(text, id);
        byValue.set(value, id);
    };
    const known = (value) => {
        if (isContainer(value))
            return byValue.get(value);
        return typeof value === 'string' ? JSON.stringify(value) : String(value);
    };
    return {
        identify(value) {
            const open = known(value) === undefined ? [start(value)] : []; // a scalar is known
            for (let part = open.at(-1); part !== undefined; part = open.at(-1)) {
                if (part.ids.length === part.parts.length) {
                    finish(part);
                    open.pop();
                    continue;
                }
                const inner = part.parts[part.ids.length];
                const id = known(inner);
                if (id === underway)
                    throw new NestedTooDeeply();
                if (id === undefined)
                    open.push(start(inner));
                else
                    part.ids.push(id);
            }
            return known(value) ?? '';
        },
    };
}
