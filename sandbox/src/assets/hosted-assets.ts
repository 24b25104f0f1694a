import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { sha256, sign } from '../digest.ts';
import { type Reply, withHeaders } from '../http/messages.ts';
import { generateMedia } from '../models/media-samples.ts';
import { createRandom } from '../random.ts';

/** Location of an asset in a result. `at`: member names and list indices from the root; `*` is every index. */
export type AssetPlace = { at: readonly string[]; mediaType: string };
/** Models whose assets are in service storage, and where (MR-AST-02 to MR-AST-20). A model id may end with `*` (OP-024). */
export type AssetFamily = {
  models: readonly string[];
  lifetimeMs: number;
  /** `copy`: the service copies the linked files. `direct-write`: the provider writes to service storage itself. */
  storage: 'copy' | 'direct-write';
  places: readonly AssetPlace[];
};

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
/** Validity of links to a provider's storage, which is undocumented (OP-013). */
export const providerUrlLifetimeMs = hourMs;

const png = 'image/png';
const mp4 = 'video/mp4';
const createPlace = (path: string, mediaType: string): AssetPlace => ({ at: path.split('.'), mediaType });

/** Families of the sandbox's own catalog. `video-provider/frame` is not in a family, because it generates images. */
export const ownAssetFamilies: readonly AssetFamily[] = [
  {
    models: ['image-provider/*'],
    lifetimeMs: dayMs,
    storage: 'copy',
    places: [
      createPlace('images.*.url', png),
      createPlace('draft_cache.url', 'application/octet-stream'),
      createPlace('image.url', png),
      createPlace('result.sample', png),
      createPlace('url', png),
    ],
  },
  {
    models: ['video-provider/motion4*', 'video-provider/two-extend'],
    lifetimeMs: dayMs,
    storage: 'copy',
    places: [
      createPlace('output.*', mp4),
      createPlace('last_frame_url', png),
      createPlace('video.url', mp4),
      createPlace('last_frame.url', png),
      createPlace('video_url', mp4),
    ],
  },
  {
    models: ['video-provider-two/*'],
    lifetimeMs: 12 * hourMs,
    storage: 'copy',
    places: [createPlace('Resp.url', mp4)],
  },
  {
    models: ['image-video-provider/*'],
    lifetimeMs: dayMs,
    storage: 'copy',
    places: [createPlace('images.*', 'image/webp'), createPlace('video.url', mp4)],
  },
  {
    models: ['video-provider-three/*'],
    lifetimeMs: dayMs,
    storage: 'direct-write',
    places: [createPlace('response.videos.*', mp4)],
  },
];

/** Replaces the assets in a result with links to service storage, as the family of the model defines. */
export function hostAssets(
  value: JsonValue,
  model: { id: string; label: string },
  { families, ...signing }: Signing & { families: readonly AssetFamily[] },
): JsonValue {
  const isMatch = (pattern: string): boolean =>
    pattern.endsWith('*') ? model.id.startsWith(pattern.slice(0, -1)) : pattern === model.id;
  const family = families.find(({ models }) => models.some(isMatch));
  if (family === undefined) return value;
  const { storage, lifetimeMs } = family;
  return family.places.reduce<JsonValue>((result, { at, mediaType }) => {
    const host = (found: JsonValue, index: string): JsonValue => {
      const label = `${model.label} ${at.join('.')} ${index}`;
      const asset = { holder: 'service', lifetimeMs, label, mediaType } as const;
      const sign = () => signAssetUrl(asset, signing);
      if (storage === 'copy') return typeof found === 'string' && /^https?:/.test(found) ? sign() : found;
      if (!isJsonObject(found)) return found;
      const { bytesBase64Encoded: _bytes, gcsUri: _link, ...rest } = found;
      // The link must be HTTPS (MR-AST-23). On an HTTP origin, the clip is inline, as if the provider had not written it to storage.
      const clip = signing.origin.startsWith('https:') ? { gcsUri: sign() } : inlineVideo(label, mediaType);
      return { ...clip, ...rest };
    };
    return replaceAt(result, at, host);
  }, value);
}

export function inlineVideo(label: string, mediaType: string): JsonObject {
  return { bytesBase64Encoded: inlineBytes(label, mediaType), mimeType: mediaType };
}

export function inlineBytes(label: string, mediaType: string): string {
  return btoa(String.fromCharCode(...generateMedia(mediaType, createRandom(label))));
}

type Replace = (found: JsonValue, index: string) => JsonValue;

function replaceAt(value: JsonValue, path: readonly string[], replace: Replace, index = ''): JsonValue {
  const [head, ...rest] = path;
  if (head === undefined) return replace(value, index);
  if (Array.isArray(value)) {
    if (head !== '*') return value;
    return value.map((inner, at) => replaceAt(inner, rest, replace, `${index}.${at}`));
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, head)) return value;
  return { ...value, [head]: replaceAt(value[head] ?? null, rest, replace, index) };
}

export const assetPrefix = '/__assets/';

/** Owner of the storage that has an asset. It is `service` even if the provider wrote the file to service storage. */
type AssetHolder = 'service' | 'provider';
/** Data that a signed link is made from. `origin`: origin of the caller's request. `signedAt`: time of the signature (ms). */
export type Signing = { seed: number; origin: string; signedAt: number };

/** A file. Its bytes are generated from its link. `label`: decides the name and thereby the bytes. */
type Asset = { holder: AssetHolder; lifetimeMs: number; label: string; mediaType: string };

/** Returns a signed link that anyone may open until it expires (MR-AST-15). */
export function signAssetUrl(asset: Asset, { seed, origin, signedAt }: Signing): string {
  const [extension = 'bin'] = Object.entries(mediaTypes).find(([, type]) => type === asset.mediaType) ?? [];
  const name = `${sha256(asset.label).slice(0, 32)}.${extension}`;
  const path = `${assetPrefix}${asset.holder}/${name}`;
  const expiresAt = signedAt + asset.lifetimeMs;
  return `${origin}${path}?expires=${expiresAt}&signature=${signPath(path, `${expiresAt}`, seed)}`;
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

/** Serves the file of a signed link, without checking a credential. */
export function serveAsset(
  { method, path, query }: { method: string; path: string; query: string },
  { seed, now }: { seed: number; now: number },
): Reply {
  if (method !== 'GET' && method !== 'HEAD') {
    return withHeaders(plainReply(405, 'Assets are read only.'), { Allow: 'GET, HEAD' });
  }
  const [, name, extension = ''] = nameInPath.exec(path) ?? [];
  if (name === undefined) return plainReply(404, 'Asset not found.');
  const parameters = new URLSearchParams(query);
  const expires = parameters.get('expires') ?? '';
  if (!/^\d{1,16}$/.test(expires) || parameters.get('signature') !== signPath(path, expires, seed)) {
    return plainReply(403, 'The signature of this link is not valid.');
  }
  if (now >= Number(expires)) return plainReply(410, 'This link has expired.');
  const mediaType = mediaTypes[extension] ?? 'application/octet-stream';
  const file = generateMedia(mediaType, createRandom(name));
  const headers = { 'Content-Type': mediaType, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'private' };
  return { status: 200, headers, body: file };
}

function plainReply(status: number, text: string): Reply {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers, body: `${text}\n` };
}
