import type { Rule } from '../rule.ts';
import { catalogCursorRules } from './catalog/cursors.ts';
import { catalogEntryRules } from './catalog/entries.ts';
import { catalogLaterPageRules } from './catalog/later-pages.ts';
import { catalogLimitRules } from './catalog/limits.ts';
import { catalogMadeUpCursorRules } from './catalog/made-up-cursors.ts';
import { catalogPageRules } from './catalog/pages.ts';

export const catalogRules: readonly Rule[] = [
  ...catalogPageRules,
  ...catalogEntryRules,
  ...catalogLimitRules,
  ...catalogCursorRules,
  ...catalogMadeUpCursorRules,
  ...catalogLaterPageRules,
];
