import type { Rule } from '../../contract/rule.ts';
import { bodyRules } from './bodies.ts';
import { schemaDocumentRules } from './documents.ts';
import { headerRules } from './headers.ts';
import { internalsRules } from './internals.ts';
import { queueRules } from './queue.ts';
import { secretRules } from './secrets.ts';
import { statusRules } from './statuses.ts';

export const passiveRules: readonly Rule[] = [
  ...[headerRules, bodyRules, internalsRules, schemaDocumentRules, statusRules].flat(),
  ...[secretRules, queueRules].flat(),
];
