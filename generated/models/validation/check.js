/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { createIds } from './ids.js';
export function createCall(formats) {
    return {
        formats,
        ids: createIds(),
        enums: new Map(),
        verdicts: new Map(),
        trackedVerdicts: new Map(),
        explained: new Map(),
        depth: 0,
        isOpen: false,
    };
}
export function nothingEvaluated() {
    return { names: new Set(), items: 0, others: new Set() };
}
export function addEvaluated(known, more) {
    for (const name of more.names)
        known.names.add(name);
    known.items = Math.max(known.items, more.items);
    for (const index of more.others)
        known.others.add(index);
}
/** A run for the parts of a value, which record what they evaluate separately. */
export function inside(run) {
    return run.evaluated === undefined ? run : { ...run, evaluated: undefined };
}
/** A run for the verdict alone. */
export function withoutFailures(run) {
    return run.failures === undefined ? run : { ...run, failures: undefined };
}
/** The verdict of one part, which leaves no trace in the run. */
export function verdictOf(check, value, path, run) {
    const { call } = run;
    const wasOpen = call.isOpen;
    call.isOpen = false;
    const evaluated = run.evaluated === undefined ? undefined : nothingEvaluated();
    const passes = check(value, path, { call, failures: undefined, evaluated });
    const fits = passes ? (call.isOpen ? 'open' : 'yes') : 'no';
    call.isOpen = wasOpen;
    return { fits, evaluated };
}
/** Adds what a part that passes has evaluated and left open; whether it passes. */
export function adopt({ fits, evaluated }, run) {
    if (fits === 'no')
        return false;
    if (fits === 'open')
        run.call.isOpen = true;
    if (run.evaluated !== undefined && evaluated !== undefined)
        addEvaluated(run.evaluated, evaluated);
    return true;
}
