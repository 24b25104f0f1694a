import type { Variant } from './decorator.ts';
import { catalogVariants } from './variants/catalog.ts';
import { headerVariants } from './variants/headers.ts';
import { jsonVariants } from './variants/json.ts';
import { modelRouterVariants } from './variants/model-router.ts';
import { queueVariants } from './variants/queue.ts';
import { workflowVariants } from './variants/workflow.ts';

/** Every allowed behaviour that looks wrong. */
export const variants: readonly Variant[] = [
  ...jsonVariants,
  ...catalogVariants,
  ...headerVariants,
  ...modelRouterVariants,
  ...queueVariants,
  ...workflowVariants,
];
