import type { Rule } from '../contract/rule.ts';
import { assetRules } from './assets.ts';
import { authenticationRules } from './authentication.ts';
import { bodyRules } from './bodies.ts';
import { cancelRules } from './cancel.ts';
import { catalogRules } from './catalog.ts';
import { collectRules } from './collect.ts';
import { dependencyRules } from './dependencies.ts';
import { errorRules } from './errors.ts';
import { keyRecordRules, keyScopeRules, runningCallRules } from './idempotency.ts';
import { limitRules } from './limits.ts';
import { modelRules } from './model.ts';
import { notFoundRules } from './not-found.ts';
import { outcomeRules } from './outcomes.ts';
import { bodyRules as passiveBodyRules } from './passive/bodies.ts';
import { schemaDocumentRules } from './passive/documents.ts';
import { headerRules } from './passive/headers.ts';
import { internalsRules, secretRules } from './passive/leaks.ts';
import { queueRules } from './passive/queue.ts';
import { statusRules as passiveStatusRules } from './passive/statuses.ts';
import { providerRules } from './providers.ts';
import { quotaRules } from './quotas.ts';
import { retentionRules } from './retention.ts';
import { retryRules, singleRunRules } from './run.ts';
import { schemaConstraintRules, schemaInputRules, schemaReadingRules } from './schema-document.ts';
import { statusRules } from './status.ts';
import { submitRules } from './submit.ts';
import { workflowJobRules } from './workflow/jobs.ts';
import { missingJobRules, workflowRefusalRules } from './workflow/refusals.ts';

export const rules: readonly Rule[] = [
  [catalogRules, modelRules, schemaReadingRules, schemaInputRules, schemaConstraintRules],
  [singleRunRules, retryRules, submitRules, bodyRules, limitRules],
  [statusRules, collectRules, cancelRules, notFoundRules, errorRules, authenticationRules],
  [providerRules, outcomeRules, runningCallRules, keyRecordRules, keyScopeRules, quotaRules, assetRules],
  [workflowJobRules, workflowRefusalRules, missingJobRules, dependencyRules],
  // These rules move the clock by hours, so they come last.
  [retentionRules],
].flat(2);

/** Rules that send nothing and read every exchange of a check. */
export const passiveRules: readonly Rule[] = [
  [headerRules, passiveBodyRules, internalsRules, schemaDocumentRules],
  [passiveStatusRules, secretRules, queueRules],
].flat(2);
