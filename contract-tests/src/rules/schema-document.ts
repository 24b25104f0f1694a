import type { Rule } from '../rule.ts';
import { schemaConditionalRules } from './schema-document/conditional.ts';
import { schemaContentRules } from './schema-document/content.ts';
import { schemaOfEachModelRules } from './schema-document/of-each-model.ts';
import { schemaOfModelRules } from './schema-document/of-its-model.ts';
import { schemaReadingRules } from './schema-document/reading.ts';
import { schemaRevalidationRules } from './schema-document/revalidation.ts';

export const schemaDocumentRules: readonly Rule[] = [
  ...schemaReadingRules,
  ...schemaRevalidationRules,
  ...schemaConditionalRules,
  ...schemaOfModelRules,
  ...schemaOfEachModelRules,
  ...schemaContentRules,
];
