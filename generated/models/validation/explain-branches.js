/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { refuse, spend } from './check.js';
import { isCollecting, traceSteps } from './failure.js';
import { readKind } from './schema.js';
/** Steps per branch: describing a failure takes as long as many checks. */
const stepsToExplain = 50;
/** Reports the failures of the branch that was probably meant, or else one failure of the union. */
export function explain(branches, value, path, pass) {
    if (!isCollecting(pass.failures))
        return false;
    const depth = traceSteps(path).length;
    spend(pass.call, stepsToExplain * branches.length);
    const failed = branches.map((branch) => {
        const failures = [];
        branch.check(value, path, { ...pass, failures });
        return { ...branch, failures };
    });
    const others = failed.filter(({ schema }) => typeof schema !== 'object' || schema.type !== 'null');
    const meant = others.length === 1 ? others : likely(others, depth);
    const [only] = meant;
    if (meant.length !== 1 || only === undefined || only.failures.length === 0)
        return refuse(pass, path, describeMismatch(failed, value, depth));
    for (const failure of only.failures)
        if (isCollecting(pass.failures))
            pass.failures.push(failure);
    return false;
}
// A branch whose type or discriminating literal does not fit was not meant.
function likely(branches, depth) {
    const ofKind = branches.filter(({ failures }) => failures.every(({ loc }) => loc.length > depth));
    if (ofKind.length < 2)
        return ofKind;
    const isDiscriminator = ({ loc, type }) => loc.length === depth + 1 && type === 'literal_error';
    return ofKind.filter(({ failures }) => !failures.some(isDiscriminator));
}
const alternativesAtMost = 8;
/** Lists the alternatives, and why the closest one fails. An alternative of another type is never the closest. */
function describeMismatch(failed, value, depth) {
    const alternatives = failed.slice(0, alternativesAtMost).map(({ describe }) => describe());
    const more = failed.length > alternatives.length ? `, and ${failed.length - alternatives.length} more` : '';
    const msg = `must match one of the alternatives: ${alternatives.join(', ')}${more}`;
    const closest = findClosest(failed, value, depth);
    const [first] = closest?.failures ?? [];
    if (closest === undefined || first === undefined)
        return { type: 'union_mismatch', msg, ctx: { alternatives } };
    const name = closest.describe();
    const place = first.loc.slice(depth).join('.');
    const why = place === '' ? first.msg : `${place} ${first.msg}`;
    return {
        type: 'union_mismatch',
        msg: `${msg}; the closest is ${name}: ${why}`,
        ctx: { alternatives, closest: name },
    };
}
function findClosest(failed, value, depth) {
    const isOfOtherType = ({ loc, type, ctx }) => {
        if (loc.length !== depth)
            return false;
        const listed = type === 'enum' || type === 'literal_error' ? [ctx?.['expected']].flat() : undefined;
        return listed === undefined ? type.endsWith('_type') : !listed.some((one) => readKind(one) === readKind(value));
    };
    let closest;
    let least = Number.POSITIVE_INFINITY;
    for (const branch of failed) {
        if (branch.failures.length === 0 || branch.failures.some(isOfOtherType))
            continue;
        // A different discriminating literal counts more than all other failures.
        const distance = branch.failures.reduce((sum, { loc, type }) => sum + (loc.length === depth + 1 && type === 'literal_error' ? 1000 : 1), 0);
        if (distance < least)
            [closest, least] = [branch, distance];
    }
    return closest;
}
const longestDescription = 80;
/** Describes a schema in a few words, when they are needed: its title, its values, its discriminator, or its type. */
export function createDescription(schema, definitions) {
    let words;
    return () => {
        words ??= describe(schema, definitions);
        return words.length > longestDescription ? `${words.slice(0, longestDescription)}…` : words;
    };
}
function describe(schema, definitions) {
    if (typeof schema === 'boolean')
        return schema ? 'anything' : 'nothing';
    const { title, $ref, enum: values, type, properties, required, allOf } = schema;
    if (title !== undefined)
        return title;
    const target = $ref === undefined ? undefined : definitions[$ref.slice($ref.lastIndexOf('/') + 1)];
    if (target !== undefined)
        return describe(target, {}); // definitions may refer to each other in circles
    if (values !== undefined)
        return values
            .slice(0, alternativesAtMost)
            .map((value) => JSON.stringify(value))
            .join(' | ');
    const fixed = Object.entries(properties ?? {}).flatMap(([name, member]) => typeof member === 'object' && member.enum?.length === 1 ? [`${name}: ${JSON.stringify(member.enum[0])}`] : []);
    if (fixed.length > 0)
        return `{ ${fixed.slice(0, alternativesAtMost).join(', ')} }`;
    if (required !== undefined)
        return `object with ${required.slice(0, alternativesAtMost).join(', ')}`;
    if (type !== undefined)
        return typeof type === 'string' ? type : type.join(' | ');
    const [part] = allOf ?? [];
    return part === undefined ? 'another schema' : describe(part, definitions);
}
