/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { isObject } from '../http/read-body.js';
/** The text of a record, which tells whether it is whole. */
export function printCall(call) {
    const text = JSON.stringify(call);
    return `${hashText(text)} ${text}`;
}
/** Undefined for a text that is none, or not as it was written. */
export function readCall(record) {
    const [hash, text] = [record?.slice(0, hashLength), record?.slice(hashLength + 1) ?? ''];
    if (hash !== hashText(text))
        return undefined;
    const call = JSON.parse(text); // it is as `printCall` wrote it
    return isObject(call) ? call : undefined;
}
/** Equal calls are in one group, and so is an admitted request with its id alone: it is no longer equal to any call. */
export function findGroup({ operation, url, body, owner, queued }) {
    return queued === undefined ? hashText([operation, url, owner, body].join(' ')) : findQueuedGroup(queued.requestId);
}
export function findQueuedGroup(requestId) {
    return hashText(`queued ${requestId}`);
}
const hashLength = 16;
/** 64 bits against accidents, not against enemies; every platform has SHA-256 only later, and some have none. */
function hashText(text) {
    let one = 0xdeadbeef;
    let two = 0x41c6ce57;
    for (let index = 0; index < text.length; index += 1) {
        const unit = text.charCodeAt(index);
        one = Math.imul(one ^ unit, 0x9e3779b1);
        two = Math.imul(two ^ unit, 0x5f356495);
    }
    one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(two ^ (two >>> 13), 0xc2b2ae35);
    two = Math.imul(two ^ (two >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
    return [one, two].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
