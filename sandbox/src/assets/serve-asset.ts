import { type Reply, withHeaders } from '../http/handler.ts';
import { sampleMedia } from '../models/media-samples.ts';
import { createRandom } from '../random.ts';
import { mediaTypeOf, signatureOf } from './signed-url.ts';

const nameInPath = /^\/__assets\/(?:service|provider)\/([0-9a-f]{32})\.([a-z0-9]{2,4})$/;

/**
 * The file behind a signed link, without a credential. Nothing is stored: a file is made from its name, and only signed names are
 * served, so a link reaches nothing else.
 */
export function serveAsset(
  { method, path, query }: { method: string; path: string; query: string },
  { secret, now }: { secret: string; now: number },
): Reply {
  if (method !== 'GET' && method !== 'HEAD') {
    return withHeaders(plain(405, 'Assets are read only.'), { Allow: 'GET, HEAD' });
  }
  const [, name, extension = ''] = nameInPath.exec(path) ?? [];
  if (name === undefined) return plain(404, 'There is no such asset.');
  const parameters = new URLSearchParams(query);
  const expires = parameters.get('expires') ?? '';
  if (!/^\d{1,16}$/.test(expires) || parameters.get('signature') !== signatureOf(path, expires, secret)) {
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
  return { status: 200, headers, serviceHeaders: {}, body: file };
}

function plain(status: number, text: string): Reply {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers, serviceHeaders: {}, body: `${text}\n` };
}
