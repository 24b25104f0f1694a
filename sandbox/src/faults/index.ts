import { assetFaults } from './assets.ts';
import { authenticationFaults } from './authentication.ts';
import { bodyFaults } from './bodies.ts';
import type { Fault, Variant } from './builders/fault.ts';
import { cancelFaults } from './cancel.ts';
import { catalogFaults } from './catalog.ts';
import { catalogPagingFaults } from './catalog-paging.ts';
import { collectFaults } from './collect.ts';
import { errorFaults } from './errors.ts';
import { idempotencyKeyFaults } from './idempotency-keys.ts';
import { idempotencyRecordFaults } from './idempotency-records.ts';
import { idempotencyRunningFaults } from './idempotency-running.ts';
import { inputConstraintFaults } from './input-constraints.ts';
import { limitFaults } from './limits.ts';
import { modelFaults } from './model.ts';
import { openPointFaults } from './open-points.ts';
import { outcomeFaults } from './outcomes.ts';
import { outcomeOfRequestFaults } from './outcomes-of-requests.ts';
import { providerFaults } from './providers.ts';
import { quotaFaults } from './quotas.ts';
import { refusalDetailFaults } from './refusal-details.ts';
import { retentionFaults } from './retention.ts';
import { runKeyFaults } from './run-keys.ts';
import { runRefusalFaults } from './run-refusals.ts';
import { runResultFaults } from './run-results.ts';
import { schemaDocumentFaults } from './schema-document.ts';
import { schemaDocumentCachingFaults } from './schema-document-caching.ts';
import { statusFaults } from './status.ts';
import { submitFaults } from './submit.ts';
import { catalogVariants } from './variants/catalog.ts';
import { headerVariants } from './variants/headers.ts';
import { jsonVariants } from './variants/json.ts';
import { queueVariants } from './variants/queue.ts';
import { routerVariants } from './variants/router.ts';
import { schemaDocumentVariants } from './variants/schema-documents.ts';
import { transientVariants } from './variants/transient.ts';
import { workflowVariants } from './variants/workflow.ts';
import { wireFaults } from './wire.ts';
import { workflowAccessFaults } from './workflow-access.ts';
import { workflowJobFaults } from './workflow-jobs.ts';

/** Every deliberate violation, by family. */
export const faults: readonly Fault[] = [
  catalogFaults,
  catalogPagingFaults,
  modelFaults,
  schemaDocumentFaults,
  schemaDocumentCachingFaults,
  runResultFaults,
  runRefusalFaults,
  runKeyFaults,
  bodyFaults,
  limitFaults,
  openPointFaults,
  inputConstraintFaults,
  refusalDetailFaults,
  submitFaults,
  statusFaults,
  collectFaults,
  cancelFaults,
  errorFaults,
  authenticationFaults,
  outcomeFaults,
  outcomeOfRequestFaults,
  providerFaults,
  idempotencyRunningFaults,
  idempotencyRecordFaults,
  idempotencyKeyFaults,
  quotaFaults,
  assetFaults,
  workflowJobFaults,
  workflowAccessFaults,
  retentionFaults,
  wireFaults,
].flat();

/** Every allowed behaviour that looks wrong, by family. */
export const variants: readonly Variant[] = [
  catalogVariants,
  headerVariants,
  jsonVariants,
  queueVariants,
  routerVariants,
  schemaDocumentVariants,
  transientVariants,
  workflowVariants,
].flat();
