import type { JsonObject } from '../../../specs/src/index.ts';
import { type AssetHolder, signAssetUrl } from '../assets/asset-links.ts';
import { inlineBytes, inlineVideo, providerUrlLifetimeMs } from '../assets/hosted-assets.ts';
import type { WantedAsset } from './outcome-input.ts';

type AssetSigning = { seed: number; origin: string; signedAt: number; label: string };

/** The members of a result that hold the wanted assets; a provider's own link makes it unsafe to replay (C-24). */
export function outcomeAssets(
  wantedAssets: readonly WantedAsset[],
  place: AssetSigning,
): { members: JsonObject; holdsProviderUrl: boolean } {
  const labelled = wantedAssets.map((wanted, index) => ({ wanted, label: `${place.label} ${index}` }));
  const videos = labelled.filter(({ wanted }) => isVideo(wanted)).map((one) => videoOf(one, place));
  const assets = labelled.filter(({ wanted }) => !isVideo(wanted)).map((one) => assetOf(one, place));
  return {
    members: {
      ...(assets.length > 0 ? { assets } : {}),
      ...(videos.length > 0 ? { response: { videos } } : {}),
    },
    holdsProviderUrl: wantedAssets.some(({ hosting }) => hosting === 'failed_copy' || hosting === 'provider'),
  };
}

function isVideo({ hosting }: WantedAsset): boolean {
  return hosting === 'direct_write' || hosting === 'inline_video';
}

type Labelled = { wanted: WantedAsset; label: string };

function videoOf({ wanted, label }: Labelled, place: AssetSigning): JsonObject {
  if (wanted.hosting === 'inline_video') return inlineVideo(label, wanted.mediaType);
  return { gcsUri: linkTo({ wanted, label }, place, dayMs), mimeType: wanted.mediaType };
}

function assetOf({ wanted, label }: Labelled, place: AssetSigning): JsonObject {
  const media = { media_type: wanted.mediaType };
  switch (wanted.hosting) {
    case 'inline':
      return { ...media, bytes_base64: inlineBytes(label, wanted.mediaType) };
    case 'hosted_12h':
      return { ...media, url: linkTo({ wanted, label }, place, dayMs / 2) };
    case 'failed_copy':
    case 'provider':
      return { ...media, url: linkTo({ wanted, label }, place, providerUrlLifetimeMs, 'provider') };
    default:
      return { ...media, url: linkTo({ wanted, label }, place, dayMs) };
  }
}

const dayMs = 24 * 60 * 60 * 1000;

function linkTo(
  { wanted, label }: Labelled,
  place: AssetSigning,
  lifetimeMs: number,
  holder: AssetHolder = 'service',
): string {
  const { mediaType } = wanted;
  return signAssetUrl({ holder, label, mediaType, lifetimeMs }, place);
}
