import type { Fault } from './decorator.ts';
import { alternateFaults } from './providers/alternate.ts';
import { fallbackFaults } from './providers/fallback.ts';

export const providerFaults: readonly Fault[] = [...alternateFaults, ...fallbackFaults];
