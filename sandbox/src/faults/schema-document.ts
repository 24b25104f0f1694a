import type { Fault } from './decorator.ts';
import { schemaContentFaults } from './schema-document/content.ts';
import { schemaOfModelFaults } from './schema-document/of-its-model.ts';
import { schemaTransferFaults } from './schema-document/transfer.ts';

export const schemaDocumentFaults: readonly Fault[] = [
  ...schemaTransferFaults,
  ...schemaContentFaults,
  ...schemaOfModelFaults,
];
