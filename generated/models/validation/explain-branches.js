/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { isCollecting, refuse, spend, traceSteps, } from './check.js';
/** Steps per branch: describing a failure takes as long as many checks. */
const stepsToExplain = 50;
/** Maximum nesting of explained unions, because the work multiplies at every level. */
const maxExplainedDepth = 4;
const maxAlternatives = 8;
const maxDescriptionLength = 80;
/**
 * Reports the failures of the branch that was probably intended, or else one failure of the union with all
 * alternatives.
 */
export function explain(branches, definitions, value, path, pass) {
    const { call, failures: all } = pass;
    if (!isCollecting(all))
        return false;
    spend(call, stepsToExplain * branches.length);
    if (call.explaining < maxExplainedDepth) {
        call.explaining += 1;
        const others = branches.filter(({ schema }) => typeof schema !== 'object' || schema.type !== 'null');
        let failed = others.map(({ check }) => {
            const failures = [];
            check(value, path, { ...pass, failures });
            return failures;
        });
        call.explaining -= 1;
        const depth = traceSteps(path).length;
        // A branch whose type does not fit was not meant.
        if (failed.length > 1)
            failed = failed.filter((failures) => failures.every(({ loc }) => loc.length > depth));
        const shared = findSharedFailure(failed, depth);
        if (shared !== undefined)
            failed = [[shared]];
        // Neither was one whose discriminating literal does not fit, or which lacks a member if another branch lacks none.
        const has = (failures, wanted) => failures.some(({ loc, type }) => loc.length === depth + 1 && type === wanted);
        if (failed.length > 1)
            failed = failed.filter((failures) => !has(failures, 'literal_error'));
        const complete = failed.filter((failures) => !has(failures, 'missing'));
        const [meant = [], ...more] = complete.length === 0 ? failed : complete;
        if (meant.length > 0 && more.length === 0) {
            for (const failure of meant)
                if (isCollecting(all) && !all.some((one) => isSame(one, failure)))
                    all.push(failure);
            return false;
        }
    }
    const alternatives = branches.slice(0, maxAlternatives).map(({ schema }) => {
        const words = describe(schema, definitions);
        return words.length > maxDescriptionLength ? `${words.slice(0, maxDescriptionLength)}…` : words;
    });
    const rest = branches.length > alternatives.length ? `, and ${branches.length - alternatives.length} more` : '';
    const msg = `must match one of the alternatives: ${alternatives.join(', ')}${rest}`;
    return refuse(pass, path, { type: 'union_mismatch', msg, ctx: { alternatives } });
}
function isSame(one, other) {
    const { loc } = other;
    return (one.type === other.type && one.loc.length === loc.length && one.loc.every((step, index) => step === loc[index]));
}
/** Finds a member that all branches require, or whose literal selects the branch and which has no value of any branch. */
function findSharedFailure([first, ...others], depth) {
    if (others.length === 0)
        return undefined;
    for (const one of first ?? []) {
        if (one.loc.length !== depth + 1 || !['missing', 'literal_error'].includes(one.type))
            continue;
        const same = others.flatMap((failures) => failures.find((other) => isSame(one, other)) ?? []);
        if (same.length < others.length)
            continue;
        const expected = [...new Set([one, ...same].map(({ ctx }) => ctx?.['expected']))];
        const reason = { type: 'enum', msg: 'must be one of the values that are allowed', ctx: { expected } };
        return one.type === 'missing' ? one : { loc: one.loc, ...reason };
    }
    return undefined;
}
/** Describes a schema in a few words: its title, its values, its discriminator, or its type. */
function describe(schema, definitions) {
    if (typeof schema === 'boolean')
        return schema ? 'anything' : 'nothing';
    const { title, $ref, enum: values, type, properties, required, allOf } = schema;
    if (title !== undefined)
        return title;
    const target = $ref === undefined ? undefined : definitions[$ref.slice($ref.lastIndexOf('/') + 1)];
    if (target !== undefined)
        return describe(target, {}); // Definitions may refer to each other in circles.
    if (values !== undefined)
        return values
            .slice(0, maxAlternatives)
            .map((value) => JSON.stringify(value))
            .join(' | ');
    const fixed = Object.entries(properties ?? {}).flatMap(([name, member]) => typeof member === 'object' && member.enum?.length === 1 ? [`${name}: ${JSON.stringify(member.enum[0])}`] : []);
    if (fixed.length > 0)
        return `{ ${fixed.slice(0, maxAlternatives).join(', ')} }`;
    if (required !== undefined)
        return `object with ${required.slice(0, maxAlternatives).join(', ')}`;
    if (type !== undefined)
        return typeof type === 'string' ? type : type.join(' | ');
    const [part] = allOf ?? [];
    return part === undefined ? 'another schema' : describe(part, definitions);
}
