/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { addEvaluated, all, applyVerdict, decide, isCollecting, refuse, spend, traceSteps, } from './check.js';
export const checkAllOf = ({ allOf }, { compile }) => allOf === undefined ? undefined : (all(allOf.map((schema) => isolate(compile(schema)))) ?? (() => true));
export const checkAnyOf = ({ anyOf }, compiling) => {
    if (anyOf === undefined)
        return undefined;
    const branches = compileBranches(anyOf, compiling);
    return (value, path, pass) => {
        const wasOpen = pass.call.isOpen;
        let fits = 'no';
        for (const { check } of branches) {
            const verdict = decide(check, value, path, pass);
            applyVerdict(verdict, pass);
            if (verdict.fits === 'yes' || fits === 'no')
                fits = verdict.fits;
            // For `unevaluated…`, every matching branch adds the members that it evaluates.
            if (fits === 'yes' && pass.evaluated === undefined)
                break;
        }
        if (fits === 'yes')
            pass.call.isOpen = wasOpen;
        return fits !== 'no' || explain(branches, compiling.definitions, value, path, pass);
    };
};
export const checkOneOf = ({ oneOf }, compiling) => {
    if (oneOf === undefined)
        return undefined;
    const branches = compileBranches(oneOf, compiling);
    return (value, path, pass) => {
        const matching = branches.map(({ check }) => decide(check, value, path, pass)).filter(({ fits }) => fits !== 'no');
        if (matching.length === 0)
            return explain(branches, compiling.definitions, value, path, pass);
        const sure = matching.filter(({ fits }) => fits === 'yes').length;
        if (sure > 1) {
            const msg = `must match exactly one of the alternatives; it matches ${sure}`;
            return refuse(pass, path, { type: 'union_mismatch', msg });
        }
        for (const verdict of matching)
            applyVerdict(verdict, pass);
        return true;
    };
};
const compileBranches = (schemas, { compile }) => schemas.map((schema) => ({ schema, check: compile(schema) }));
export const checkNot = ({ not }, { compile }) => {
    if (not === undefined)
        return undefined;
    const check = compile(not);
    const reason = { type: 'not_allowed', msg: 'must not match the excluded schema' };
    return (value, path, pass) => {
        const { fits } = decide(check, value, path, pass);
        if (fits === 'open')
            pass.call.isOpen = true;
        return fits !== 'yes' || refuse(pass, path, reason);
    };
};
export const checkConditional = (schema, { compile }) => {
    if (schema.if === undefined)
        return undefined;
    const test = compile(schema.if);
    const [yes, no] = [schema.then, schema.else].map((part = true) => isolate(compile(part)));
    return (value, path, pass) => {
        const verdict = decide(test, value, path, pass);
        applyVerdict(verdict, pass);
        return verdict.fits === 'open' || (verdict.fits === 'yes' ? yes : no)?.(value, path, pass) !== false;
    };
};
/** Returns a check that adds its evaluated members only if it passes. */
function isolate(check) {
    return (value, path, pass) => {
        if (pass.evaluated === undefined)
            return check(value, path, pass);
        const evaluated = new Set();
        const fits = check(value, path, { ...pass, evaluated });
        // Don't report members as unknown if their failures are already reported.
        if (fits || pass.failures !== undefined)
            addEvaluated(pass, evaluated);
        return fits;
    };
}
const maxAlternatives = 8;
/** Reports the failures of the branch that was probably intended, or one failure with all alternatives. */
function explain(branches, definitions, value, path, pass) {
    const { call, failures: all } = pass;
    if (!isCollecting(all))
        return false;
    spend(call, 50 * branches.length); // Describing a failure takes as long as dozens of checks.
    // Limited, because the work multiplies at every level of nested unions.
    if (call.explaining < 4) {
        call.explaining += 1;
        const others = branches.filter(({ schema }) => typeof schema !== 'object' || schema.type !== 'null');
        let failed = others.map(({ check }) => {
            const failures = [];
            check(value, path, { ...pass, failures });
            return failures;
        });
        call.explaining -= 1;
        const depth = traceSteps(path).length;
        // Skip branches whose type does not fit: they were not intended.
        if (failed.length > 1)
            failed = failed.filter((failures) => failures.every(({ loc }) => loc.length > depth));
        const shared = findSharedFailure(failed, depth);
        if (shared !== undefined)
            failed = [[shared]];
        // Also skip branches whose discriminating literal does not fit. Prefer branches without a missing member.
        const has = (failures, wanted) => failures.some(({ loc, type }) => loc.length === depth + 1 && type === wanted);
        if (failed.length > 1)
            failed = failed.filter((failures) => !has(failures, 'literal_error'));
        const complete = failed.filter((failures) => !has(failures, 'missing'));
        const [meant = [], ...more] = complete.length === 0 ? failed : complete;
        if (meant.length > 0 && more.length === 0) {
            for (const failure of meant)
                if (isCollecting(all))
                    all.push(failure);
            return false;
        }
    }
    const alternatives = branches.slice(0, maxAlternatives).map(({ schema }) => {
        const words = describe(schema, definitions);
        return words.length > 80 ? `${words.slice(0, 80)}…` : words;
    });
    const rest = branches.length > alternatives.length ? `, and ${branches.length - alternatives.length} more` : '';
    const msg = `must match one of the alternatives: ${alternatives.join(', ')}${rest}`;
    return refuse(pass, path, { type: 'union_mismatch', msg, ctx: { alternatives } });
}
/** Finds a failure that all branches share: a required member is missing, or its literal fits none of the branches. */
function findSharedFailure(branches, depth) {
    const [first = [], ...others] = branches;
    if (others.length === 0)
        return undefined;
    const isSame = (one, other) => one.type === other.type && JSON.stringify(one.loc) === JSON.stringify(other.loc);
    const shared = first.find((one) => one.loc.length === depth + 1 &&
        ['missing', 'literal_error'].includes(one.type) &&
        others.every((failures) => failures.some((other) => isSame(one, other))));
    if (shared?.type !== 'literal_error')
        return shared;
    const same = branches.flatMap((failures) => failures.find((other) => isSame(shared, other)) ?? []);
    const expected = [...new Set(same.map(({ ctx }) => ctx?.['expected']))];
    return { loc: shared.loc, type: 'enum', msg: 'must be one of the allowed values', ctx: { expected } };
}
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
