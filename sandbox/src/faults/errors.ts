import type { Fault } from './decorator.ts';
import { errorEnvelopeFaults } from './errors/envelope.ts';
import { errorValidationFaults } from './errors/validation.ts';

export const errorFaults: readonly Fault[] = [...errorEnvelopeFaults, ...errorValidationFaults];
