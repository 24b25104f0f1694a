/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { computeBackoffMs, DeadlinePassed, systemClock, withDeadline } from '../http/clock.js';
import { readBodyChunks, readMediaType } from '../http/read-body.js';
export class AssetError extends Error {
    name = 'AssetError';
    status;
    constructor(message, { status, cause } = {}) {
        super(message, { cause });
        this.status = status;
    }
}
/** Downloads an asset without a credential. If the connection breaks, requests the missing bytes, or fails. */
export function downloadAsset(asset, options) {
    let setType = (_) => undefined;
    const mediaType = new Promise((resolve) => {
        setType = (type) => resolve(type || asset.mediaType);
    });
    const chunks = readChunks(asset, setType, options);
    const stream = new ReadableStream({
        async pull(controller) {
            const { done, value } = await chunks.next().finally(() => setType(''));
            if (done === true)
                controller.close();
            else
                controller.enqueue(value);
        },
        async cancel() {
            setType('');
            await chunks.return();
        },
    });
    return Object.assign(stream, { mediaType });
}
/** Thrown for a download that can't be continued by another request. */
class FinalAssetError extends AssetError {
}
async function* readChunks(asset, setType, options) {
    const { clock = systemClock, maxAttempts = 4, maxBytes, signal, idleTimeoutMs = 60_000, allowHttp = false } = options;
    let received = 0;
    const count = (part) => {
        received += part.length;
        if (received > maxBytes)
            throw new FinalAssetError(`the asset is longer than ${maxBytes} bytes`);
        return part;
    };
    if (asset.kind === 'inline') {
        yield count(asset.bytes);
        return;
    }
    const { url } = asset;
    const problem = explainRefusedUrl(url, allowHttp, options.allowPrivate ?? allowHttp);
    if (problem !== undefined)
        throw new FinalAssetError(problem);
    const withIdleTimeout = (work) => withDeadline(work, { clock: systemClock, signal, endsAt: Infinity }, idleTimeoutMs).catch((cause) => {
        if (!(cause instanceof DeadlinePassed))
            throw cause;
        throw new AssetError(`the asset's server sent no data for ${idleTimeoutMs} ms`);
    });
    let tag;
    for (let attempt = 1;; attempt += 1) {
        const ending = new AbortController();
        const end = () => ending.abort(signal?.reason);
        signal?.addEventListener('abort', end);
        let parts;
        try {
            const breakMessage = `the download broke off after ${received} bytes`;
            if (received > 0 && tag === undefined)
                throw new FinalAssetError(breakMessage);
            const rest = { Range: `bytes=${received}-`, 'If-Range': tag ?? '' };
            const response = await withIdleTimeout(followRedirects(url, received > 0 ? rest : {}, { ...options, signal: ending.signal }));
            const { status, headers, body } = response;
            const etag = headers.get('etag') ?? undefined;
            const isSameFile = etag === undefined || etag === tag;
            const isRest = status === 206 && isSameFile && headers.get('content-range')?.startsWith(`bytes ${received}-`) === true;
            if (!isRest && (status !== 200 || received > 0)) {
                await body?.cancel();
                const refused = `the asset's server answered ${status}`;
                if (status >= 500 || status === 429)
                    throw new AssetError(refused, { status });
                const message = received > 0 ? `${breakMessage} and the server cannot send the rest` : refused;
                throw new FinalAssetError(message, { status });
            }
            setType(readMediaType(headers));
            // Only a strong tag guarantees that both parts belong to the same file.
            if (received === 0)
                tag = etag?.startsWith('W/') ? undefined : etag;
            parts = readBodyChunks(response);
            for (let part = await withIdleTimeout(parts.next()); !part.done; part = await withIdleTimeout(parts.next()))
                yield count(part.value);
            return;
        }
        catch (cause) {
            end();
            if (signal?.aborted || cause instanceof FinalAssetError || attempt >= maxAttempts)
                throw cause;
            await clock.sleep(computeBackoffMs(attempt, clock), signal);
        }
        finally {
            signal?.removeEventListener('abort', end);
            void parts?.return().catch(() => undefined); // The connection may already be closed.
        }
    }
}
/** Follows redirects one at a time, and checks each URL before requesting it. */
async function followRedirects(url, headers, options) {
    const { fetch = (one) => globalThis.fetch(one), signal = null } = options;
    const request = (at, redirect) => fetch(new Request(at, { headers, credentials: 'omit', redirect, signal }));
    const maxRedirects = 5;
    let at = url;
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
        const response = await request(at, 'manual');
        // Browsers hide the target of a redirect. They don't follow one from an https: page to http:.
        if (response.type === 'opaqueredirect')
            return request(at, 'follow');
        const location = response.headers.get('location');
        if (location === null || ![301, 302, 303, 307, 308].includes(response.status))
            return response;
        await response.body?.cancel();
        const next = URL.canParse(location, at) ? new URL(location, at) : undefined;
        const href = next?.href ?? '';
        const allowHttp = options.allowHttp === true && at.startsWith('http:');
        const allowPrivate = options.allowPrivate === true || next?.origin === new URL(url).origin;
        const problem = explainRefusedUrl(href, allowHttp, allowPrivate);
        if (problem !== undefined)
            throw new FinalAssetError(`the asset's server redirects, but ${problem}`);
        at = href;
    }
    throw new FinalAssetError(`the asset's server redirects more than ${maxRedirects} times`);
}
/** Returns the reason why an asset is not downloaded from this URL; undefined if it is. */
function explainRefusedUrl(url, allowHttp, allowPrivate) {
    if (!URL.canParse(url))
        return 'the URL is not valid';
    const { protocol, username, password, hostname } = new URL(url);
    if (protocol !== 'https:' && !(protocol === 'http:' && allowHttp))
        return `${protocol} URLs are not downloaded; allowHttp permits http:, but not after a redirect from https:`;
    if (`${username}${password}` !== '')
        return 'URLs with a user name are not downloaded';
    if (isPrivate(hostname) && !allowPrivate)
        return `${hostname} is an address of this machine or of a private network; allowPrivate permits it`;
    return undefined;
}
/** Host names of this machine, of the local network (without a dot), and in domains that are not public. */
const privateNames = /^[^.]+\.?$|\.(localhost|local|localdomain|internal|lan|home|corp|intranet|private|svc|home\.arpa)\.?$/;
/** Local, private, shared, loopback, link-local, protocol, test, multicast and reserved addresses. */
const privateIpv4 = /^(0|10|127)\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\.|^192\.(168|0\.0)\.|^198\.1[89]\.|^(22[4-9]|2[3-5]\d)\./;
/** Global addresses, without example addresses, and without 2002::/16 and 2001::/23, which can reach any IPv4 address. */
const publicIpv6 = /^\[(?!2002:|2001:(?:1?[\da-f]{0,2}|db8):|3fff:)[23][\da-f]{3}:/;
/** `URL` has normalised `host`: an IPv4 address has four decimal numbers, whatever notation was used. */
function isPrivate(host) {
    return host.startsWith('[') ? !publicIpv6.test(host) : privateNames.test(host) || privateIpv4.test(host);
}
