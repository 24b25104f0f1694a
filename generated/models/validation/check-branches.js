/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { addEvaluated, adopt, all, decide, spend } from './check.js';
import { addFailures, refuse, traceSteps } from './failure.js';
import { readKind } from './schema.js';
export function checkAllOf({ allOf }, compile) {
    if (allOf === undefined)
        return undefined;
    return all(allOf.map((schema) => isolate(compile(schema)))) ?? (() => true);
}
export function checkAnyOf({ anyOf }, compile) {
    if (anyOf === undefined)
        return undefined;
    const branches = anyOf.map((schema) => ({ schema, check: compile(schema) }));
    return (value, path, pass) => {
        const wasOpen = pass.call.isOpen;
        let fits = 'no';
        for (const { check } of branches) {
            const verdict = decide(check, value, path, pass);
            adopt(verdict, pass);
            if (verdict.fits === 'yes' || fits === 'no')
                fits = verdict.fits;
            // Where `unevaluated…` applies, every matching branch adds what it evaluates.
            if (fits === 'yes' && pass.evaluated === undefined)
                break;
        }
        if (fits === 'yes')
            pass.call.isOpen = wasOpen;
        return fits !== 'no' || explain(branches, value, path, pass);
    };
}
export function checkOneOf({ oneOf }, compile) {
    if (oneOf === undefined)
        return undefined;
    const branches = oneOf.map((schema) => ({ schema, check: compile(schema) }));
    return (value, path, pass) => {
        const matching = branches.map(({ check }) => decide(check, value, path, pass)).filter(({ fits }) => fits !== 'no');
        if (matching.length === 0)
            return explain(branches, value, path, pass);
        const sure = matching.filter(({ fits }) => fits === 'yes').length;
        if (sure > 1) {
            const msg = `must match exactly one of the alternatives; it matches ${sure}`;
            return refuse(pass.failures, path, { type: 'union_mismatch', msg });
        }
        for (const verdict of matching)
            adopt(verdict, pass);
        return true;
    };
}
export function checkNot({ not }, compile) {
    if (not === undefined)
        return undefined;
    const check = compile(not);
    const reason = { type: 'not_allowed', msg: 'must not be of the form that is excluded' };
    return (value, path, pass) => {
        const { fits } = decide(check, value, path, pass);
        if (fits === 'open')
            pass.call.isOpen = true;
        return fits !== 'yes' || refuse(pass.failures, path, reason);
    };
}
export function checkConditional(schema, compile) {
    if (schema.if === undefined)
        return undefined;
    const test = compile(schema.if);
    // Renamed: an object with a member `then` would be taken for a promise.
    const { then: consequence = true, else: alternative = true } = schema;
    const [yes, no] = [isolate(compile(consequence)), isolate(compile(alternative))];
    return (value, path, pass) => {
        const verdict = decide(test, value, path, pass);
        adopt(verdict, pass);
        return verdict.fits === 'open' || (verdict.fits === 'yes' ? yes : no)(value, path, pass);
    };
}
/** The check with what it evaluates counted only when it passes. */
function isolate(check) {
    return (value, path, pass) => {
        if (pass.evaluated === undefined)
            return check(value, path, pass);
        const evaluated = new Set();
        const fits = check(value, path, { ...pass, evaluated });
        // The members of a part whose failures are reported are not reported as unknown, too.
        if (fits || pass.failures !== undefined)
            addEvaluated(pass.evaluated, evaluated);
        return fits;
    };
}
/** Of a branch: describing a failure takes as long as many checks. */
const stepsToExplain = 50;
/** The failures of the branch that was meant, where that is clear; else one failure of the union. */
function explain(branches, value, path, pass) {
    if (pass.failures === undefined)
        return false;
    const depth = traceSteps(path).length;
    spend(pass.call, stepsToExplain * branches.length);
    const failed = branches.map(({ schema, check }) => {
        const failures = [];
        check(value, path, { ...pass, failures });
        return { schema, isNull: typeof schema === 'object' && schema.type === 'null', failures };
    });
    const others = failed.filter(({ isNull }) => !isNull);
    const meant = others.length === 1 ? others : likely(others, depth);
    const [only] = meant;
    if (meant.length === 1 && only !== undefined && only.failures.length > 0) {
        addFailures(pass.failures, only.failures);
        return false;
    }
    return refuse(pass.failures, path, mismatch(failed, value, depth));
}
// A branch whose type or discriminating literal does not fit was not meant.
function likely(branches, depth) {
    const ofKind = branches.filter(({ failures }) => failures.every(({ loc }) => loc.length > depth));
    if (ofKind.length < 2)
        return ofKind;
    const isDiscriminator = ({ loc, type }) => loc.length === depth + 1 && type === 'literal_error';
    return ofKind.filter(({ failures }) => !failures.some(isDiscriminator));
}
/** Says which alternatives there are, and what keeps the value from the closest one; none is close to a value of another type. */
function mismatch(failed, value, depth) {
    const alternatives = failed.slice(0, alternativesAtMost).map(({ schema }) => describe(schema));
    const more = failed.length > alternatives.length ? `, and ${failed.length - alternatives.length} more` : '';
    const msg = `must match one of the alternatives: ${alternatives.join(', ')}${more}`;
    const isOfOtherType = ({ loc, type, ctx }) => {
        if (loc.length !== depth)
            return false;
        const listed = type === 'enum' || type === 'literal_error' ? [ctx?.['expected']].flat() : undefined;
        return listed === undefined ? type.endsWith('_type') : !listed.some((one) => readKind(one) === readKind(value));
    };
    // A discriminating literal that differs weighs more than any number of other failures.
    const measureDistance = ({ failures }) => failures.reduce((sum, { loc, type }) => sum + (loc.length === depth + 1 && type === 'literal_error' ? 1000 : 1), 0);
    const [closest] = failed
        .filter(({ failures }) => failures.length > 0 && !failures.some(isOfOtherType))
        .sort((one, other) => measureDistance(one) - measureDistance(other));
    const [first] = closest?.failures ?? [];
    if (closest === undefined || first === undefined)
        return { type: 'union_mismatch', msg, ctx: { alternatives } };
    const name = describe(closest.schema);
    const place = first.loc.slice(depth).join('.');
    const why = place === '' ? first.msg : `${place} ${first.msg}`;
    return {
        type: 'union_mismatch',
        msg: `${msg}; the closest is ${name}: ${why}`,
        ctx: { alternatives, closest: name },
    };
}
const alternativesAtMost = 8;
const longestDescription = 80;
/** A schema in a few words: its name, its values, what tells it from others, or its type. */
function describe(schema) {
    if (typeof schema === 'boolean')
        return schema ? 'anything' : 'nothing';
    const words = putIntoWords(schema);
    return words.length > longestDescription ? `${words.slice(0, longestDescription)}…` : words;
}
function putIntoWords({ $ref, enum: values, type, properties, required, allOf }) {
    if ($ref !== undefined)
        return $ref.slice($ref.lastIndexOf('/') + 1);
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
    return part === undefined ? 'another schema' : describe(part);
}
