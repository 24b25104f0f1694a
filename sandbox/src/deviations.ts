import { readFaultDescriptions, readFreedoms } from '../../specs/src/index.ts';
import { SandboxError } from './errors.ts';
import {
  createOperationFinder,
  type Fault,
  type FaultContext,
  type Middleware,
  type Variant,
} from './faults/builders/fault.ts';
import { faults, variants } from './faults/index.ts';
import { type App, withBrand } from './http/messages.ts';
import type { SandboxConfig } from './options.ts';

export type Deviations = { faults: readonly string[]; variants: readonly string[] };

/** Wraps the healthy application in the middleware of faults and variants; the first fault is the innermost. */
export function withDeviations(healthy: App, wanted: Deviations, { brand, clock, specs, seed }: SandboxConfig): App {
  const context: FaultContext = { brand, clock, specs, seed, findOperation: createOperationFinder(specs) };
  const app = chooseMiddleware(wanted).reduce((inner, middleware) => middleware(inner, context), healthy);
  return async (request) => withBrand(await app(request), brand);
}

/** Throws SandboxError for an unknown fault or variant. */
function chooseMiddleware(wanted: Deviations): Middleware[] {
  const choose = (kind: string, known: readonly Variant[], ids: readonly string[]): Middleware[] =>
    ids.map((id) => {
      const found = known.find((one) => one.id === id);
      if (found === undefined) throw new SandboxError(`unknown ${kind} ${JSON.stringify(id)}`);
      return found.middleware;
    });
  return [...choose('fault', faults, wanted.faults), ...choose('variant', variants, wanted.variants)];
}

export type FaultEntry = Omit<Fault, 'middleware'> & { description: string };
/** A variant; its description has the API text or the reading that allows it. */
export type VariantEntry = Omit<FaultEntry, 'alsoViolates'>;

export function listFaults(): readonly FaultEntry[] {
  const descriptions = readFaultDescriptions();
  return faults.map(({ middleware: _, ...entry }) => ({ ...entry, description: descriptions[entry.id] ?? '' }));
}

export function listVariants(): readonly VariantEntry[] {
  const freedoms = readFreedoms();
  return variants.map(({ id }) => {
    const { requirements, text, reading } = freedoms.find((one) => one.variants?.includes(id) === true) ?? {};
    const description = text ?? `The API leaves it open: ${reading}.`;
    return { id, requirements: requirements?.split(' ') ?? [], description };
  });
}
