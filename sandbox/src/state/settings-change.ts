import { isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { SandboxError } from '../errors.ts';
import { refuseUnknown } from '../named-members.ts';
import type { Limits } from './quotas.ts';
import { changeSettings, type Settings, type SettingsChange, type Timings } from './settings.ts';

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

/** From the operator's JSON, or from options; nothing is known of the values. */
type WantedSettings = { readonly [Name in (typeof ownNames)[number]]?: unknown };

/** The settings with those that `wanted` names changed. Throws SandboxError for a name or value that is none. */
export function parseSettingsChange(settings: Settings, wanted: WantedSettings): Settings {
  refuseUnknown(wanted, ownNames);
  const { timings, limits, statusOfFailed, failingRecordWrites } = wanted;
  const change: SettingsChange = {
    timings: numbersOf<Timings>(timings, timingNames),
    limits: numbersOf<Limits>(limits, limitNames),
    ...(statusOfFailed === undefined ? {} : { statusOfFailed: parseStatusOfFailed(statusOfFailed) }),
    ...(failingRecordWrites === undefined
      ? {}
      : { failingRecordWrites: parseNumber('failingRecordWrites', failingRecordWrites) }),
  };
  return changeSettings(settings, change);
}

function parseStatusOfFailed(value: unknown): Settings['statusOfFailed'] {
  if (value === 'completed' || value === 'gone') return value;
  throw new SandboxError('statusOfFailed must be "completed" or "gone"');
}

function numbersOf<T>(value: unknown, names: readonly (keyof T & string)[]): Partial<T> {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw new SandboxError('timings and limits are objects');
  refuseUnknown(value, names);
  // What JSON writes as null, a program may write as undefined.
  const isLifted = (name: string, number: JsonValue | undefined): boolean =>
    (number ?? null) === null && optionalLimits.includes(name);
  const entries = Object.entries(value).map(([name, number]) => [
    name,
    isLifted(name, number) ? undefined : parseNumber(name, number),
  ]);
  // Each name is one of T's and each of T's members is a number, or may be undefined where none was let through.
  return Object.fromEntries(entries) as Partial<T>;
}

function parseNumber(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new SandboxError(`${name} must be a whole number from 0 up`);
}
