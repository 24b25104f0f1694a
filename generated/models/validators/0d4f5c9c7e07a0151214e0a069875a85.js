import { createValidator } from '../validation/validator.js';

export const validator = /* @__PURE__ */ createValidator({"type":"object","properties":{"prompt":{"type":"string","minLength":1},"options":{"type":"object","additionalProperties":true}},"required":["prompt"]});
