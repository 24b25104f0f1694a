import type { Fault } from './decorator.ts';
import { schemaConditionalFaults } from './schema-document/conditional.ts';
import { schemaContentFaults } from './schema-document/content.ts';
import { schemaOfModelFaults } from './schema-document/of-its-model.ts';
import { schemaOfOneModelFaults } from './schema-document/of-one-model.ts';
import { schemaTransferFaults } from './schema-document/transfer.ts';

export const schemaDocumentFaults: readonly Fault[] = [
  ...schemaTransferFaults,
  ...schemaContentFaults,
  ...schemaOfModelFaults,
  ...schemaConditionalFaults,
  ...schemaOfOneModelFaults,
];
