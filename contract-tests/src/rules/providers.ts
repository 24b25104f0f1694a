import type { Rule } from '../rule.ts';
import { alternateRules } from './providers/alternate.ts';
import { fallbackRules } from './providers/fallback.ts';

export const providerRules: readonly Rule[] = [...alternateRules, ...fallbackRules];
