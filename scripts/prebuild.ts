// Stores results that only depend on published files next to the built code, so that the command doesn't need a compiler
// or parser at each start.
import { makeRuntime, nodePorts } from '../generator/src/index.ts';
import { buildEffectiveSpecs, printPaths, readRequirements, storeCreatedTexts } from '../specs/src/index.ts';

const { modelRouter, workflowExecution } = buildEffectiveSpecs();
readRequirements();
await Promise.all([modelRouter, workflowExecution].map(printPaths));
await makeRuntime(nodePorts().files);
await storeCreatedTexts();
