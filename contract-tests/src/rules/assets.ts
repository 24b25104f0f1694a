import type { Rule } from '../rule.ts';
import { assetFamilyRules } from './assets/families.ts';
import { assetHostingRules } from './assets/hosting.ts';

export const assetRules: readonly Rule[] = [...assetHostingRules, ...assetFamilyRules];
