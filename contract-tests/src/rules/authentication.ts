import type { Rule } from '../rule.ts';
import { authenticationAccessRules } from './authentication/access.ts';
import { authenticationCredentialRules } from './authentication/credentials.ts';

export const authenticationRules: readonly Rule[] = [...authenticationCredentialRules, ...authenticationAccessRules];
