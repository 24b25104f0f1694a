import { isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { parseWholeNumber, parseWord, refuseUnknown, SandboxError } from '../errors.ts';
import type { Limits } from './quotas.ts';

/** In milliseconds. */
export type Timings = {
  /** Waiting time of a queued request, and the duration of its run unless the provider sets one. */
  waitingMs: number;
  runningMs: number;
  /** The same for a synchronous run. */
  providerMs: number;
  /** The longest time that the caller of a synchronous run is held (MR-LIM-01). */
  holdMs: number;
  /** The longest time that a request may wait; the length is not documented (OP-012). */
  queueTimeoutMs: number;
  /** Time until a cancellation reaches a run in progress at its provider (MR-CAN-11). */
  cancellingMs: number;
};

/** Settings that the admin routes may change while the sandbox runs. */
export type Settings = {
  timings: Timings;
  limits: Limits;
  /** The status route's answer for a request that failed at request level: COMPLETED, or 410 (OP-216). */
  statusOfFailed: 'completed' | 'gone';
  /** Number of coming records of keyed results that fail to be written (MR-IDM-29). */
  failingRecordWrites: number;
};

export const defaultSettings: Settings = {
  timings: {
    waitingMs: 150,
    runningMs: 250,
    providerMs: 0,
    holdMs: 10 * 60 * 1000,
    queueTimeoutMs: 15 * 60 * 1000,
    cancellingMs: 0,
  },
  limits: {
    inFlight: undefined,
    callsPerWindow: undefined,
    workflowCallsPerWindow: undefined,
    windowMs: 60_000,
    spendCents: 10_000,
    callCents: 5,
  },
  statusOfFailed: 'completed',
  failingRecordWrites: 0,
};

/** From an admin call or from options, not yet validated. */
type WantedSettings = { readonly [Name in keyof Settings]?: unknown };

/** The settings with those of `wanted` changed. Throws SandboxError for an unknown name or an invalid value. */
export function changeSettings(settings: Settings, wanted: WantedSettings): Settings {
  refuseUnknown(wanted, Object.keys(defaultSettings));
  const { statusOfFailed = settings.statusOfFailed, failingRecordWrites = settings.failingRecordWrites } = wanted;
  return {
    timings: withNumbers('timings', settings.timings, wanted.timings, defaultSettings.timings),
    limits: withNumbers('limits', settings.limits, wanted.limits, defaultSettings.limits),
    statusOfFailed: parseWord('statusOfFailed', statusOfFailed, ['completed', 'gone']),
    failingRecordWrites: parseWholeNumber('failingRecordWrites', failingRecordWrites),
  };
}

/** `null` or undefined lifts a limit that is unlimited by default. */
function withNumbers<T extends Timings | Limits>(name: string, current: T, wanted: unknown, defaults: T): T {
  if (wanted === undefined) return current;
  if (!isJsonObject(wanted)) throw new SandboxError(`${name} must be an object`);
  refuseUnknown(wanted, Object.keys(defaults));
  const liftable = Object.entries(defaults).flatMap(([name, value]) => (value === undefined ? [name] : []));
  const changes = Object.entries(wanted).map(([key, value]: [string, JsonValue | undefined]) => {
    const isLifted = (value ?? null) === null && liftable.includes(key);
    return [key, isLifted ? undefined : parseWholeNumber(key, value)];
  });
  return { ...current, ...Object.fromEntries(changes) };
}
