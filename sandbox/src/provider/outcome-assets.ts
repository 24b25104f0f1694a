import type { JsonObject } from '../../../specs/src/index.ts';
import { signAssetUrl } from '../assets/asset-links.ts';
import { inlineBytes, inlineVideo, providerUrlLifetimeMs } from '../assets/hosted-assets.ts';
import { type AssetHosting, isVideo, type WantedAsset } from './outcome-input.ts';

type AssetSigning = { seed: number; origin: string; signedAt: number; label: string };

/** The members of a result that hold the wanted assets; a provider's own link makes it unsafe to replay (C-24). */
export function outcomeAssets(
  wantedAssets: readonly WantedAsset[],
  place: AssetSigning,
): { members: JsonObject; holdsProviderUrl: boolean } {
  const labelled = wantedAssets.map((wanted, index) => ({ wanted, label: `${place.label} ${index}` }));
  const videos = labelled.filter(({ wanted }) => isVideo(wanted.hosting)).map((one) => showVideo(one, place));
  const assets = labelled.filter(({ wanted }) => !isVideo(wanted.hosting)).map((one) => showAsset(one, place));
  return {
    members: {
      ...(assets.length > 0 ? { assets } : {}),
      ...(videos.length > 0 ? { response: { videos } } : {}),
    },
    holdsProviderUrl: wantedAssets.some(({ hosting }) => isOfProvider(hosting)),
  };
}

type Labelled = { wanted: WantedAsset; label: string };

function showVideo({ wanted, label }: Labelled, place: AssetSigning): JsonObject {
  if (wanted.hosting === 'inline_video') return inlineVideo(label, wanted.mediaType);
  return { gcsUri: linkTo({ wanted, label }, place), mimeType: wanted.mediaType };
}

function showAsset({ wanted, label }: Labelled, place: AssetSigning): JsonObject {
  const media = { media_type: wanted.mediaType };
  if (wanted.hosting === 'inline') return { ...media, bytes_base64: inlineBytes(label, wanted.mediaType) };
  return { ...media, url: linkTo({ wanted, label }, place) };
}

const dayMs = 24 * 60 * 60 * 1000;

function linkTo({ wanted: { hosting, mediaType }, label }: Labelled, place: AssetSigning): string {
  if (isOfProvider(hosting))
    return signAssetUrl({ holder: 'provider', label, mediaType, lifetimeMs: providerUrlLifetimeMs }, place);
  const lifetimeMs = hosting === 'hosted_12h' ? dayMs / 2 : dayMs;
  return signAssetUrl({ holder: 'service', label, mediaType, lifetimeMs }, place);
}

function isOfProvider(hosting: AssetHosting): boolean {
  return hosting === 'failed_copy' || hosting === 'provider';
}
