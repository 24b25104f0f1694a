import { catalogCursorFaults } from './catalog/cursors.ts';
import { catalogEntryFaults } from './catalog/entries.ts';
import { catalogLaterPageFaults } from './catalog/later-pages.ts';
import { catalogLimitFaults } from './catalog/limits.ts';
import { catalogPageFaults } from './catalog/pages.ts';
import type { Fault } from './decorator.ts';

export const catalogFaults: readonly Fault[] = [
  ...catalogEntryFaults,
  ...catalogPageFaults,
  ...catalogLimitFaults,
  ...catalogCursorFaults,
  ...catalogLaterPageFaults,
];
