import type { Rule } from '../rule.ts';
import { errorEnvelopeRules } from './errors/envelope.ts';
import { requestIdRules } from './errors/request-id.ts';
import { errorValidationRules } from './errors/validation.ts';
import { errorValidationPathRules } from './errors/validation-paths.ts';

export const errorRules: readonly Rule[] = [
  ...errorEnvelopeRules,
  ...errorValidationRules,
  ...errorValidationPathRules,
  ...requestIdRules,
];
