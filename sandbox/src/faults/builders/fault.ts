import { type Brand, type EffectiveSpecs, listOperations } from '../../../../specs/src/index.ts';
import type { SandboxClock } from '../../clock.ts';
import type { App, Reply, ServerRequest } from '../../http/messages.ts';
import { splitTarget } from '../../http/router.ts';

/** The parts of the sandbox that faults can use. Its state is excluded, so that a fault cannot depend on how handlers work. */
export type FaultContext = {
  brand: Brand;
  clock: SandboxClock;
  specs: EffectiveSpecs;
  findOperation: FindOperation;
  /** Seed of the sandbox. */
  seed: number;
};

/** The call that a change handles. `app` sends further requests to the healthy application. */
export type ChangeContext = { request: ServerRequest; app: App; context: FaultContext };

/** Calls that a fault affects. `status`, `category` and `reply` select some of their replies. */
export type Selector = {
  on: FaultOperation | readonly FaultOperation[];
  status?: number | readonly number[] | ((status: number) => boolean);
  /** Category in the header of a router error. */
  category?: string;
  reply?: (reply: Reply, call: ChangeContext) => boolean;
  when?: (request: ServerRequest) => boolean;
};

/**
 * Returns the application with a wrapper that changes calls. Called once per sandbox, so the wrapper can keep state between
 * requests. The wrapper only gets calls that match `on` and `when`; if it changes replies, it checks the other members of `where`.
 */
export type Change = (app: App, context: FaultContext, where: Selector) => App;

/** Unusual behaviour that the API text allows, so no rule may fail because of it. `specs/open-points.yaml` cites the text. */
export type Variant = { id: string; where: Selector; change: Change };
/** A deliberate violation of `requirements`. The requirements in `alsoViolates` cannot stay fulfilled then. */
export type Fault = Variant & {
  requirements: readonly string[];
  alsoViolates: readonly string[];
};

/** Overrides members of the group's selector. Only `when` is an additional condition: the group's must be true, too. */
type RowOptions = Partial<Selector> & {
  /** Additional requirements that the fault inevitably violates. */
  also?: readonly string[];
};
type Row = { id: string; requirements: readonly string[]; change: Change; options: RowOptions };

/**
 * Defines a fault: its id within the group, the requirements that it violates, and the change. `specs/faults.yaml`
 * describes it.
 */
export function fault(id: string, requirements: readonly string[], change: Change, options: RowOptions = {}): Row {
  return { id, requirements, change, options };
}

/** Defines a variant: its id within the group, and the change. */
export function variant(id: string, change: Change, options: RowOptions = {}): Row {
  return fault(id, [], change, options);
}

/** The selector of all rows, and the prefix of their ids. */
type Group = Selector & { id: string };

export function group(shared: Group, rows: readonly Row[]): Fault[] {
  return rows.map(({ id, requirements, change, options: { also = [], ...selector } }) => {
    const when = (request: ServerRequest): boolean =>
      shared.when?.(request) !== false && selector.when?.(request) !== false;
    return {
      id: `${shared.id}.${id}`,
      where: { ...shared, ...selector, when },
      change,
      requirements,
      alsoViolates: also,
    };
  });
}

/** Restricts a change to some of the calls of its group. `part` overrides members of the group's selector. */
export const restrictTo =
  (part: Partial<Selector>, change: Change): Change =>
  (app, context, where) =>
    applyToSelectedCalls({ where: { ...where, ...part }, change }, app, context);

/** Applies a change to the calls that `where` selects. */
export function applyToSelectedCalls(
  { where, change }: { where: Selector; change: Change },
  app: App,
  context: FaultContext,
): App {
  const changedApp = change(app, context, where);
  return (request) => {
    const operation = context.findOperation(request);
    const isSelected =
      operation !== undefined && [where.on].flat().includes(operation) && where.when?.(request) !== false;
    return isSelected ? changedApp(request) : app(request);
  };
}

export const queueOperations = ['submitRequest', 'collectRequest', 'readStatus', 'cancelRequest'] as const;
export const routerOperations = [
  'listModels',
  'readModel',
  'runModel',
  'readSchemaDocument',
  ...queueOperations,
] as const;
export const specifiedOperations = [...routerOperations, 'readJobWorkflow'] as const;
/** Operations that may start a run. */
export const startOperations = ['runModel', 'submitRequest'] as const;
export type OperationId = (typeof specifiedOperations)[number];
/**
 * An operation that a fault can change: an id from the specifications, one of two routes outside of them, or `unlisted`
 * for all other calls.
 */
export type FaultOperation = OperationId | 'openAsset' | 'lookUpJob' | 'unlisted';
export type FindOperation = (request: ServerRequest) => FaultOperation | undefined;

/** Creates a function that finds the operation of a request. It returns undefined for admin routes, so that faults never affect them. */
export function createOperationFinder(specs: EffectiveSpecs): FindOperation {
  const patterns = listOperations(specs).flatMap(({ operationId, method, path }) => {
    const id = specifiedOperations.find((one) => one === operationId);
    const source = path.replaceAll('.', '\\.').replace(/\{[^}]*\}/g, '[^/]+');
    return id === undefined ? [] : [{ id, method, pattern: new RegExp(`^${source}$`) }];
  });
  return (request) => {
    const { path } = splitTarget(request.target);
    if (path.startsWith('/__assets/')) return 'openAsset';
    if (/^\/api\/v2\/jobs\/[^/]+$/.test(path)) return 'lookUpJob';
    const found = patterns.find(({ method, pattern }) => method === request.method && pattern.test(path));
    return found?.id ?? (/^\/(?:v2|api)(?:\/|$)/.test(path) ? 'unlisted' : undefined);
  };
}
