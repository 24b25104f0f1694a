export type ApiName = 'router' | 'workflow';
export type TargetKind = 'mock' | 'sandbox' | 'live';

const credentialNames = [
  'main',
  'colleague', // router: same workspace as main
  'neighbour', // router: another workspace
  'solo', // router: no workspace
  'noCredits',
  'noAccess',
  'notEnabled',
  'rateLimited',
  'spendCapped',
  'other', // workflow: another account
  'forbidden', // workflow: authenticated, not allowed
] as const;
export type CredentialName = (typeof credentialNames)[number];
export type Credentials = Partial<Record<CredentialName, string>>;

/** `unreadable`, `deleted`: pinned to a version, or to a workflow, that the caller can no longer read. */
export type JobName = 'save' | 'api' | 'foreign' | 'expired' | 'unreadable' | 'deleted';
export type Jobs = Partial<Record<JobName, string>>;

/**
 * `state`: a later answer depends on an earlier request (paging, queue, replay, conditional requests).
 * `validation`: request bodies are checked against the model's own schema.
 * `authentication`: credentials are told apart, not only counted.
 * `clock`: hours can pass there at our wish; found out when a run is opened.
 * `outcomes`: the catalog of a sandbox lists the model whose input selects what becomes of a run; found out likewise.
 */
export type Capability = 'state' | 'validation' | 'authentication' | 'clock' | 'outcomes';

/** What one sandbox has and another may lack: its clock need not be movable, its catalog may be the caller's own. */
const means: readonly Capability[] = ['clock', 'outcomes'];

export type Target = {
  readonly kind: TargetKind;
  readonly router?: {
    readonly url: string;
    readonly credentials: Credentials;
    /** Where a rule that does not care puts `main`; `bearer` for a token that is no API key. Default: `api-key`. */
    readonly scheme?: 'api-key' | 'bearer';
  };
  readonly workflow?: {
    readonly url: string;
    readonly credentials: Credentials;
    readonly jobs: Jobs;
    /** The graphs of those jobs as their owner knows them, JSON texts; to see whether they come back verbatim. */
    readonly graphs?: Partial<Record<JobName, string>>;
  };
  /** Default: none for a mock, all for the others. */
  readonly capabilities?: readonly Capability[];
};

export type Applicability =
  | { readonly kind: 'applies' }
  | { readonly kind: 'not-observable'; readonly because: string }
  | { readonly kind: 'not-applicable'; readonly because: string };
export type AppliesTo = (target: Target) => Applicability;

const applies: Applicability = { kind: 'applies' };

export const always: AppliesTo = () => applies;

export function capabilitiesOf(target: Target): readonly Capability[] {
  return target.capabilities ?? (target.kind === 'mock' ? [] : ['state', 'validation', 'authentication']);
}

/** True when all that keeps a rule from a target is one of those means: such a target cannot be asked to show it. */
export function lacksMeans(appliesTo: AppliesTo, target: Target): boolean {
  const equipped = { ...target, capabilities: [...capabilitiesOf(target), ...means] };
  return appliesTo(target).kind !== 'applies' && appliesTo(equipped).kind === 'applies';
}

/** A stateless mock cannot show what it lacks; any other target just lacks it. */
export function hasCapability(...wanted: readonly Capability[]): AppliesTo {
  return (target) => {
    const missing = wanted.find((one) => !capabilitiesOf(target).includes(one));
    if (missing === undefined) return applies;
    if (target.kind === 'mock') return { kind: 'not-observable', because: `the mock has no ${missing}` };
    return { kind: 'not-applicable', because: `the target has no ${missing}` };
  };
}

export function hasCredential(api: ApiName, ...names: readonly CredentialName[]): AppliesTo {
  return (target) => {
    if (target.kind === 'mock') return { kind: 'not-observable', because: 'the mock does not tell credentials apart' };
    const missing = names.find((name) => target[api]?.credentials[name] === undefined);
    return missing === undefined
      ? applies
      : { kind: 'not-applicable', because: `no ${api} credential "${missing}" is configured` };
  };
}

/** A mock answers any job id with its example, so the id's kind cannot be seen there; use with `hasCapability('state')` when it matters. */
export function hasJob(...names: readonly JobName[]): AppliesTo {
  return (target) => {
    const missing = names.find((name) => target.workflow?.jobs[name] === undefined);
    if (missing === undefined || target.kind === 'mock') return applies;
    return { kind: 'not-applicable', because: `no job of kind "${missing}" is configured` };
  };
}

export const hasGraphs: AppliesTo = (target) =>
  target.workflow?.graphs === undefined
    ? { kind: 'not-applicable', because: 'the graphs of its jobs are not known' }
    : applies;

export function notOn(kind: TargetKind, because: string): AppliesTo {
  return (target) => (target.kind === kind ? { kind: 'not-observable', because } : applies);
}

/** The first part that does not apply decides. */
export function allOf(...parts: readonly AppliesTo[]): AppliesTo {
  return (target) => parts.map((part) => part(target)).find((answer) => answer.kind !== 'applies') ?? applies;
}
