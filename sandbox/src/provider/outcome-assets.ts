import type { JsonObject } from '../../../specs/src/index.ts';
import { type AssetHolder, signAssetUrl, signingOf } from '../assets/asset-links.ts';
import { inlineBytes, inlineVideo, providerUrlLifetimeMs } from '../assets/hosted-assets.ts';
import type { AssetWish } from './outcome-input.ts';

type Place = { seed: number; origin: string; signedAt: number; label: string };

/** The members of a result that hold the wished assets; a link of the provider's makes it unsafe to replay (C-24). */
export function outcomeAssets(
  wishes: readonly AssetWish[],
  place: Place,
): { members: JsonObject; holdsProviderUrl: boolean } {
  const labelled = wishes.map((wish, index) => ({ wish, label: `${place.label} ${index}` }));
  const videos = labelled.filter(({ wish }) => isVideo(wish)).map((one) => videoOf(one, place));
  const assets = labelled.filter(({ wish }) => !isVideo(wish)).map((one) => assetOf(one, place));
  return {
    members: {
      ...(assets.length > 0 ? { assets } : {}),
      ...(videos.length > 0 ? { response: { videos } } : {}),
    },
    holdsProviderUrl: wishes.some(({ hosting }) => hosting === 'failed_copy' || hosting === 'provider'),
  };
}

function isVideo({ hosting }: AssetWish): boolean {
  return hosting === 'direct_write' || hosting === 'inline_video';
}

type Labelled = { wish: AssetWish; label: string };

function videoOf({ wish, label }: Labelled, place: Place): JsonObject {
  if (wish.hosting === 'inline_video') return inlineVideo(label, wish.mediaType);
  return { gcsUri: linkTo({ wish, label }, place, dayMs), mimeType: wish.mediaType };
}

function assetOf({ wish, label }: Labelled, place: Place): JsonObject {
  const media = { media_type: wish.mediaType };
  switch (wish.hosting) {
    case 'inline':
      return { ...media, bytes_base64: inlineBytes(label, wish.mediaType) };
    case 'hosted_12h':
      return { ...media, url: linkTo({ wish, label }, place, dayMs / 2) };
    case 'failed_copy':
    case 'provider':
      return { ...media, url: linkTo({ wish, label }, place, providerUrlLifetimeMs, 'provider') };
    default:
      return { ...media, url: linkTo({ wish, label }, place, dayMs) };
  }
}

const dayMs = 24 * 60 * 60 * 1000;

function linkTo({ wish, label }: Labelled, place: Place, lifetimeMs: number, holder: AssetHolder = 'service'): string {
  const { mediaType } = wish;
  return signAssetUrl({ holder, label, mediaType, lifetimeMs }, signingOf(place, place.signedAt));
}
