/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { noCharacter, parsePattern, startsText } from './pattern-tree.js';
/** Maximum number of steps of one pattern. */
export const maxSteps = 2000;
/**
 * Creates a matcher for a pattern. Matching takes time proportional to the text, because all alternatives are followed
 * at once, without backtracking. Returns undefined for a pattern that only the server can check: one that
 * `readExpression` doesn't accept, that has modifiers or references to groups, or that has more than 2,000 steps after
 * expanding repetitions. Generated packages contain this file.
 */
export function linearPattern(source) {
    const program = compilePattern(source)?.program;
    if (program === undefined)
        return undefined;
    return (text, spend) => scan(program, { text, found: new Map(), spend }, () => true);
}
/** Compiles a pattern with at most `maxSize` steps; undefined for a larger or unsupported pattern. */
export function compilePattern(source, maxSize = maxSteps) {
    const tree = parseTree(source, maxSize);
    return tree && { program: compileTree(tree), size: tree.size };
}
/** Parses a pattern with at most `maxSize` steps into a tree; undefined for a larger or unsupported pattern. */
export function parseTree(source, maxSize) {
    const expression = readExpression(source);
    const tree = expression === undefined ? undefined : parsePattern(expression);
    return tree === undefined || tree.size > maxSize ? undefined : tree;
}
/**
 * Converts the pattern of a schema to an ECMAScript expression for the `u` flag. The flag doesn't allow some escaped
 * spaces and ASCII punctuation; they match the character itself, because `\-` is `-` in every engine. Returns undefined
 * for any other pattern that is invalid with the flag. Such patterns are written for other engines; without the flag,
 * ECMAScript would misread them (`\A` as the letter A) or reject them (`(?i)`, `a++`).
 */
export function readExpression(source) {
    const expression = source.replace(/\\(?:([ !"#%&',\-:;<=>@_`~])|[\s\S])/g, (whole, mark) => mark === undefined ? whole : `\\x${mark.charCodeAt(0).toString(16)}`);
    try {
        new RegExp(expression, 'u');
        return expression;
    }
    catch {
        return undefined;
    }
}
/** Compiles a tree to a program. A backward program reads the text from its end. */
export function compileTree(tree, backward = false) {
    const steps = [];
    const fork = () => {
        const step = { kind: 'fork', to: [steps.length + 1] };
        steps.push(step);
        return step;
    };
    const add = (node) => {
        switch (node.kind) {
            case 'look':
                // Lookaheads are evaluated once for all positions, from the end of the text.
                steps.push({ kind: 'look', program: compileTree(node.part, node.ahead), expected: node.expected });
                return;
            case 'sequence':
                for (const part of backward ? [...node.parts].reverse() : node.parts)
                    add(part);
                return;
            case 'choice':
                addChoice(node.parts);
                return;
            case 'repeat':
                addRepeat(node);
                return;
            default:
                steps.push(node);
        }
    };
    const addChoice = (parts) => {
        const start = fork();
        start.to = [];
        const ends = parts.map((part) => {
            start.to.push(steps.length);
            add(part);
            return fork();
        });
        for (const end of ends)
            end.to = [steps.length];
    };
    const addRepeat = ({ part, least, most }) => {
        for (let count = 0; count < least; count++)
            add(part);
        const start = steps.length;
        const skips = [];
        for (let count = least; count < (Number.isFinite(most) ? most : least + 1); count++) {
            skips.push(fork());
            add(part);
        }
        if (!Number.isFinite(most))
            fork().to = [start];
        for (const skip of skips)
            skip.to.push(steps.length);
    };
    add(tree);
    steps.push({ kind: 'match' });
    const [first] = steps;
    return { steps, backward, isAnchored: !backward && first?.kind === 'edge' && first.holds === startsText };
}
/** Calls `onMatch` with the end position of every match until `onMatch` returns true. Returns true if it did. */
function scan(program, input, onMatch) {
    const { steps, backward, isAnchored } = program;
    const enteredAt = new Int32Array(steps.length).fill(-1);
    let at = backward ? input.text.length : 0;
    for (let open = [];;) {
        const here = { before: characterBefore(input, at), after: characterAfter(input, at), at, input };
        open.push(0); // A match may start at any position.
        const reading = followOpenSteps(open, steps, enteredAt, here);
        if (enteredAt[steps.length - 1] === at && onMatch(at))
            return true;
        const next = backward ? here.before : here.after;
        if (next === noCharacter || (isAnchored && reading.length === 0))
            return false;
        open = afterReading(next, reading, steps);
        at += (backward ? -1 : 1) * (next > 0xffff ? 2 : 1);
    }
}
/** Follows the open steps without reading a character. Returns the steps that read a character. */
function followOpenSteps(open, steps, enteredAt, here) {
    const reading = [];
    let visited = 0;
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
        visited++;
        const step = steps[index];
        if (step === undefined || enteredAt[index] === here.at)
            continue;
        enteredAt[index] = here.at;
        if (step.kind === 'character')
            reading.push(index);
        else if (step.kind === 'fork')
            for (const next of step.to)
                open.push(next);
        else if (step.kind !== 'match' && holds(step, here))
            open.push(index + 1);
    }
    here.input.spend?.(visited);
    return reading;
}
function holds(step, here) {
    return step.kind === 'edge' ? step.holds(here.before, here.after) : isFound(step, here) === step.expected;
}
function isFound({ program }, { at, input }) {
    const places = input.found.get(program) ?? new Uint8Array(input.text.length + 1);
    if (!input.found.has(program)) {
        input.found.set(program, places);
        scan(program, input, (place) => {
            places[place] = 1;
            return false;
        });
    }
    return places[at] === 1;
}
function afterReading(character, reading, steps) {
    const open = [];
    for (const index of reading) {
        const step = steps[index];
        if (step?.kind === 'character' && step.fits(character))
            open.push(index + 1);
    }
    return open;
}
function characterAfter({ text }, at) {
    return text.codePointAt(at) ?? noCharacter;
}
function characterBefore({ text }, at) {
    if (at === 0)
        return noCharacter;
    const pair = at > 1 ? (text.codePointAt(at - 2) ?? noCharacter) : noCharacter;
    return pair > 0xffff ? pair : text.charCodeAt(at - 1);
}
