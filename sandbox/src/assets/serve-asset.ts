import { type Answer, withHeaders } from '../answer.ts';
import { sampleMedia } from '../models/media-samples.ts';
import { createRandom } from '../random.ts';
import { assetPrefix, mediaTypeOf, signatureOf } from './signed-url.ts';

const nameInPath = /^\/__assets\/(?:service|provider)\/([0-9a-f]{32})\.([a-z0-9]{2,4})$/;

/**
 * The file behind a signed link, without a credential; undefined for a path that is none of ours. Nothing is stored: a file is
 * made from its name, and only names that were signed are served, so a link reaches nothing else.
 */
export function serveAsset(
  { method, url }: { method: string; url: URL },
  { secret, now }: { secret: string; now: number },
): Answer | undefined {
  if (!url.pathname.startsWith(assetPrefix)) return undefined;
  if (method !== 'GET' && method !== 'HEAD') {
    return withHeaders(plain(405, 'Assets are read only.'), { Allow: 'GET, HEAD' });
  }
  const [, name, extension = ''] = nameInPath.exec(url.pathname) ?? [];
  if (name === undefined) return plain(404, 'There is no such asset.');
  const expires = url.searchParams.get('expires') ?? '';
  if (!/^\d{1,16}$/.test(expires) || url.searchParams.get('signature') !== signatureOf(url.pathname, expires, secret)) {
    return plain(403, 'The signature of this link is not valid.');
  }
  if (now >= Number(expires)) return plain(410, 'This link has expired.');
  const mediaType = mediaTypeOf(extension);
  const file = sampleMedia(mediaType, createRandom(name));
  const headers = {
    'Content-Type': mediaType,
    'Content-Length': String(file.length),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private',
  };
  return { status: 200, headers, serviceHeaders: {}, body: method === 'HEAD' ? undefined : file };
}

function plain(status: number, text: string): Answer {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers, serviceHeaders: {}, body: `${text}\n` };
}
