import { type EffectiveSpecs, headerName, listOperations, type Operation } from '../../../specs/src/index.ts';
import type { Capability, JobName } from '../requires.ts';
import { memoize } from './cache.ts';
import type { DiscoveredModel, Discovery, ModelKind } from './discovery.ts';
import { NotApplicable, SetupFailure } from './endings.ts';
import { HarnessError } from './errors.ts';
import {
  type Jobs,
  type LiveModel,
  listCapabilities,
  type RequiredReadings,
  type Target,
  type TargetKind,
} from './target.ts';
import { usualValues, type Values } from './values.ts';

const headerSuffixes = {
  requestId: 'Request-Id',
  errorType: 'Error-Type',
  upstreamStatus: 'Upstream-Status',
  droppedParams: 'Router-Dropped-Params',
  fallbackProvider: 'Router-Fallback-Provider',
  creditsUsed: 'Credits-Used',
} as const;

/** Member of `conform.live.models` that allows rules to compare outputs. */
export const deterministic = 'deterministic';

/** Header names with the brand of the service (MR-GEN-01). */
export type ServiceHeaders = Readonly<Record<keyof typeof headerSuffixes, string>>;

export type TargetContext = {
  readonly kind: TargetKind;
  readonly specs: EffectiveSpecs;
  readonly discovery: Discovery;
  readonly values: Values;
  readonly readings: RequiredReadings;
  readonly baseUrls: { readonly router: string | undefined; readonly workflow: string | undefined };
  readonly headers: ServiceHeaders;
  has(capability: Capability): boolean;
  /** True if scenarios can script the outcome of runs. Otherwise they use inputs from `conform.live.models`. */
  readonly isScripted: boolean;
  readonly ceiling: number | undefined;
  readonly owned: readonly LiveModel[];
  readonly workflowAuthentication: 'required' | 'open' | undefined;
  /** Ids of the models that rules may run: on a live target the configured ones, otherwise all listed ones. */
  readonly runnable: readonly string[];
  /** Throws `NotApplicable` if a model may return different outputs for the same input. */
  needsEqualOutputs(model: { readonly id: string }): void;
  operation(operationId: string): Operation;
  /** Throws `NotApplicable` if the catalog has no authored model, `SetupFailure` if discovery was incomplete. */
  readonly authored: DiscoveredModel;
  readonly unauthored: DiscoveredModel;
  job(name: JobName): string;
  /** True if `job` returns an id for this name. */
  hasJob(name: JobName): boolean;
  graph(name: JobName): string | undefined;
};

const mapOperations = memoize(
  (specs: EffectiveSpecs) => new Map(listOperations(specs).map((one) => [one.operationId, one])),
);

export function createContext(
  target: Target,
  specs: EffectiveSpecs,
  discovery: Discovery,
  values = usualValues,
): TargetContext {
  const operations = mapOperations(specs);
  const owned = target.budget?.models ?? [];
  const jobs: Jobs = target.workflow?.jobs ?? {};
  const has = (capability: Capability): boolean => listCapabilities(target).includes(capability);
  const findModel = (kind: ModelKind): DiscoveredModel => {
    const { models, isComplete, problems } = discovery;
    const found = models[kind];
    if (found !== undefined) return found;
    if (isComplete) throw new NotApplicable(`the catalog has no ${kind} model`);
    throw new SetupFailure(`discovery found no ${kind} model: ${problems.join('; ')}`);
  };
  return {
    kind: target.kind,
    specs,
    discovery,
    values,
    readings: target.readings ?? {},
    baseUrls: { router: target.router?.url, workflow: target.workflow?.url },
    headers: serviceHeaders(specs),
    has,
    isScripted: has('outcomes'),
    ceiling: target.stated?.ceiling,
    owned,
    workflowAuthentication: target.workflow?.authentication,
    runnable: owned.length > 0 ? owned.map(({ id }) => id) : discovery.listed,
    needsEqualOutputs: ({ id }) => {
      const isDeterministic = owned.some((one) => one.id === id && one.deterministic === true);
      if (target.kind === 'live' && !isDeterministic)
        throw new NotApplicable(`${id} is not configured as ${deterministic}`);
    },
    operation: (operationId) => {
      const found = operations.get(operationId);
      if (found === undefined) throw new HarnessError(`no operation ${operationId} in the specifications`);
      return found;
    },
    get authored() {
      return findModel('authored');
    },
    get unauthored() {
      return findModel('unauthored');
    },
    job: (name) => {
      // A mock accepts any id.
      const id = jobs[name] ?? (target.kind === 'mock' ? `job-${name}` : undefined);
      if (id === undefined) throw new SetupFailure(`no job of kind "${name}" is configured`);
      return id;
    },
    hasJob: (name) => target.kind === 'mock' || jobs[name] !== undefined,
    graph: (name) => target.workflow?.graphs?.[name],
  };
}

export function serviceHeaders({ settings }: EffectiveSpecs): ServiceHeaders {
  const names = Object.entries(headerSuffixes).map(([key, suffix]) => [key, headerName(settings.brand, suffix)]);
  // `Object.fromEntries` loses the type of the keys.
  return Object.fromEntries(names) as ServiceHeaders;
}
