import { sha256, sign } from '../digest.ts';
import { type Reply, withHeaders } from '../http/messages.ts';
import { sampleMedia } from '../models/media-samples.ts';
import { createRandom } from '../random.ts';

/** Outside the prefixes of both APIs. */
export const assetPrefix = '/__assets/';

/** `service`: copied to or written into the service's storage. `provider`: where the provider keeps it. */
export type AssetHolder = 'service' | 'provider';
/** `origin` is where the caller reached the sandbox; times in milliseconds. */
export type Signing = { seed: number; origin: string; signedAt: number };

/** A link that anyone may open until it expires, counted from its signing (MR-AST-15); times in milliseconds. */
export function signAssetUrl(
  asset: { holder: AssetHolder; label: string; mediaType: string; lifetimeMs: number },
  { seed, origin, signedAt }: Signing,
): string {
  const [extension = 'bin'] = Object.entries(mediaTypes).find(([, type]) => type === asset.mediaType) ?? [];
  const name = `${sha256(asset.label).slice(0, 32)}.${extension}`;
  const path = `${assetPrefix}${asset.holder}/${name}`;
  const expiresAt = signedAt + asset.lifetimeMs;
  return `${origin}${path}?expires=${expiresAt}&signature=${signPath(path, String(expiresAt), seed)}`;
}

function signPath(path: string, expires: string, seed: number): string {
  return sign(sha256(`assets ${seed}`), `${path} ${expires}`);
}

const mediaTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  mp4: 'video/mp4',
  wav: 'audio/wav',
  glb: 'model/gltf-binary',
};

const nameInPath = /^\/__assets\/(?:service|provider)\/([0-9a-f]{32})\.([a-z0-9]{2,4})$/;

/**
 * The file behind a signed link, without a credential. Nothing is stored: a file is made from its name, and only signed names are
 * served, so a link reaches nothing else.
 */
export function serveAsset(
  { method, path, query }: { method: string; path: string; query: string },
  { seed, now }: { seed: number; now: number },
): Reply {
  if (method !== 'GET' && method !== 'HEAD') {
    return withHeaders(plain(405, 'Assets are read only.'), { Allow: 'GET, HEAD' });
  }
  const [, name, extension = ''] = nameInPath.exec(path) ?? [];
  if (name === undefined) return plain(404, 'There is no such asset.');
  const parameters = new URLSearchParams(query);
  const expires = parameters.get('expires') ?? '';
  if (!/^\d{1,16}$/.test(expires) || parameters.get('signature') !== signPath(path, expires, seed)) {
    return plain(403, 'The signature of this link is not valid.');
  }
  if (now >= Number(expires)) return plain(410, 'This link has expired.');
  const mediaType = mediaTypes[extension] ?? 'application/octet-stream';
  const file = sampleMedia(mediaType, createRandom(name));
  const headers = { 'Content-Type': mediaType, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'private' };
  return { status: 200, headers, body: file };
}

function plain(status: number, text: string): Reply {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers, body: `${text}\n` };
}
