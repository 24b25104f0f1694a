import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"type":"object"});
