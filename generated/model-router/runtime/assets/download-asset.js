/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { backoffMs, systemClock } from '../http/clock.js';
export class AssetError extends Error {
    name = 'AssetError';
    /** Of the last response; undefined when there was none. */
    status;
    constructor(message, { status, cause } = {}) {
        super(message, { cause });
        this.status = status;
    }
}
/**
 * The bytes of an asset as a stream. No credential is ever sent: the address is a signed one, or another party's.
 * A break is mended by asking for the rest, where the server can give it; the stream ends with an `AssetError` otherwise.
 */
export function downloadAsset(asset, options) {
    const chunks = asset.kind === 'inline' ? inlineChunks(asset.bytes) : remoteChunks(asset.url, options);
    let size = 0;
    return new ReadableStream({
        async pull(controller) {
            const { done, value } = await chunks.next();
            if (done === true)
                return controller.close();
            size += value.length;
            if (size > options.maxBytes) {
                await chunks.return();
                throw new AssetError(`the asset is longer than ${options.maxBytes} bytes`);
            }
            controller.enqueue(value);
        },
        async cancel() {
            await chunks.return();
        },
    });
}
async function* inlineChunks(bytes) {
    yield bytes;
}
async function* remoteChunks(url, options) {
    const { clock = systemClock, maxAttempts = 4, signal } = options;
    checkProtocol(url, options);
    const progress = { received: 0, tag: undefined };
    for (let attempt = 1;; attempt += 1) {
        try {
            return yield* receive(await request(url, progress, options), progress);
        }
        catch (cause) {
            if (signal?.aborted || cause instanceof Broken || attempt >= maxAttempts)
                throw cause;
            await clock.sleep(backoffMs(attempt, clock), signal);
        }
    }
}
async function request(url, progress, options) {
    const { received, tag } = progress;
    // Only a strong tag promises that both parts are of the same bytes.
    if (received > 0 && tag === undefined)
        throw new Broken(`the asset broke off after ${received} bytes`);
    const rest = received === 0 || tag === undefined ? {} : { Range: `bytes=${received}-`, 'If-Range': tag };
    const fetch = options.fetch ?? ((one) => globalThis.fetch(one));
    const response = await fetch(new Request(url, { headers: rest, credentials: 'omit', signal: options.signal ?? null }));
    const { status } = response;
    if (response.redirected)
        checkProtocol(response.url, options);
    const continues = status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${received}-`) === true;
    if ((received === 0 && status === 200) || continues)
        return response;
    await response.body?.cancel();
    if (status >= 500 || status === 429)
        throw new AssetError(`the asset's server answered ${status}`, { status });
    const brokeOff = `the asset broke off after ${received} bytes and its server gives no rest`;
    throw new Broken(received > 0 ? brokeOff : `the asset's server answered ${status}`, { status });
}
function checkProtocol(url, { allowHttp }) {
    const { protocol } = new URL(url);
    if (protocol !== 'https:' && !(protocol === 'http:' && allowHttp === true))
        throw new Broken(`an address of ${protocol} is not downloaded; allowHttp permits http`);
}
/** Asking again would not help. */
class Broken extends AssetError {
}
async function* receive(response, progress) {
    const tag = response.headers.get('etag');
    // A weak tag does not promise the same bytes.
    if (progress.received === 0)
        progress.tag = tag?.startsWith('W/') === false ? tag : undefined;
    const reader = (response.body ?? new Blob([]).stream()).getReader();
    try {
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
            progress.received += part.value.length;
            yield part.value;
        }
    }
    finally {
        await reader.cancel().catch(() => undefined); // the connection may be gone already
    }
}
