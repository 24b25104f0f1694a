import { isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { parseInteger, rejectUnknownNames, SandboxError } from '../errors.ts';

/** Durations in milliseconds. */
export type Timings = {
  /** Time that a queued request waits before it runs. */
  waitingMs: number;
  /** Duration of the run of a queued request, unless the provider sets one. */
  runningMs: number;
  /** Duration of a synchronous run, unless the provider sets one. */
  providerMs: number;
  /** Maximum time that the caller of a synchronous run waits (MR-LIM-01). */
  holdMs: number;
  /** Maximum time that a request may wait in the queue, which is undocumented (OP-012). */
  queueTimeoutMs: number;
  /** Time until a cancellation of a running request takes effect (MR-CAN-11). */
  cancellingMs: number;
};

/** Settings that admin routes may change while the sandbox runs. */
export type Settings = {
  timings: Timings;
  limits: Limits;
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
};

type SettingsChange = { readonly [Name in keyof Settings]?: unknown };

export function changeSettings(settings: Settings, wanted: SettingsChange): Settings {
  rejectUnknownNames(wanted, Object.keys(defaultSettings));
  return {
    timings: mergeNumbers('timings', settings.timings, wanted.timings, defaultSettings.timings),
    limits: mergeNumbers('limits', settings.limits, wanted.limits, defaultSettings.limits),
  };
}

/** Returns the current settings with the changes in `wanted`. `null` or undefined removes a limit that has no default. */
function mergeNumbers<T extends Timings | Limits>(name: string, current: T, wanted: unknown, defaults: T): T {
  if (wanted === undefined) return current;
  if (!isJsonObject(wanted)) throw new SandboxError(`${name} must be an object`);
  rejectUnknownNames(wanted, Object.keys(defaults));
  const removable = Object.entries(defaults).flatMap(([name, value]) => (value === undefined ? [name] : []));
  const changes = Object.entries(wanted).map(([key, value]: [string, JsonValue | undefined]) => {
    const isRemoved = (value ?? null) === null && removable.includes(key);
    return [key, isRemoved ? undefined : parseInteger(key, value)];
  });
  return { ...current, ...Object.fromEntries(changes) };
}

/** Limits, which are undocumented (OP-008, OP-009, OP-010). Undefined means unlimited. */
export type Limits = {
  /** Maximum number of concurrent calls of a scope. */
  inFlight: number | undefined;
  /** Maximum number of runs and submissions of a scope in a window of `windowMs`. */
  callsPerWindow: number | undefined;
  /** Maximum number of calls of an account of the workflow API in a window of `windowMs` (OP-056). */
  workflowCallsPerWindow: number | undefined;
  windowMs: number;
  /** Cap on the committed spend of a scope (MR-HDR-17). */
  spendCents: number;
  /** Spend that each call commits from its admission to its end (MR-HDR-18). */
  callCents: number;
};

export type RateWindow = { startedAt: number; calls: number };

/** `Retry-After` of an account whose quota is always used up, in milliseconds. */
export const usedUpWaitMs = 30_000;

/** Counts a call of a scope. Returns 0 if the call is within the quota, or else the time until the next window (ms). */
export function countCall(
  windows: Map<string, RateWindow>,
  scope: string,
  quota: { calls: number | undefined; windowMs: number },
  now: number,
): number {
  const last = windows.get(scope);
  const window = last === undefined || now >= last.startedAt + quota.windowMs ? { startedAt: now, calls: 0 } : last;
  if (quota.calls !== undefined && window.calls >= quota.calls) return window.startedAt + quota.windowMs - now;
  windows.set(scope, { ...window, calls: window.calls + 1 });
  return 0;
}
