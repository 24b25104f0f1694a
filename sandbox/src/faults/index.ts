import { assetFaults } from './assets.ts';
import { authenticationFaults } from './authentication.ts';
import { cancelOthersFaults } from './cancel/others.ts';
import { cancelFaults } from './cancel.ts';
import { catalogFaults } from './catalog.ts';
import { collectRepeatedFaults } from './collect/repeated.ts';
import { collectFaults } from './collect.ts';
import type { Fault } from './decorator.ts';
import { errorFaults } from './errors.ts';
import { idempotencyFaults } from './idempotency.ts';
import { modelFaults } from './model.ts';
import { outcomeFaults } from './outcomes.ts';
import { providerFaults } from './providers.ts';
import { quotaFaults } from './quotas.ts';
import { retentionFaults } from './retention.ts';
import { runFaults } from './run.ts';
import { runWideFaults } from './run-wide.ts';
import { schemaDocumentFaults } from './schema-document.ts';
import { statusFaults } from './status.ts';
import { submitFaults } from './submit.ts';
import { wireFaults } from './wire.ts';
import { workflowFaults } from './workflow.ts';

/** Every deliberate violation, a file per family. */
export const faults: readonly Fault[] = [
  ...catalogFaults,
  ...modelFaults,
  ...schemaDocumentFaults,
  ...runFaults,
  ...submitFaults,
  ...statusFaults,
  ...collectFaults,
  ...collectRepeatedFaults,
  ...cancelFaults,
  ...cancelOthersFaults,
  ...errorFaults,
  ...authenticationFaults,
  ...outcomeFaults,
  ...providerFaults,
  ...idempotencyFaults,
  ...quotaFaults,
  ...assetFaults,
  ...workflowFaults,
  ...retentionFaults,
  ...wireFaults,
  ...runWideFaults,
];

export { variants } from './variants.ts';
