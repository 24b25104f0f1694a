import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { SandboxError } from '../errors.ts';
import type { Limits } from '../state/quotas.ts';
import { changeSettings, type Settings, type SettingsChange, type Timings } from '../state/settings.ts';
import { refuseUnknown } from './operator.ts';

const timingNames = ['waitingMs', 'runningMs', 'providerMs', 'holdMs', 'queueTimeoutMs', 'cancellingMs'] as const;
const limitNames = [
  'inFlight',
  'callsPerWindow',
  'workflowCallsPerWindow',
  'windowMs',
  'spendCents',
  'callCents',
] as const;
const optionalLimits: readonly string[] = ['inFlight', 'callsPerWindow', 'workflowCallsPerWindow'];
const ownNames = ['timings', 'limits', 'statusOfFailed', 'failingRecordWrites'] as const;

/** The settings with those that `body` names changed. Throws SandboxError for a name or value that is none. */
export function parseSettingsChange(settings: Settings, body: JsonObject): Settings {
  refuseUnknown(body, ownNames);
  const { statusOfFailed, failingRecordWrites } = body;
  const change: SettingsChange = {
    timings: numbersOf<Timings>(body['timings'], timingNames),
    limits: numbersOf<Limits>(body['limits'], limitNames),
    ...(statusOfFailed === undefined ? {} : { statusOfFailed: parseStatusOfFailed(statusOfFailed) }),
    ...(failingRecordWrites === undefined
      ? {}
      : { failingRecordWrites: parseNumber('failingRecordWrites', failingRecordWrites) }),
  };
  return changeSettings(settings, change);
}

export function listOf(body: JsonObject, name: string): string[] {
  const value = body[name] ?? [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw new SandboxError(`${name} must be a list of strings`);
  }
  return value;
}

function parseStatusOfFailed(value: JsonValue): Settings['statusOfFailed'] {
  if (value === 'completed' || value === 'gone') return value;
  throw new SandboxError('statusOfFailed must be "completed" or "gone"');
}

function numbersOf<T>(value: JsonValue | undefined, names: readonly (keyof T & string)[]): Partial<T> {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw new SandboxError('timings and limits are objects');
  refuseUnknown(value, names);
  const entries = Object.entries(value).map(([name, number]) => [
    name,
    number === null && optionalLimits.includes(name) ? undefined : parseNumber(name, number),
  ]);
  // Each name is one of T's and each of T's members is a number, or may be undefined where null was let through.
  return Object.fromEntries(entries) as Partial<T>;
}

function parseNumber(name: string, value: JsonValue): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new SandboxError(`${name} must be a whole number from 0 up`);
}
