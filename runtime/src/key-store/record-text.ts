import { isObject } from '../http/read-body.ts';
import type { StoredCall } from '../router/key-store.ts';

/** The text of a record, which tells whether it is whole. */
export function printCall(call: StoredCall): string {
  const text = JSON.stringify(call);
  return `${hashText(text)} ${text}`;
}

/** Undefined for a text that is none, or not as it was written. */
export function readCall(record: string | null | undefined): StoredCall | undefined {
  const [hash, text] = [record?.slice(0, hashLength), record?.slice(hashLength + 1) ?? ''];
  if (hash !== hashText(text)) return undefined;
  const call: unknown = JSON.parse(text); // it is as `printCall` wrote it
  return isObject(call) ? (call as StoredCall) : undefined;
}

/** Equal calls are in one group, and so is an admitted request with its id alone: it is no longer equal to any call. */
export function findGroup({ operation, url, body, owner, queued }: StoredCall): string {
  return queued === undefined ? hashText([operation, url, owner, body].join(' ')) : findQueuedGroup(queued.requestId);
}

export function findQueuedGroup(requestId: string): string {
  return hashText(`queued ${requestId}`);
}

const hashLength = 16;

/** 64 bits against accidents, not against enemies; every platform has SHA-256 only later, and some have none. */
function hashText(text: string): string {
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
