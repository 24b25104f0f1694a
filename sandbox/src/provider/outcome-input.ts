import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { ValidationEntry } from '../models/validation-entries.ts';

const hostings = [
  'hosted_24h',
  'hosted_12h',
  'failed_copy',
  'provider',
  'inline',
  'direct_write',
  'inline_video',
] as const;
export type AssetHosting = (typeof hostings)[number];
export type WantedAsset = { hosting: AssetHosting; mediaType: string };

/** What an input of the outcome models asks for, with the defaults that their schema documents name. */
export type OutcomeInput = ReturnType<typeof readOutcomeInput>;

/** The input is valid by the model's schema; values that only a replaced document allows count as absent. */
export function readOutcomeInput(input: JsonObject, outcomeMember: 'outcome' | 'alternate_outcome') {
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
  const hosting = isJsonObject(value) ? hostings.find((one) => one === value['hosting']) : undefined;
  if (hosting === undefined || !isJsonObject(value)) return [];
  return [{ hosting, mediaType: text(value['media_type']) ?? (isVideo(hosting) ? 'video/mp4' : 'image/png') }];
}

export function isVideo(hosting: AssetHosting): boolean {
  return hosting === 'direct_write' || hosting === 'inline_video';
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
