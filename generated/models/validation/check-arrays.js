/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { all, decide, inside, refuse, spend, when } from './check.js';
import { checkCount } from './check-scalars.js';
import { isCollecting } from './failure.js';
import { isContainer } from './ids.js';
const isArray = Array.isArray;
export function checkItems({ prefixItems = [], items }, compile) {
    if (prefixItems.length === 0 && items === undefined)
        return undefined;
    const first = prefixItems.map(compile);
    const rest = items === undefined ? undefined : compile(items);
    // A loop of its own: long arrays would take half as long again by that of all parts.
    return when(isArray, (value, path, pass) => {
        const reached = rest === undefined ? Math.min(first.length, value.length) : value.length;
        const within = inside(pass);
        spend(pass.call, reached);
        let fits = true;
        for (let index = 0; index < reached; index++) {
            pass.evaluated?.add(index);
            const check = first[index] ?? rest;
            if (check?.(value[index], { outer: path, step: index }, within) !== false)
                continue;
            if (!isCollecting(pass.failures))
                return false;
            fits = false;
        }
        return fits;
    });
}
export function checkLength({ minItems, maxItems, uniqueItems }) {
    const checks = checkCount([minItems, maxItems], 'items', isArray, (items) => items.length);
    if (uniqueItems === true) {
        const reason = { type: 'unique_items', msg: 'must not have the same item twice' };
        checks.push(when(isArray, (value, path, pass) => !hasDuplicates(value, pass) || refuse(pass, path, reason)));
    }
    return all(checks);
}
/** Characters of texts. */
const comparedPerStep = 16;
function hasDuplicates(items, { call }) {
    const seen = new Set();
    spend(call, items.length);
    for (const item of items) {
        if (typeof item === 'string')
            spend(call, item.length / comparedPerStep);
        // A text is not an object, so that the name of one cannot be taken for the other.
        const key = isContainer(item) ? call.ids.identify(item) : typeof item === 'string' ? `"${item}` : item;
        if (seen.has(key))
            return true;
        seen.add(key);
    }
    return false;
}
export function checkContains(schema, compile) {
    const { contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema;
    if (contains === undefined)
        return undefined;
    const check = compile(contains);
    const reason = { type: 'contains', msg: 'must have the items that are asked for' };
    return when(isArray, (value, path, pass) => {
        const within = inside(pass);
        spend(pass.call, value.length);
        const counts = { yes: 0, open: 0, no: 0 };
        for (const [index, item] of value.entries()) {
            const { fits } = decide(check, item, { outer: path, step: index }, within);
            counts[fits] += 1;
            if (fits !== 'no')
                pass.evaluated?.add(index);
        }
        if (counts.yes > maxContains || counts.yes + counts.open < minContains)
            return refuse(pass, path, reason);
        if (counts.yes < minContains || counts.yes + counts.open > maxContains)
            pass.call.isOpen = true;
        return true;
    });
}
