import { type Brand, type EffectiveSpecs, listOperations } from '../../../../specs/src/index.ts';
import type { SandboxClock } from '../../clock.ts';
import type { App, Reply, ServerRequest } from '../../http/messages.ts';
import { splitTarget } from '../../http/router.ts';

/** Context of a fault. It excludes the sandbox's state, so that faults stay outside of handlers. */
export type FaultContext = {
  brand: Brand;
  clock: SandboxClock;
  specs: EffectiveSpecs;
  findOperation: FindOperation;
  /** Seed of the sandbox. */
  seed: number;
};

/** Context of a change. `app` sends further requests to the healthy application. */
export type Around = { request: ServerRequest; app: App; context: FaultContext };

/** Calls that a group of faults affects; `status`, `category` and `reply` select among their replies. */
export type Selector = {
  on: FaultOperation | readonly FaultOperation[];
  status?: number | readonly number[] | ((status: number) => boolean);
  /** Category in the header of a router error. */
  category?: string;
  reply?: (reply: Reply, around: Around) => boolean;
  when?: (request: ServerRequest) => boolean;
};

/**
 * Wraps the application. Called once per sandbox, so it can keep state between requests in its closure. Only affects calls that
 * match `where`. If it changes replies, they must match the reply conditions of `where`, too.
 */
export type Change = (app: App, context: FaultContext, where: Selector) => App;

/** Allowed behaviour that looks wrong; no rule may fail because of it. `specs/open-points.yaml` lists what allows it. */
export type Variant = { id: string; where: Selector; change: Change };
/** A deliberate violation of `requirements`, which inevitably violates `alsoViolates` as well. */
export type Fault = Variant & {
  requirements: readonly string[];
  alsoViolates: readonly string[];
};

/** Overrides members of the group's selector, except `when`, which is combined with the group's. */
type Options = Partial<Selector> & {
  /** Additional requirements that the fault inevitably violates. */
  also?: readonly string[];
};
type Row = { id: string; requirements: readonly string[]; change: Change; options: Options };

/**
 * Defines a fault: its id within the group, the requirements that it violates, and the change. `specs/faults.yaml`
 * describes it.
 */
export function fault(id: string, requirements: readonly string[], change: Change, options: Options = {}): Row {
  return { id, requirements, change, options };
}

export function variant(id: string, change: Change, options: Options = {}): Row {
  return fault(id, [], change, options);
}

/** `id`: prefix of the ids of all rows. */
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

/** Restricts a change to some of the calls of its group. */
export const only =
  (part: Partial<Selector>, change: Change): Change =>
  (app, context, where) =>
    changeSelected({ where: { ...where, ...part }, change }, app, context);

/** Applies a change to the calls that `where` selects. */
export function changeSelected(
  { where, change }: { where: Selector; change: Change },
  app: App,
  context: FaultContext,
): App {
  const changed = change(app, context, where);
  return (request) => {
    const operation = context.findOperation(request);
    const isSelected =
      operation !== undefined && [where.on].flat().includes(operation) && where.when?.(request) !== false;
    return isSelected ? changed(request) : app(request);
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
export const allOperations = [...routerOperations, 'readJobWorkflow'] as const;
/** Operations that may start a run. */
export const posts = ['runModel', 'submitRequest'] as const;
export type OperationId = (typeof allOperations)[number];
/**
 * An operation that a fault can change: an id from the specifications, one of two routes outside of them, or `unlisted`
 * for all other calls.
 */
export type FaultOperation = OperationId | 'openAsset' | 'lookUpJob' | 'unlisted';
export type FindOperation = (request: ServerRequest) => FaultOperation | undefined;

/** The returned function returns undefined for all other paths, so that faults never affect admin routes. */
export function createOperationFinder(specs: EffectiveSpecs): FindOperation {
  const patterns = listOperations(specs).flatMap(({ operationId, method, path }) => {
    const id = allOperations.find((one) => one === operationId);
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
