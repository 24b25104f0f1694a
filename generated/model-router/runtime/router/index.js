export { knownCategories } from './categories.js';
export { createModelRouterFor } from './create-router.js';
export { createMemoryKeyStore } from './key-store.js';
export { RouterError, } from './router-error.js';
