import type { Limits } from './quotas.ts';

/** In milliseconds. */
export type Timings = {
  /** How long a queued request waits, and how long its run takes where the provider names no time of its own. */
  waitingMs: number;
  runningMs: number;
  /** The same for a synchronous run. */
  providerMs: number;
  /** How long a caller of a synchronous run is kept waiting at most (MR-LIM-01). */
  holdMs: number;
  /** How long a request may wait at most; the length is not documented (NS-12). */
  queueTimeoutMs: number;
  /** How long a cancellation takes to reach a run that is live at its provider (MR-CAN-11). */
  cancellingMs: number;
};

/** What the operator may change while the sandbox runs. */
export type Settings = {
  timings: Timings;
  limits: Limits;
  /** How the status route shows a request that failed at request level: as COMPLETED, or with 410 (C-16). */
  statusOfFailed: 'completed' | 'gone';
  /** So many records of keyed results, from now on, fail to be written (MR-IDM-29). */
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

export type SettingsChange = Partial<Omit<Settings, 'timings' | 'limits'>> & {
  timings?: Partial<Timings>;
  limits?: Partial<Limits>;
};

export function changeSettings(settings: Settings, change: SettingsChange): Settings {
  return {
    ...settings,
    ...change,
    timings: { ...settings.timings, ...change.timings },
    limits: { ...settings.limits, ...change.limits },
  };
}

export function withOneFailureLess(settings: Settings): Settings {
  return { ...settings, failingRecordWrites: settings.failingRecordWrites - 1 };
}
