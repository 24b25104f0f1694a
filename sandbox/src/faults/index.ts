import type { Fault, Variant } from './decorator.ts';

export const faults: readonly Fault[] = [];
export const variants: readonly Variant[] = [];
