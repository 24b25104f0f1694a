import { isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { parseWholeNumber, refuseUnknown, SandboxError } from '../errors.ts';

/** Durations in milliseconds. */
export type Timings = {
  /** Waiting time of a queued request; `runningMs` is the duration of its run unless the provider sets one. */
  waitingMs: number;
  runningMs: number;
  /** Duration of a synchronous run unless the provider sets one. */
  providerMs: number;
  /** Maximum time that the caller of a synchronous run waits (MR-LIM-01). */
  holdMs: number;
  /** Maximum time that a request may wait in the queue, which is undocumented (OP-012). */
  queueTimeoutMs: number;
  /** Time until a cancellation reaches a run at its provider (MR-CAN-11). */
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

type WantedSettings = { readonly [Name in keyof Settings]?: unknown };

export function changeSettings(settings: Settings, wanted: WantedSettings): Settings {
  refuseUnknown(wanted, Object.keys(defaultSettings));
  return {
    timings: withNumbers('timings', settings.timings, wanted.timings, defaultSettings.timings),
    limits: withNumbers('limits', settings.limits, wanted.limits, defaultSettings.limits),
  };
}

/** Merges `wanted` into the current settings. `null` or undefined removes a limit that is unlimited by default. */
function withNumbers<T extends Timings | Limits>(name: string, current: T, wanted: unknown, defaults: T): T {
  if (wanted === undefined) return current;
  if (!isJsonObject(wanted)) throw new SandboxError(`${name} must be an object`);
  refuseUnknown(wanted, Object.keys(defaults));
  const removable = Object.entries(defaults).flatMap(([name, value]) => (value === undefined ? [name] : []));
  const changes = Object.entries(wanted).map(([key, value]: [string, JsonValue | undefined]) => {
    const isRemoved = (value ?? null) === null && removable.includes(key);
    return [key, isRemoved ? undefined : parseWholeNumber(key, value)];
  });
  return { ...current, ...Object.fromEntries(changes) };
}

/** Undocumented limits (OP-008, OP-009, OP-010) in cents, calls and milliseconds; undefined means unlimited. */
export type Limits = {
  /** Maximum number of calls of a scope in progress. */
  inFlight: number | undefined;
  /** Maximum number of runs and submissions of a scope in a window. */
  callsPerWindow: number | undefined;
  /** Maximum number of calls of a workflow API account in a window of the same length (OP-056). */
  workflowCallsPerWindow: number | undefined;
  windowMs: number;
  /** Cap on committed spend; each call reserves `callCents` from its admission to its end (MR-HDR-17, MR-HDR-18). */
  spendCents: number;
  callCents: number;
};

export type RateWindow = { startedAt: number; calls: number };

export const usedUpWaitMs = 30_000;

/** Counts a call of a scope. Returns 0 if this call is allowed; otherwise the milliseconds until the next window. */
export function takeCall(
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
