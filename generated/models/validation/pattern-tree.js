/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export const noCharacter = -1;
export const startsText = (before) => before === noCharacter;
const maxGroupDepth = 100;
/** Size of a lookaround in steps. Each one needs a byte per character of the text, so a pattern may have at most 20. */
const lookSize = 100;
const isWord = (character) => character !== noCharacter && /\w/.test(String.fromCodePoint(character));
const edges = new Map([
    ['^', startsText],
    ['$', (_, after) => after === noCharacter],
    ['\\b', (before, after) => isWord(before) !== isWord(after)],
    ['\\B', (before, after) => isWord(before) === isWord(after)],
]);
const looks = new Map([
    ['(?=', { ahead: true, expected: true }],
    ['(?!', { ahead: true, expected: false }],
    ['(?<=', { ahead: false, expected: true }],
    ['(?<!', { ahead: false, expected: false }],
]);
const quantifier = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y;
const groupStart = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/y;
const atomText = /\\(?:u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u....|x..|c.|[pP]\{[^}]*\}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/uy;
/**
 * Parses a pattern that is valid with the `u` flag. Returns undefined if it uses backreferences, has more than 100 nested
 * groups, or has modifiers.
 */
export function parsePattern(source) {
    let at = 0;
    let depth = 0;
    let isSupported = true;
    const known = new Map();
    const take = (expression) => {
        expression.lastIndex = at;
        const found = expression.exec(source);
        if (found === null)
            return undefined;
        at += found[0].length;
        return found;
    };
    const choice = () => {
        const parts = [sequence()];
        while (isSupported && source[at] === '|') {
            at += 1;
            parts.push(sequence());
        }
        return joinParts('choice', parts);
    };
    const sequence = () => {
        const parts = [];
        while (isSupported && at < source.length && source[at] !== '|' && source[at] !== ')') {
            const part = source[at] === '(' ? group() : atom();
            parts.push(repeatPart(part, take(quantifier)));
        }
        return joinParts('sequence', parts);
    };
    const group = () => {
        const [opening = ''] = take(groupStart) ?? [];
        depth += 1;
        if (depth > maxGroupDepth || (opening === '(' && source[at] === '?'))
            isSupported = false;
        const part = choice();
        depth -= 1;
        at += 1;
        const look = looks.get(opening);
        return look === undefined ? part : { kind: 'look', size: part.size + lookSize, part, ...look };
    };
    const atom = () => {
        const [text = ''] = take(atomText) ?? [];
        const holds = edges.get(text);
        if (holds !== undefined)
            return { kind: 'edge', size: 1, holds };
        if (/^\\[1-9k]/.test(text))
            isSupported = false;
        const earlier = known.get(text);
        if (earlier !== undefined || !isSupported)
            return earlier ?? joinParts('sequence', []);
        const made = { kind: 'character', size: 1, fits: createCharacterTest(text) };
        known.set(text, made);
        return made;
    };
    const tree = choice();
    return isSupported ? tree : undefined;
}
function joinParts(kind, parts) {
    const [first] = parts;
    if (parts.length === 1 && first !== undefined)
        return first;
    return { kind, size: parts.reduce((sum, { size }) => sum + size + 1, 0), parts };
}
function repeatPart(part, found) {
    if (found === undefined)
        return part;
    const [least, most] = readCounts(found);
    const optional = Number.isFinite(most) ? most - least : 2;
    return { kind: 'repeat', size: (least + optional) * Math.max(part.size, 1) + optional, part, least, most };
}
function readCounts([, sign, low, comma, high]) {
    if (sign !== undefined)
        return [sign === '+' ? 1 : 0, sign === '?' ? 1 : Number.POSITIVE_INFINITY];
    const least = Number(low);
    if (comma === undefined)
        return [least, least];
    return [least, high === undefined || high === '' ? Number.POSITIVE_INFINITY : Number(high)];
}
/** Creates a test of one character against a literal, class or escape. It uses a native regular expression. */
function createCharacterTest(text) {
    const expression = new RegExp(`^(?:${text})$`, 'u');
    const test = (character) => expression.test(String.fromCodePoint(character));
    let ascii;
    return (character) => {
        if (character > 127)
            return test(character);
        ascii ??= Uint8Array.from({ length: 128 }, (_, known) => Number(test(known)));
        return ascii[character] === 1;
    };
}
