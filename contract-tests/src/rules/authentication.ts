import type { Rule } from '../rule.ts';
import { authenticationAccessRules } from './authentication/access.ts';
import { authenticationCredentialRules } from './authentication/credentials.ts';
import { authenticationOperationRules } from './authentication/each-operation.ts';

export const authenticationRules: readonly Rule[] = [
  ...authenticationCredentialRules,
  ...authenticationOperationRules,
  ...authenticationAccessRules,
];
