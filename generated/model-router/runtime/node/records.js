/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { randomUUID } from 'node:crypto';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
/** Replaces a file in one step, readable by its owner alone, and returns when it would survive a loss of power. */
export async function writeWhole(path, text) {
    const draft = `${path}.${randomUUID()}.draft`;
    const file = await open(draft, 'wx', 0o600);
    try {
        await file.writeFile(text);
        await file.sync();
    }
    finally {
        await file.close();
    }
    await rename(draft, path);
    await syncFolder(dirname(path));
}
/** Makes the new name of a file last. Not every platform can do so, and those that cannot need not. */
async function syncFolder(folder) {
    const handle = await open(folder).catch(() => undefined);
    await handle?.sync().catch(() => undefined);
    await handle?.close();
}
/** Undefined for a text that is no JSON object. */
export function parseRecord(text) {
    try {
        const value = JSON.parse(text);
        return typeof value === 'object' && value !== null ? value : undefined;
    }
    catch {
        return undefined;
    }
}
