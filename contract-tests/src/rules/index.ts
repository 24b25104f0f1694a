import type { Rule } from '../rule.ts';
import { assetRules } from './assets.ts';
import { authenticationRules } from './authentication.ts';
import { cancelRules } from './cancel.ts';
import { catalogRules } from './catalog.ts';
import { collectRules } from './collect.ts';
import { errorRules } from './errors.ts';
import { idempotencyRules } from './idempotency.ts';
import { modelRules } from './model.ts';
import { outcomeRules } from './outcomes.ts';
import { providerRules } from './providers.ts';
import { quotaRules } from './quotas.ts';
import { retentionRules } from './retention.ts';
import { runRules } from './run.ts';
import { schemaDocumentRules } from './schema-document.ts';
import { statusRules } from './status.ts';
import { submitRules } from './submit.ts';
import { workflowRules } from './workflow.ts';

/** Every rule of the gate, family by family. */
export const rules: readonly Rule[] = [
  ...catalogRules,
  ...modelRules,
  ...schemaDocumentRules,
  ...runRules,
  ...submitRules,
  ...statusRules,
  ...collectRules,
  ...cancelRules,
  ...errorRules,
  ...authenticationRules,
  ...outcomeRules,
  ...providerRules,
  ...idempotencyRules,
  ...quotaRules,
  ...assetRules,
  ...workflowRules,
  // Hours pass there: whatever is to be seen before comes before.
  ...retentionRules,
];
