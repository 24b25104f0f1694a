import type { Hook } from '../requires.ts';

/** Where a target has its hooks. The credential goes nowhere else. */
export type HooksAddress = { readonly url: string; readonly credential?: string };

/** The cause of a failure that the next call of an operation is to meet. */
export type ScriptedFailure = { readonly operation: string } & (
  | { readonly error_type: 'internal_error' | 'service_unavailable' }
  | { readonly code: 'upstream_error' }
);

/** Speaks to the hooks of a target. All but `offered` throw `SetupFailure` when the hook does not do its work. */
export type Hooks = {
  /** The offered hooks, or why they cannot be used. */
  offered(): Promise<readonly Hook[] | { readonly because: string }>;
  /** Moves the clock of the target on, in milliseconds. */
  pass(ms: number): Promise<void>;
  /** Whether the clock advances only by `pass`; absent where every wait of a run advances it. */
  isStopped?(): Promise<boolean>;
  script(failure: ScriptedFailure): Promise<void>;
  /** Drops what was scripted and not met. */
  clearScript(): Promise<void>;
};

/** The two models that obey their input: they call no provider and bill nobody. */
export const outcomesModel = 'sandbox/outcomes';
export const alternateModel = 'sandbox-two/outcomes';

/** The models of the hook `families`: one or two of each row of the documented table of assets. */
export const familyModels = [
  'image-provider/still-2.1',
  'video-provider/motion4-turbo',
  'video-provider-two/extend',
  'image-video-provider/draw-1',
  'image-video-provider/animate',
  'video-provider/frame',
  'image-provider-two/still-pro',
] as const;

/** The models of these hooks, which call no provider; elsewhere the same ids may be real models. */
export function listObeying(hooks: readonly string[]): readonly string[] {
  if (!hooks.includes('outcomes') && !hooks.includes('alternate')) return [];
  return [outcomesModel, alternateModel, ...(hooks.includes('families') ? familyModels : [])];
}
