/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { randomKey } from '../http/credential.js';
import { keepAlive, staleMs } from './keep-alive.js';
/** What this program works on with any of its clients. */
const worked = new Set();
let program;
/** Who this program is to others; made late, since some platforms give no random numbers while a module is loaded. */
function nameProgram() {
    program ??= randomKey();
    return program;
}
/** The calls that a program works on, which it says again and again. */
export function createHeldCalls(records, clock) {
    const held = new Map();
    const sign = () => `${nameProgram()} ${clock.now()}`;
    return {
        get: (key) => held.get(key),
        /** Works on a call, where the record takes this program for its holder. */
        async start(call, write) {
            const own = { call, holder: sign(), isListed: false };
            if (!(await write(own.holder)))
                return false;
            const stop = keepAlive(async () => {
                const holder = sign();
                if (await records.hold(call.key, holder, own.holder))
                    own.holder = holder;
            });
            held.set(call.key, Object.assign(own, { stop }));
            worked.add(call.key);
            return true;
        },
        /** No more signs of life. The call still counts as worked on until `forget`. */
        async end(key) {
            const own = held.get(key);
            held.delete(key);
            await own?.stop(); // what was written last decides who holds the call
            return own;
        },
        forget: (key) => void worked.delete(key),
        findLife({ key, holder, life }) {
            const [name, at] = holder?.split(' ') ?? [];
            if (name === undefined)
                return 'gone';
            if (name === nameProgram())
                return worked.has(key) ? 'alive' : 'gone';
            return life ?? (Math.abs(clock.now() - Number(at)) < staleMs ? 'unknown' : 'gone');
        },
    };
}
