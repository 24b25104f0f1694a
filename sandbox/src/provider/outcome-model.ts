import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import {
  inlineBytes,
  inlineVideo,
  providerUrlLifetimeMs,
  type Signing,
  signAssetUrl,
} from '../assets/hosted-assets.ts';
import { sha256 } from '../digest.ts';
import { proxyReply } from '../http/messages.ts';
import { generateMedia } from '../models/media-samples.ts';
import type { ServedModel } from '../models/served-model.ts';
import type { ValidationEntry } from '../models/validation-entries.ts';
import { outcomeModelIds } from '../own-catalog.ts';
import { createRandom } from '../random.ts';
import { type Attempt, failures, isFailureName, type ProviderContext, type RunBody } from './provider-response.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Storage of an asset and lifetime of its link (ms), by the requested hosting; undefined if the asset itself is in the result. */
const assetHostings = {
  hosted_24h: { holder: 'service', lifetimeMs: dayMs },
  hosted_12h: { holder: 'service', lifetimeMs: dayMs / 2 },
  direct_write: { holder: 'service', lifetimeMs: dayMs },
  failed_copy: { holder: 'provider', lifetimeMs: providerUrlLifetimeMs },
  provider: { holder: 'provider', lifetimeMs: providerUrlLifetimeMs },
  inline: undefined,
  inline_video: undefined,
} as const;
type Hosting = keyof typeof assetHostings;
const hostingNames = Object.keys(assetHostings) as Hosting[];
type WantedAsset = { hosting: Hosting; isVideo: boolean; mediaType: string };

function readAssets(value: JsonValue): WantedAsset[] {
  const wanted = asObject(value);
  const hosting = hostingNames.find((name) => name === wanted['hosting']);
  if (hosting === undefined) return [];
  const isVideo = hosting === 'direct_write' || hosting === 'inline_video';
  return [{ hosting, isVideo, mediaType: asText(wanted['media_type']) ?? (isVideo ? 'video/mp4' : 'image/png') }];
}

function readEntries(value: JsonValue): ValidationEntry[] {
  if (!isJsonObject(value)) return [];
  const { loc, msg, type, ctx } = value;
  const path = asList(loc).filter((part) => typeof part === 'string' || typeof part === 'number');
  const entry = { loc: path, msg: asText(msg) ?? '', type: asText(type) ?? '', ...(isJsonObject(ctx) ? { ctx } : {}) };
  return [Object.hasOwn(value, 'input') ? { ...entry, input: value['input'] ?? null } : entry];
}

const asText = (value: JsonValue | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
const asNumber = (value: JsonValue | undefined): number | undefined => (typeof value === 'number' ? value : undefined);
const asList = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);

/** Default entries of a 422. The first one has every possible member (MR-ERR-12 to MR-ERR-20). */
const usualEntries: readonly ValidationEntry[] = [
  {
    loc: ['layers', 1, 'width'],
    msg: 'the width must be at least 64',
    type: 'greater_than_equal',
    ctx: { ge: 64, unit: 'pixel' },
    input: { width: 12, locked: null },
  },
  { loc: ['prompt'], msg: 'field is required', type: 'missing' },
];

/** Runs one of the two models whose input selects the outcome. Ignores values that the schemas of the models don't allow. */
export function runOutcomeModel(model: ServedModel, { bytes, input }: RunBody, context: ProviderContext): Attempt {
  const kind = asText(input[model.id === outcomeModelIds.main ? 'outcome' : 'alternate_outcome']) ?? 'succeed';
  const durationMs = asNumber(input['delay_ms']) ?? 0;
  const entries = Array.isArray(input['entries']) ? input['entries'].flatMap(readEntries) : usualEntries;
  const exceedsDeadline = kind === 'deadline_exceeded';
  const deadline = input['collectable'] === false ? 'lost' : 'collectable';
  const [proxyBody, proxyStatus] = [asText(input['proxy_body']) ?? 'html', asNumber(input['proxy_status']) ?? 502];
  const usualStatus = isFailureName(kind) ? failures[kind] : 200;
  const facts = {
    durationMs,
    upstreamStatus: asNumber(input['upstream_status']) ?? (exceedsDeadline ? 202 : usualStatus),
    deadline: exceedsDeadline ? deadline : undefined,
    intercepted: kind === 'proxy_answer' ? proxyReply(proxyBody, proxyStatus) : undefined,
  } as const;
  if (isFailureName(kind)) return { ...facts, outcome: { kind, entries } };

  const digest = sha256(bytes);
  const label = `${context.seed} ${model.id} ${digest}`;
  const sizeBytes = asNumber(input['size_bytes']) ?? 0;
  const wanted = asList(input['assets']).flatMap(readAssets);
  // A result with a link to a provider's storage must not be replayed, because the link expires (OP-224).
  const holdsProviderUrl = wanted.some(({ hosting }) => assetHostings[hosting]?.holder === 'provider');
  const result = { kind: 'output', creditsUsed: asNumber(input['credits_used']), holdsProviderUrl } as const;
  const mediaType = asText(input['media_type']);
  if (mediaType !== undefined) {
    const file = mediaType.startsWith('text/')
      ? new TextEncoder().encode(`${kind}\n`)
      : generateMedia(mediaType, createRandom(label));
    const content = new Uint8Array(file.length + sizeBytes);
    content.set(file);
    return { ...facts, outcome: { ...result, mediaType, content } };
  }
  const signing = { ...context, signedAt: context.startsAt + durationMs };
  const shownAssets = wanted.map((asset, index) => createAsset(asset, `${label} ${index}`, signing));
  const videos = shownAssets.filter((_, index) => wanted[index]?.isVideo === true);
  const assets = shownAssets.filter((_, index) => wanted[index]?.isVideo === false);
  const received = { provider: model.provider, model: model.id, bytes: bytes.length, sha256: digest };
  const echo = kind === 'echo' ? { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) } : {};
  const content = {
    ...(kind === 'odd_output' ? { state: 'odd' } : { outcome: kind }),
    served_by: model.provider,
    received: { ...received, ...echo },
    ...(model.id === outcomeModelIds.alternate ? { engine: 'second' } : {}),
    ...(assets.length > 0 ? { assets } : {}),
    ...(videos.length > 0 ? { response: { videos } } : {}),
    ...(sizeBytes > 0 ? { padding: 'x'.repeat(sizeBytes) } : {}),
  };
  return { ...facts, outcome: { ...result, mediaType: 'application/json', content } };
}

function createAsset({ hosting, isVideo, mediaType }: WantedAsset, label: string, signing: Signing): JsonObject {
  const storage = assetHostings[hosting];
  if (storage === undefined && isVideo) return inlineVideo(label, mediaType);
  if (storage === undefined) return { media_type: mediaType, bytes_base64: inlineBytes(label, mediaType) };
  const url = signAssetUrl({ ...storage, label, mediaType }, signing);
  return isVideo ? { gcsUri: url, mimeType: mediaType } : { media_type: mediaType, url };
}
