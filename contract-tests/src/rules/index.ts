import type { Rule } from '../contract/rule.ts';
import { assetRules } from './assets.ts';
import { authenticationRules } from './authentication.ts';
import { bodyRules } from './bodies.ts';
import { cancelRules } from './cancel.ts';
import { catalogRules } from './catalog.ts';
import { collectRules } from './collect.ts';
import { dependencyRules } from './dependencies.ts';
import { errorRules } from './errors.ts';
import { keyScopeRules } from './idempotency/key-scope.ts';
import { keyRecordRules, runningCallRules } from './idempotency/records.ts';
import { limitRules } from './limits.ts';
import { modelRules } from './model.ts';
import { notFoundRules } from './not-found.ts';
import { outcomeFailureRules } from './outcomes/failures.ts';
import { outcomeResultRules } from './outcomes/results.ts';
import { providerRules } from './providers.ts';
import { quotaRules } from './quotas.ts';
import { retentionRules } from './retention.ts';
import { retryRules, singleRunRules } from './run.ts';
import { schemaConstraintRules, schemaInputRules } from './schema-document/inputs.ts';
import { schemaReadingRules } from './schema-document/reading.ts';
import { statusRules } from './status.ts';
import { submitRules } from './submit.ts';
import { workflowJobRules } from './workflow/jobs.ts';
import { missingJobRules, workflowRefusalRules } from './workflow/refusals.ts';

export const rules: readonly Rule[] = [
  ...[catalogRules, modelRules].flat(),
  ...[schemaReadingRules, schemaInputRules, schemaConstraintRules].flat(),
  ...[singleRunRules, retryRules, submitRules, bodyRules, limitRules].flat(),
  ...[statusRules, collectRules, cancelRules, notFoundRules].flat(),
  ...[errorRules, authenticationRules].flat(),
  ...[providerRules, outcomeFailureRules, outcomeResultRules].flat(),
  ...[runningCallRules, keyRecordRules, keyScopeRules, quotaRules, assetRules].flat(),
  ...[workflowJobRules, workflowRefusalRules, missingJobRules].flat(),
  ...dependencyRules,
  // These rules move the clock by hours, so they come last.
  ...retentionRules,
];
