/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { randomKey } from '../http/credential.js';
const beatMs = 2_000;
const staleMs = 10_000;
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
    let timer;
    const sign = () => `${nameProgram()} ${clock.now()}`;
    const beat = async (own) => {
        const holder = sign();
        if (await records.hold(own.call.key, holder, own.holder))
            own.holder = holder;
    };
    const beatAll = () => {
        for (const own of held.values())
            if (own.beats)
                own.beating = own.beating.then(() => beat(own)).catch(() => { });
    };
    return {
        get: (key) => held.get(key),
        /** Works on a call, where the record takes this program for its holder. */
        async start(call, write) {
            const holder = sign();
            if (!(await write(holder)))
                return false;
            held.set(call.key, { call, holder, isListed: false, beats: true, beating: Promise.resolve() });
            worked.add(call.key);
            timer ??= setInterval(beatAll, beatMs);
            timer.unref?.(); // Node's, which else keeps a program running
            return true;
        },
        /** No more signs of life. The call still counts as worked on until `forget`. */
        async end(key) {
            const own = held.get(key);
            held.delete(key);
            if (held.size === 0) {
                clearInterval(timer);
                timer = undefined;
            }
            await own?.beating; // what it has written decides who holds the call
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
