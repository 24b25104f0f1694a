export { catalogVariants } from './catalog.ts';
export { headerVariants } from './headers.ts';
export { jsonVariants } from './json.ts';
export { queueVariants } from './queue.ts';
export { routerVariants } from './router.ts';
export { schemaDocumentVariants } from './schema-documents.ts';
export { transientVariants } from './transient.ts';
export { workflowVariants } from './workflow.ts';
