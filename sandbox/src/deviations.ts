import { readFaultDescriptions, readFreedoms } from '../../specs/src/index.ts';
import { SandboxError } from './errors.ts';
import {
  applyToSelectedCalls,
  createOperationFinder,
  type Fault,
  type FaultContext,
  type Variant,
} from './faults/builders/fault.ts';
import { faults, variants } from './faults/index.ts';
import { type App, withBrand } from './http/messages.ts';
import type { SandboxConfig } from './options.ts';

export type Deviations = { faults: readonly string[]; variants: readonly string[] };

/**
 * Wraps the healthy application in faults and variants; the first fault is the innermost. Throws SandboxError for an unknown
 * fault or variant.
 */
export function withDeviations(healthy: App, wanted: Deviations, { brand, clock, specs, seed }: SandboxConfig): App {
  const context: FaultContext = { brand, clock, specs, seed, findOperation: createOperationFinder(specs) };
  const find = (kind: string, known: readonly Variant[], id: string): Variant => {
    const found = known.find((one) => one.id === id);
    if (found === undefined) throw new SandboxError(`unknown ${kind} ${JSON.stringify(id)}`);
    return found;
  };
  const chosen = [
    ...wanted.faults.map((id) => find('fault', faults, id)),
    ...wanted.variants.map((id) => find('variant', variants, id)),
  ];
  const app = chosen.reduce((inner, one) => applyToSelectedCalls(one, inner, context), healthy);
  return async (request) => withBrand(await app(request), brand);
}

export type FaultEntry = Omit<Fault, 'where' | 'change'> & { description: string };
/** A variant. Its description is the API text, or our interpretation of it, that allows the variant. */
export type VariantEntry = Omit<FaultEntry, 'alsoViolates'>;

export function listFaults(): readonly FaultEntry[] {
  const descriptions = readFaultDescriptions();
  return faults.map(({ id, requirements, alsoViolates }) => {
    return { id, requirements, alsoViolates, description: descriptions[id] ?? '' };
  });
}

export function listVariants(): readonly VariantEntry[] {
  const freedoms = readFreedoms();
  return variants.map(({ id }) => {
    const { requirements, text, reading } = freedoms.find((one) => one.variants?.includes(id) === true) ?? {};
    const description = text ?? `The API leaves it open: ${reading}.`;
    return { id, requirements: requirements?.split(' ') ?? [], description };
  });
}
