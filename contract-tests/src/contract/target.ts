import type { JsonObject } from '../../../specs/src/index.ts';
import { type Hook, type HooksAddress, hookNames, isObeying } from './hooks.ts';

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
 * `state`: a later response depends on an earlier request (paging, queue, replay, conditional requests).
 * `validation`: request bodies are checked against the model's own schema.
 * `authentication`: the target distinguishes credentials, it does not only count them.
 * Test hooks: what the named hooks offer, discovered at the start of a run.
 */
export type Capability = 'state' | 'validation' | 'authentication' | Hook;

/** A sandbox may lack hooks: its clock may be fixed, its catalog may be the caller's own. */
const optionalCapabilities: readonly Capability[] = hookNames;

/** A model that the owner of a live target lets the gate run. `input` is valid against the model's own schema. */
export type LiveModel = {
  readonly id: string;
  readonly input: JsonObject;
  /** Valid as well, and rejected by the provider's policy. */
  readonly rejectedInput?: JsonObject;
  /** Valid as well, and its provider fails on it. */
  readonly failingInput?: JsonObject;
  /** Valid as well, and its run takes ten seconds or more. */
  readonly slowInput?: JsonObject;
  /** Equal inputs give equal outputs; rules that compare two outputs need it. */
  readonly deterministic?: boolean;
  /** The most that a run costs, where the owner states it. */
  readonly maxCostCents?: number;
};

/** How many runs a live target may be asked for in all, and of which models. */
export type Budget = { readonly runs: number; readonly models: readonly LiveModel[] };

/**
 * `isSecret`, by default true: no report shows the value; otherwise it is hidden in this header alone.
 * `variable`: the environment variable that holds the value, for the curl lines of reports.
 */
export type GatewayHeader = {
  readonly name: string;
  readonly value: string;
  readonly isSecret?: boolean;
  readonly variable?: string;
};

/** What TLS connections need beside the authorities that Node trusts; PEM texts. */
export type TlsSettings = {
  /** Trusted in addition. */
  readonly ca?: string;
  /** The certificate of the gate as a client, and its key. */
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
};

export type Target = {
  readonly kind: TargetKind;
  readonly router?: {
    readonly url: string;
    readonly credentials: Credentials;
    /** Header of the credential `main` unless a rule names one; `bearer` for a token that is no API key. Default: `api-key`. */
    readonly scheme?: 'api-key' | 'bearer';
  };
  readonly workflow?: {
    readonly url: string;
    readonly credentials: Credentials;
    readonly jobs: Jobs;
    /** The graphs of those jobs as JSON texts, where they are known: responses must repeat them verbatim. */
    readonly graphs?: Partial<Record<JobName, string>>;
    /** Whether the owner says that every call needs a credential; without it either is accepted (C-50). */
    readonly authentication?: 'required' | 'open';
  };
  /** Sent with every request, test hooks included, for a gateway in front of the target. */
  readonly headers?: readonly GatewayHeader[];
  readonly tls?: TlsSettings;
  /** Of a live target; without it nothing is sent that could start a run. */
  readonly budget?: Budget;
  /** Never looked for unasked. */
  readonly hooks?: HooksAddress;
  /** Default: none for a mock, all but the test hooks for the others. */
  readonly capabilities?: readonly Capability[];
  /** What no report may show beside the credentials above. */
  readonly secrets?: readonly string[];
  /** Environment variables that hold the credentials above, for the curl lines of reports. */
  readonly variables?: Partial<Record<ApiName, Readonly<Record<string, string>>>>;
};

/** What an input of the owner brings about in place of the scripted model of a sandbox. */
export type StandIn = 'plain' | 'slow' | 'rejected' | 'failing';

export type Applicability =
  | { readonly kind: 'applies' }
  | { readonly kind: 'not-observable'; readonly because: string }
  /** `isExcused`: the target is allowed to be so, and its run is complete without the rule. */
  | { readonly kind: 'not-applicable'; readonly because: string; readonly isExcused?: true };
export type AppliesTo = (target: Target) => Applicability;

const applies: Applicability = { kind: 'applies' };

export const always: AppliesTo = () => applies;

export function capabilitiesOf(target: Target): readonly Capability[] {
  return target.capabilities ?? (target.kind === 'mock' ? [] : ['state', 'validation', 'authentication']);
}

