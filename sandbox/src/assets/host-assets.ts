import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { sampleMedia } from '../models/media-samples.ts';
import { createRandom } from '../random.ts';
import { type AssetFamily, type AssetPlace, familyOf } from './asset-family.ts';
import { type Signing, signAssetUrl } from './signed-url.ts';

export type HostingContext = { families: readonly AssetFamily[]; signing: Signing };

/** The result with links to service storage in the places of its family; all else stays as the provider gave it. */
export function hostAssets(value: JsonValue, model: { id: string; label: string }, context: HostingContext): JsonValue {
  const family = familyOf(context.families, model.id);
  if (family === undefined) return value;
  return family.places.reduce<JsonValue>((result, place) => {
    const host = (found: JsonValue, index: string): JsonValue => {
      const label = `${model.label} ${place.at.join('.')} ${index}`;
      return hostOne(found, { family, place, label }, context.signing);
    };
    return replaceAt(result, place.at, host);
  }, value);
}

type Hosted = { family: AssetFamily; place: AssetPlace; label: string };

function hostOne(found: JsonValue, { family, place, label }: Hosted, signing: Signing): JsonValue {
  if (family.storage === 'direct-write') return writtenVideo(found, { family, place, label }, signing);
  if (typeof found !== 'string' || !/^https?:/.test(found)) return found;
  const { mediaType } = place;
  return signAssetUrl({ holder: 'service', label, mediaType, lifetimeMs: family.lifetimeMs }, signing);
}

/** The link must be HTTPS (MR-AST-23): on an origin without it the clip comes inline, as without a direct write. */
function writtenVideo(found: JsonValue, { family, place, label }: Hosted, signing: Signing): JsonValue {
  if (!isJsonObject(found)) return found;
  const { bytesBase64Encoded: _bytes, gcsUri: _link, ...rest } = found;
  const { mediaType } = place;
  if (!signing.origin.startsWith('https:')) return { ...inlineVideo(label, mediaType), ...rest };
  return {
    gcsUri: signAssetUrl({ holder: 'service', label, mediaType, lifetimeMs: family.lifetimeMs }, signing),
    ...rest,
  };
}

export function inlineVideo(label: string, mediaType: string): JsonObject {
  return { bytesBase64Encoded: inlineBytes(label, mediaType), mimeType: mediaType };
}

export function inlineBytes(label: string, mediaType: string): string {
  return btoa(String.fromCharCode(...sampleMedia(mediaType, createRandom(label))));
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
