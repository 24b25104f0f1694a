import type { Brand, EffectiveSpecs } from '../../../../specs/src/index.ts';
import type { Clock } from '../../clock.ts';
import type { App, Reply, ServerRequest } from '../../http/messages.ts';
import type { FaultOperation, FindOperation } from './operations.ts';

/** Input of a fault. It excludes the sandbox's state, so that no part of a fault is inside a handler. */
export type FaultContext = {
  brand: Brand;
  clock: Clock;
  specs: EffectiveSpecs;
  findOperation: FindOperation;
  /** The seed of the sandbox. */
  seed: number;
};

/** Called once per sandbox; what it remembers between requests lives in its closure. */
export type Middleware = (app: App, context: FaultContext) => App;

/** Context of a change, in addition to the reply; through `app` a change can send requests to the healthy application. */
export type Around = { request: ServerRequest; app: App; context: FaultContext };

/** The calls that a group of faults touches; `status` and `reply` select among their replies. */
export type Selector = {
  on: readonly FaultOperation[];
  status?: number | readonly number[] | ((status: number) => boolean);
  reply?: (reply: Reply, around: Around) => boolean;
  when?: (request: ServerRequest) => boolean;
};

/** Sees only the calls that `where` selects; a change of replies also heeds what `where` says of these. */
export type Change = (app: App, context: FaultContext, where: Selector) => App;

/** Allowed behaviour that looks wrong: no rule may fail on it. `specs/open-points.yaml` says what allows it. */
export type Variant = { id: string; middleware: Middleware };
/** A deliberate violation of `requirements`; it cannot help violating those of `alsoViolates` too. */
export type Fault = Variant & {
  requirements: readonly string[];
  alsoViolates: readonly string[];
  description: string;
};

/** A row can narrow the selector of its group. Its `sentence` says what its id cannot. */
type Options = Partial<Selector> & { sentence?: string };
type Row = { id: string; requirements: string; change: Change; options: Options };

/**
 * A row: its id within the group; the ids of what it violates, with spaces between, and after the word `also` those of what it
 * cannot help violating as well; and the change that does it.
 */
export function fault(id: string, requirements: string, change: Change, options: Options = {}): Row {
  return { id, requirements, change, options };
}

/** A function for rows whose change is made by `builder`: they give its argument in place of the change. */
export function rowIn<Argument>(builder: (argument: Argument) => Change) {
  return (id: string, requirements: string, argument: Argument, options?: Options): Row =>
    fault(id, requirements, builder(argument), options);
}

/** `id` goes before the ids of all rows; the `subject` is what they change, else the id says it. */
type Group = Selector & { id: string; subject?: string };

export function group({ id: prefix, subject = inWords(prefix), ...where }: Group, rows: readonly Row[]): Fault[] {
  return rows.map(({ id, requirements, change, options: { sentence, ...part } }) => {
    const [own = '', also = ''] = requirements.split(' also ');
    return {
      id: `${prefix}.${id}`,
      requirements: listIds(own),
      alsoViolates: listIds(also),
      description: sentence ?? `${subject}: ${id.replaceAll('.', ', ').replaceAll('-', ' ')}.`,
      middleware: select(where, only(part, change)),
    };
  });
}

/** `idempotency.conflict` as `Idempotency conflict`. */
function inWords(prefix: string): string {
  return prefix.replaceAll(/[.-]/g, ' ').replace(/^./, (first) => first.toUpperCase());
}

/** Variants by their ids within the group. */
export function variants({ id: prefix, ...where }: Selector & { id: string }) {
  return (changes: Readonly<Record<string, Change>>): Variant[] =>
    Object.entries(changes).map(([id, change]) => ({ id: `${prefix}.${id}`, middleware: select(where, change) }));
}

function listIds(ids: string): string[] {
  return ids === '' ? [] : ids.split(' ');
}

/** Narrows a change to some of the calls that its group selects. */
export function only(part: Partial<Selector>, change: Change): Change {
  return (app, context, where) => select({ ...where, ...part }, change)(app, context);
}

function select(where: Selector, change: Change): Middleware {
  return (app, context) => {
    const changed = change(app, context, where);
    return (request) => {
      const operation = context.findOperation(request);
      const isSelected = operation !== undefined && where.on.includes(operation) && where.when?.(request) !== false;
      return isSelected ? changed(request) : app(request);
    };
  };
}
