import { assetFaults } from './assets.ts';
import { authenticationFaults } from './authentication.ts';
import type { Fault, Variant } from './builders/fault.ts';
import { catalogFaults, catalogVariants } from './catalog.ts';
import { errorFaults } from './errors.ts';
import { idempotencyFaults } from './idempotency.ts';
import { inputFaults } from './inputs.ts';
import { outcomeFaults } from './outcomes.ts';
import { providerFaults } from './providers.ts';
import { queueFaults, queueVariants } from './queue.ts';
import { schemaDocumentFaults, schemaDocumentVariants } from './schema-document.ts';
import { noiseVariants } from './variants/noise.ts';
import { replyVariants } from './variants/replies.ts';
import { routerVariants } from './variants/router.ts';
import { wireFaults } from './wire.ts';
import { workflowFaults, workflowVariants } from './workflow.ts';

/** Every fault, by family. */
export const faults: readonly Fault[] = [
  ...assetFaults,
  ...authenticationFaults,
  ...catalogFaults,
  ...errorFaults,
  ...idempotencyFaults,
  ...inputFaults,
  ...outcomeFaults,
  ...providerFaults,
  ...queueFaults,
  ...schemaDocumentFaults,
  ...wireFaults,
  ...workflowFaults,
];

/** Every variant, by family. */
export const variants: readonly Variant[] = [
  ...catalogVariants,
  ...noiseVariants,
  ...queueVariants,
  ...routerVariants,
  ...schemaDocumentVariants,
  ...replyVariants,
  ...workflowVariants,
];