/** Tells the paths of the models that obey their input, on a target that offers them: they bill nobody. */
export function hasObeying(target: Target): (path: string) => boolean {
  const capabilities = capabilitiesOf(target);
  return (path) =>
    (capabilities.includes('outcomes') || capabilities.includes('alternate')) && isObeying(path, capabilities);
}

/** True when only an optional capability is missing: such a target is not required to show the rule. */
export function lacksOptionalCapability(appliesTo: AppliesTo, target: Target): boolean {
  const equipped = { ...target, capabilities: [...capabilitiesOf(target), ...optionalCapabilities] };
  return appliesTo(target).kind !== 'applies' && appliesTo(equipped).kind === 'applies';
}

/** On a mock a rule without its capability is not observable, on any other target not applicable. */
export function hasCapability(...wanted: readonly Capability[]): AppliesTo {
  return (target) => {
    const missing = wanted.find((one) => !capabilitiesOf(target).includes(one));
    if (missing === undefined) return applies;
    if (target.kind === 'mock') return { kind: 'not-observable', because: `the mock has no ${missing}` };
    const isHook = optionalCapabilities.includes(missing);
    return {
      kind: 'not-applicable',
      because: isHook ? `it needs the test hook ${missing}` : `the target has no ${missing}`,
    };
  };
}

const inputOf = { slow: 'slowInput', rejected: 'rejectedInput', failing: 'failingInput' } as const;

/** The outcomes of runs can be selected, or the owner of a live target gives inputs that bring about these. */
export function hasOutcomes(...standIns: readonly StandIn[]): AppliesTo {
  const scripts = hasCapability('outcomes');
  return (target) => {
    const models = target.budget?.models ?? [];
    const scripted = scripts(target);
    if (scripted.kind === 'applies' || target.kind !== 'live') return scripted;
    if (standIns.length === 0)
      return { kind: 'not-applicable', because: 'it needs test hooks: no input alone brings its outcome about' };
    const missing = standIns.find((kind) =>
      kind === 'plain' ? models.length === 0 : !models.some((model) => model[inputOf[kind]] !== undefined),
    );
    if (missing === undefined) return applies;
    const wanted = missing === 'plain' ? 'a model in conform.live.models' : `a model with ${inputOf[missing]}`;
    return { kind: 'not-applicable', because: `it needs test hooks, or ${wanted}` };
  };
}

/** True of a rule that applies only because inputs of the owner stand in for scripted outcomes. */
export function needsStandIn(appliesTo: AppliesTo, target: Target): boolean {
  if (target.kind !== 'live' || target.budget === undefined) return false;
  const bare = { ...target, budget: { ...target.budget, models: [] } };
  return appliesTo(target).kind === 'applies' && appliesTo(bare).kind !== 'applies';
}

/** A later response depends on an earlier request. */
export const hasState: AppliesTo = hasCapability('state');

export function hasCredential(api: ApiName, ...names: readonly CredentialName[]): AppliesTo {
  return (target) => {
    if (target.kind === 'mock') return { kind: 'not-observable', because: 'the mock does not distinguish credentials' };
    const missing = names.find((name) => target[api]?.credentials[name] === undefined);
    return missing === undefined
      ? applies
      : { kind: 'not-applicable', because: `no ${api} credential "${missing}" is configured` };
  };
}

/** A target whose credential is a token that is no API key cannot send it as one (MR-AUT-03). */
export const takesKeys: AppliesTo = ({ router }) =>
  router?.scheme === 'bearer'
    ? { kind: 'not-applicable', because: 'the credential is a token and no API key', isExcused: true }
    : applies;

/** A mock responds to any job id with its example; add `hasCapability('state')` where the kind of job matters. */
export function hasJob(...names: readonly JobName[]): AppliesTo {
  return (target) => {
    const missing = names.find((name) => target.workflow?.jobs[name] === undefined);
    if (missing === undefined || target.kind === 'mock') return applies;
    return { kind: 'not-applicable', because: `no job of kind "${missing}" is configured` };
  };
}

export const hasGraphs: AppliesTo = (target) =>
  target.workflow?.graphs === undefined
    ? { kind: 'not-applicable', because: 'the graphs of its jobs are not known', isExcused: true }
    : applies;

export function notOn(kind: TargetKind, because: string): AppliesTo {
  return (target) => (target.kind === kind ? { kind: 'not-observable', because } : applies);
}

/** The first part that does not apply gives the reason. */
export function allOf(...parts: readonly AppliesTo[]): AppliesTo {
  return (target) => parts.map((part) => part(target)).find(({ kind }) => kind !== 'applies') ?? applies;
}
