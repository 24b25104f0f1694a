import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import {
  inlineBytes,
  inlineVideo,
  providerUrlLifetimeMs,
  type Signing,
  signAssetUrl,
} from '../assets/hosted-assets.ts';
import { sha256 } from '../digest.ts';
import { sampleMedia } from '../models/media-samples.ts';
import type { ServedModel } from '../models/served-model.ts';
import type { ValidationEntry } from '../models/validation-entries.ts';
import { outcomeModelIds } from '../own-catalog.ts';
import { createRandom } from '../random.ts';
import {
  type Attempt,
  type AttemptOutcome,
  failures,
  isFailureName,
  type ProviderContext,
  proxyResponse,
  type RunBody,
} from './provider-response.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Holder of an asset and lifetime of its link (ms); undefined for assets that are part of the result. */
const hostings = {
  hosted_24h: { holder: 'service', lifetimeMs: dayMs },
  hosted_12h: { holder: 'service', lifetimeMs: dayMs / 2 },
  direct_write: { holder: 'service', lifetimeMs: dayMs },
  failed_copy: { holder: 'provider', lifetimeMs: providerUrlLifetimeMs },
  provider: { holder: 'provider', lifetimeMs: providerUrlLifetimeMs },
  inline: undefined,
  inline_video: undefined,
} as const;
type Hosting = keyof typeof hostings;
const hostingNames = Object.keys(hostings) as Hosting[];
type WantedAsset = { hosting: Hosting; isVideo: boolean; mediaType: string };

/** Input of an outcome model, with the defaults of its schema document. */
type OutcomeInput = {
  outcome: string;
  delayMs: number;
  sizeBytes: number;
  upstreamStatus: number | undefined;
  creditsUsed: number | undefined;
  mediaType: string | undefined;
  entries: readonly ValidationEntry[] | undefined;
  isCollectable: boolean;
  proxyBody: string;
  proxyStatus: number;
  assets: readonly WantedAsset[];
};

/** The input is valid by the model's schema. Values that only a replaced document allows are ignored. */
function readOutcomeInput(input: JsonObject, outcomeMember: 'outcome' | 'alternate_outcome'): OutcomeInput {
  return {
    outcome: text(input[outcomeMember]) ?? 'succeed',
    delayMs: number(input['delay_ms']) ?? 0,
    sizeBytes: number(input['size_bytes']) ?? 0,
    upstreamStatus: number(input['upstream_status']),
    creditsUsed: number(input['credits_used']),
    mediaType: text(input['media_type']),
    entries: list(input['entries'])?.flatMap(readEntry),
    isCollectable: input['collectable'] !== false,
    proxyBody: text(input['proxy_body']) ?? 'html',
    proxyStatus: number(input['proxy_status']) ?? 502,
    assets: (list(input['assets']) ?? []).flatMap(readAsset),
  };
}

function readAsset(value: JsonValue): WantedAsset[] {
  const wanted = asObject(value);
  const hosting = hostingNames.find((name) => name === wanted['hosting']);
  if (hosting === undefined) return [];
  const isVideo = hosting === 'direct_write' || hosting === 'inline_video';
  return [{ hosting, isVideo, mediaType: text(wanted['media_type']) ?? (isVideo ? 'video/mp4' : 'image/png') }];
}

function readEntry(value: JsonValue): ValidationEntry[] {
  if (!isJsonObject(value)) return [];
  const { loc, msg, type, ctx } = value;
  const path = (list(loc) ?? []).filter((part) => typeof part === 'string' || typeof part === 'number');
  const entry = { loc: path, msg: text(msg) ?? '', type: text(type) ?? '', ...(isJsonObject(ctx) ? { ctx } : {}) };
  return [Object.hasOwn(value, 'input') ? { ...entry, input: value['input'] ?? null } : entry];
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function number(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function list(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** An entry with every possible member: names and an index, a bound and the input (MR-ERR-12 to MR-ERR-20). */
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

/** Runs the two models whose documented input selects the outcome. */
export function runOutcomeModel(model: ServedModel, body: RunBody, context: ProviderContext): Attempt {
  const wanted = readOutcomeInput(body.input, model.id === outcomeModelIds.main ? 'outcome' : 'alternate_outcome');
  const { outcome: kind, entries = usualEntries } = wanted;
  const isHeld = kind === 'deadline_exceeded';
  const usualStatus = isFailureName(kind) ? failures[kind] : 200;
  return {
    durationMs: wanted.delayMs,
    upstreamStatus: wanted.upstreamStatus ?? (isHeld ? 202 : usualStatus),
    deadline: isHeld ? (wanted.isCollectable ? 'collectable' : 'lost') : undefined,
    intercepted: kind === 'proxy_answer' ? proxyResponse(wanted.proxyBody, wanted.proxyStatus) : undefined,
    outcome: isFailureName(kind) ? { kind, entries } : makeOutput({ model, body, wanted, context }),
  };
}

type Run = { model: ServedModel; body: RunBody; wanted: OutcomeInput; context: ProviderContext };

function makeOutput({ model, body: { bytes }, wanted, context }: Run): AttemptOutcome {
  const digest = sha256(bytes);
  const label = `${context.seed} ${model.id} ${digest}`;
  const { mediaType, sizeBytes, outcome, creditsUsed } = wanted;
  // A link of a provider makes a result unsafe to replay (OP-224).
  const holdsProviderUrl = wanted.assets.some(({ hosting }) => hostings[hosting]?.holder === 'provider');
  const facts = { kind: 'output', creditsUsed, holdsProviderUrl } as const;
  if (mediaType !== undefined) {
    const file = mediaType.startsWith('text/')
      ? new TextEncoder().encode(`${outcome}\n`)
      : sampleMedia(mediaType, createRandom(label));
    const padded = new Uint8Array(file.length + sizeBytes);
    padded.set(file);
    return { ...facts, mediaType, content: padded };
  }
  const received = { provider: model.provider, model: model.id, bytes: bytes.length, sha256: digest };
  const text = outcome === 'echo' ? { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) } : {};
  const signing = { ...context, signedAt: context.startsAt + wanted.delayMs };
  const placed = wanted.assets.map((asset, index) => ({
    ...asset,
    shown: showAsset(asset, `${label} ${index}`, signing),
  }));
  const videos = placed.filter(({ isVideo }) => isVideo).map(({ shown }) => shown);
  const assets = placed.filter(({ isVideo }) => !isVideo).map(({ shown }) => shown);
  const content = {
    ...(outcome === 'odd_output' ? { state: 'odd' } : { outcome }),
    served_by: model.provider,
    received: { ...received, ...text },
    ...(model.id === outcomeModelIds.alternate ? { engine: 'second' } : {}),
    ...(assets.length > 0 ? { assets } : {}),
    ...(videos.length > 0 ? { response: { videos } } : {}),
    ...(sizeBytes > 0 ? { padding: 'x'.repeat(sizeBytes) } : {}),
  };
  return { ...facts, mediaType: 'application/json', content };
}

function showAsset({ hosting, isVideo, mediaType }: WantedAsset, label: string, signing: Signing): JsonObject {
  const kept = hostings[hosting];
  if (kept === undefined && isVideo) return inlineVideo(label, mediaType);
  if (kept === undefined) return { media_type: mediaType, bytes_base64: inlineBytes(label, mediaType) };
  const url = signAssetUrl({ ...kept, label, mediaType }, signing);
  return isVideo ? { gcsUri: url, mimeType: mediaType } : { media_type: mediaType, url };
}
