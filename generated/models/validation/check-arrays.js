import { inside, withoutFailures } from './check.js';
import { all } from './check-scalars.js';
import { refuse } from './failure.js';
import { isSame } from './schema.js';
function ofArrays(check) {
    return (value, path, run) => !Array.isArray(value) || check(value, path, run);
}
export function checkItems({ prefixItems = [], items }, compile) {
    if (prefixItems.length === 0 && items === undefined)
        return undefined;
    const first = prefixItems.map(compile);
    const rest = items === undefined ? undefined : compile(items);
    const checkAt = (index) => first[index] ?? rest;
    return ofArrays((value, path, run) => {
        if (run.evaluated !== undefined) {
            const reached = rest === undefined ? first.length : value.length;
            run.evaluated.items = Math.max(run.evaluated.items, reached);
        }
        return checkEach(value, checkAt, { path, run: inside(run) });
    });
}
function checkEach(value, checkAt, { path, run }) {
    let fits = true;
    for (const [index, item] of value.entries()) {
        const check = checkAt(index);
        if (check === undefined)
            return fits;
        if (check(item, { outer: path, step: index }, run))
            continue;
        if (run.failures === undefined)
            return false;
        fits = false;
    }
    return fits;
}
export function checkLength({ minItems, maxItems, uniqueItems }) {
    const checks = [];
    if (typeof minItems === 'number') {
        const reason = { type: 'too_short', msg: `must have at least ${minItems} items`, ctx: { min_length: minItems } };
        checks.push(ofArrays((value, path, run) => value.length >= minItems || refuse(run.failures, path, reason)));
    }
    if (typeof maxItems === 'number') {
        const reason = { type: 'too_long', msg: `must have at most ${maxItems} items`, ctx: { max_length: maxItems } };
        checks.push(ofArrays((value, path, run) => value.length <= maxItems || refuse(run.failures, path, reason)));
    }
    if (uniqueItems === true) {
        const reason = { type: 'unique_items', msg: 'must not have the same item twice' };
        checks.push(ofArrays((value, path, run) => !hasDuplicates(value) || refuse(run.failures, path, reason)));
    }
    return all(checks);
}
function hasDuplicates(items) {
    const scalars = items.filter((item) => typeof item !== 'object' || item === null);
    if (new Set(scalars).size < scalars.length)
        return true;
    const others = items.filter((item) => typeof item === 'object' && item !== null);
    return others.some((item, index) => others.slice(0, index).some((before) => isSame(before, item)));
}
export function checkContains(schema, compile) {
    const { contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema;
    if (contains === undefined)
        return undefined;
    const check = compile(contains);
    const reason = { type: 'contains', msg: 'must have the items that are asked for' };
    return ofArrays((value, path, run) => {
        const quiet = withoutFailures(inside(run));
        let count = 0;
        for (const [index, item] of value.entries()) {
            if (!check(item, path, quiet))
                continue;
            run.evaluated?.others.add(index);
            count++;
        }
        return (count >= minContains && count <= maxContains) || refuse(run.failures, path, reason);
    });
}
/** Checks the items that no other part of the schema has evaluated. */
export function checkUnevaluatedItems({ unevaluatedItems }, compile) {
    if (unevaluatedItems === undefined)
        return undefined;
    const check = compile(unevaluatedItems);
    return ofArrays((value, path, run) => {
        let fits = true;
        for (const [index, item] of value.entries()) {
            if (index < (run.evaluated?.items ?? 0) || run.evaluated?.others.has(index))
                continue;
            if (!check(item, { outer: path, step: index }, inside(run)))
                fits = false;
        }
        if (run.evaluated !== undefined)
            run.evaluated.items = value.length;
        return fits;
    });
}
