import type { Rule } from '../rule.ts';
import { schemaContentRules } from './schema-document/content.ts';
import { schemaOfModelRules } from './schema-document/of-its-model.ts';
import { schemaReadingRules } from './schema-document/reading.ts';
import { schemaRevalidationRules } from './schema-document/revalidation.ts';

export const schemaDocumentRules: readonly Rule[] = [
  ...schemaReadingRules,
  ...schemaRevalidationRules,
  ...schemaOfModelRules,
  ...schemaContentRules,
];
