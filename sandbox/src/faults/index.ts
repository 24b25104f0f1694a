import type { Fault, Variant } from './builders/fault.ts';
import * as families from './families.ts';
import * as variantFamilies from './variants/families.ts';

/** Every deliberate violation, by family. */
export const faults: readonly Fault[] = Object.values(families).flat();

/** Every allowed behaviour that looks wrong, by family. */
export const variants: readonly Variant[] = Object.values(variantFamilies).flat();
