import type { Rule } from '../rule.ts';
import { schemaContentRules } from './schema-document/content.ts';
import { schemaTransferRules } from './schema-document/transfer.ts';

export const schemaDocumentRules: readonly Rule[] = [...schemaTransferRules, ...schemaContentRules];
