import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { inlineBytes, inlineVideo, providerUrlLifetimeMs, signAssetUrl } from '../assets/hosted-assets.ts';
import { sha256 } from '../digest.ts';
import { sampleMedia } from '../models/media-samples.ts';
import type { Output } from '../models/produce-output.ts';
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

/** Who holds an asset, and for how long a link to it lives (ms); the others are in the result itself. */
const hostings = {
  hosted_24h: { holder: 'service', lifetimeMs: dayMs },
  hosted_12h: { holder: 'service', lifetimeMs: dayMs / 2 },
  direct_write: { holder: 'service', lifetimeMs: dayMs },
  failed_copy: { holder: 'provider', lifetimeMs: providerUrlLifetimeMs },
  provider: { holder: 'provider', lifetimeMs: providerUrlLifetimeMs },
  inline: undefined,
  inline_video: undefined,
} as const;
type WantedAsset = { hosting: keyof typeof hostings; isVideo: boolean; mediaType: string };

/** The input of an outcome model, with the defaults of its schema document. */
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

/** The input is valid by the model's schema; values that only a replaced document allows count as absent. */
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
  const hosting = text(wanted['hosting']) ?? '';
  if (!isHosting(hosting)) return [];
  const isVideo = hosting === 'direct_write' || hosting === 'inline_video';
  return [{ hosting, isVideo, mediaType: text(wanted['media_type']) ?? (isVideo ? 'video/mp4' : 'image/png') }];
}

function isHosting(word: string): word is WantedAsset['hosting'] {
  return Object.hasOwn(hostings, word);
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

type Ask = { model: ServedModel; body: RunBody; wanted: OutcomeInput; context: ProviderContext };

/** The two models whose documented input selects the outcome of a run. */
export function runOutcomeModel(model: ServedModel, body: RunBody, context: ProviderContext): Attempt {
  const wanted = readOutcomeInput(body.input, model.id === outcomeModelIds.main ? 'outcome' : 'alternate_outcome');
  const { outcome: kind, entries = usualEntries } = wanted;
  const outcome = isFailureName(kind) ? { kind, entries } : makeOutput({ model, body, wanted, context });
  const usualStatus = isFailureName(wanted.outcome) ? failures[wanted.outcome] : 200;
  const isHeld = wanted.outcome === 'deadline_exceeded';
  const isProxied = wanted.outcome === 'proxy_answer';
  return {
    durationMs: wanted.delayMs,
    upstreamStatus: wanted.upstreamStatus ?? (isHeld ? 202 : usualStatus),
    deadline: isHeld ? (wanted.isCollectable ? 'collectable' : 'lost') : undefined,
    intercepted: isProxied ? proxyResponse(wanted.proxyBody, wanted.proxyStatus) : undefined,
    outcome,
  };
}

/** Every member that an entry may have: names and an index, a bound and the input (MR-ERR-12 to MR-ERR-20). */
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

function makeOutput(ask: Ask): AttemptOutcome {
  const { wanted, context } = ask;
  const label = `${context.seed} ${ask.model.id} ${sha256(ask.body.bytes)}`;
  const signedAt = context.startsAt + wanted.delayMs;
  const members = placeAssets(wanted.assets, { ...context, signedAt, label });
  const output = wanted.mediaType === undefined ? jsonOutput(ask, members) : fileOutput(wanted, label);
  // A provider's own link makes a result unsafe to replay (OP-224).
  const holdsProviderUrl = wanted.assets.some(({ hosting }) => hostings[hosting]?.holder === 'provider');
  return { kind: 'output', ...output, creditsUsed: wanted.creditsUsed, holdsProviderUrl };
}

function jsonOutput({ model, body, wanted }: Ask, assets: JsonObject): Output {
  const isAlternate = model.id === outcomeModelIds.alternate;
  const named: JsonObject = wanted.outcome === 'odd_output' ? { state: 'odd' } : { outcome: wanted.outcome };
  const value: JsonValue = {
    ...named,
    served_by: model.provider,
    received: received(model, body, wanted.outcome === 'echo'),
    ...(isAlternate ? { engine: 'second' } : {}),
    ...assets,
    ...(wanted.sizeBytes > 0 ? { padding: 'x'.repeat(wanted.sizeBytes) } : {}),
  };
  return { mediaType: 'application/json', content: value };
}

function received(model: ServedModel, { bytes }: RunBody, isWhole: boolean): JsonObject {
  const digest = { provider: model.provider, model: model.id, bytes: bytes.length, sha256: sha256(bytes) };
  return isWhole ? { ...digest, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) } : digest;
}

function fileOutput({ mediaType = 'text/plain', sizeBytes, outcome }: OutcomeInput, label: string): Output {
  const file = mediaType.startsWith('text/')
    ? new TextEncoder().encode(`${outcome}\n`)
    : sampleMedia(mediaType, createRandom(label));
  const bytes = new Uint8Array(file.length + sizeBytes);
  bytes.set(file);
  return { mediaType, content: bytes };
}

type AssetSigning = { seed: number; origin: string; signedAt: number; label: string };

/** The members of a result that hold the wanted assets, videos apart. */
function placeAssets(wantedAssets: readonly WantedAsset[], place: AssetSigning): JsonObject {
  const shown = wantedAssets.map((wanted, index) => {
    const asset = showAsset(wanted, { ...place, label: `${place.label} ${index}` });
    return { asset, isVideo: wanted.isVideo };
  });
  const videos = shown.filter((one) => one.isVideo).map(({ asset }) => asset);
  const assets = shown.filter((one) => !one.isVideo).map(({ asset }) => asset);
  return { ...(assets.length > 0 ? { assets } : {}), ...(videos.length > 0 ? { response: { videos } } : {}) };
}

function showAsset({ hosting, isVideo, mediaType }: WantedAsset, place: AssetSigning): JsonObject {
  const { label } = place;
  const kept = hostings[hosting];
  if (kept === undefined && isVideo) return inlineVideo(label, mediaType);
  if (kept === undefined) return { media_type: mediaType, bytes_base64: inlineBytes(label, mediaType) };
  const url = signAssetUrl({ ...kept, label, mediaType }, place);
  return isVideo ? { gcsUri: url, mimeType: mediaType } : { media_type: mediaType, url };
}
