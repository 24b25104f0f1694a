import { type EffectiveSpecs, headerName, listOperations, type Operation } from '../../../specs/src/index.ts';
import type { Capability, JobName } from '../requires.ts';
import type { DiscoveredModel, Discovery, ModelKind } from './discovery.ts';
import { HarnessError, NoOccasion, SetupFailure } from './errors.ts';
import { type ApiName, type Jobs, listCapabilities, type Target, type TargetKind } from './target.ts';

const headerSuffixes = {
  requestId: 'Request-Id',
  errorType: 'Error-Type',
  upstreamStatus: 'Upstream-Status',
  droppedParams: 'Router-Dropped-Params',
  fallbackProvider: 'Router-Fallback-Provider',
  creditsUsed: 'Credits-Used',
} as const;

/** The member of `conform.live.models` that makes outputs comparable. */
export const deterministic = 'deterministic';

/** The brand's own header names (MR-GEN-01). */
export type ServiceHeaders = Readonly<Record<keyof typeof headerSuffixes, string>>;

/** What a rule knows of the check, without credential values. */
export type ProbeContext = {
  readonly kind: TargetKind;
  readonly specs: EffectiveSpecs;
  readonly baseUrls: Readonly<Record<ApiName, string | undefined>>;
  readonly headers: ServiceHeaders;
  readonly operation: (operationId: string) => Operation;
  /** Reading one throws `NoOccasion` when the catalog has no such model, `SetupFailure` when that could not be found out. */
  readonly authored: DiscoveredModel;
  readonly unauthored: DiscoveredModel;
  /** Throws `SetupFailure` when no such job is configured. */
  readonly job: (name: JobName) => string;
  /** The graph of a job where it is known. */
  readonly graph: (name: JobName) => string | undefined;
  readonly discovery: Discovery;
  /** The outcomes of runs are scripted; otherwise inputs of the owner stand in for them. */
  readonly isScripted: boolean;
  /** What the owner says of the workflow API. */
  readonly workflowAuthentication: 'required' | 'open' | undefined;
  /** Ids of the models that rules may run: of a live target those that its owner names, of the others all. */
  readonly runnable: readonly string[];
  /** Throws `NoOccasion` when equal inputs to a model may give different outputs. */
  readonly needsEqualOutputs: (model: Pick<DiscoveredModel, 'id'>) => void;
  /** Whether the target has this capability. */
  readonly has: (capability: Capability) => boolean;
};

export function createContext(target: Target, specs: EffectiveSpecs, discovery: Discovery): ProbeContext {
  const operations = new Map(listOperations(specs).map((one) => [one.operationId, one]));
  const owned = target.budget?.models ?? [];
  const jobs: Jobs = target.workflow?.jobs ?? {};
  return {
    kind: target.kind,
    specs,
    discovery,
    isScripted: listCapabilities(target).includes('outcomes'),
    workflowAuthentication: target.workflow?.authentication,
    runnable: owned.length > 0 ? owned.map(({ id }) => id) : discovery.listed,
    needsEqualOutputs: ({ id }) => {
      const isDeterministic = owned.some((one) => one.id === id && one.deterministic === true);
      if (target.kind === 'live' && !isDeterministic) throw new NoOccasion(`${id} is not said to be ${deterministic}`);
    },
    has: (capability) => listCapabilities(target).includes(capability),
    baseUrls: { router: target.router?.url, workflow: target.workflow?.url },
    headers: serviceHeaders(specs),
    operation: (operationId) => {
      const found = operations.get(operationId);
      if (found === undefined) throw new HarnessError(`no operation ${operationId} in the specifications`);
      return found;
    },
    get authored() {
      return neededModel('authored', discovery);
    },
    get unauthored() {
      return neededModel('unauthored', discovery);
    },
    job: (name) => jobs[name] ?? jobOfMock(target.kind, name),
    graph: (name) => target.workflow?.graphs?.[name],
  };
}

function neededModel(kind: ModelKind, { models, isComplete, problems }: Discovery): DiscoveredModel {
  const found = models[kind];
  if (found !== undefined) return found;
  if (isComplete) throw new NoOccasion(`no model of the kind "${kind}" is in the catalog`);
  throw new SetupFailure(`discovery found no ${kind} model: ${problems.join('; ')}`);
}

export function serviceHeaders({ settings }: EffectiveSpecs): ServiceHeaders {
  const names = Object.entries(headerSuffixes).map(([key, suffix]) => [key, headerName(settings.brand, suffix)]);
  // `fromEntries` forgets the keys' type.
  return Object.fromEntries(names) as ServiceHeaders;
}

function jobOfMock(kind: TargetKind, name: JobName): string {
  if (kind === 'mock') return `job-${name}`; // a mock answers any id
  throw new SetupFailure(`no job of kind "${name}" is configured`);
}
