import type { Fault } from './decorator.ts';
import { schemaContentFaults } from './schema-document/content.ts';
import { schemaTransferFaults } from './schema-document/transfer.ts';

export const schemaDocumentFaults: readonly Fault[] = [...schemaTransferFaults, ...schemaContentFaults];
