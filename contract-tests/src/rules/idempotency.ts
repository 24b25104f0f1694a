import type { Rule } from '../rule.ts';
import { idempotencyCallerRules } from './idempotency/callers.ts';
import { idempotencyKeyRules } from './idempotency/keys.ts';
import { idempotencyRecordRules } from './idempotency/records.ts';
import { idempotencyRunningRules } from './idempotency/running.ts';

export const idempotencyRules: readonly Rule[] = [
  ...idempotencyRunningRules,
  ...idempotencyRecordRules,
  ...idempotencyKeyRules,
  ...idempotencyCallerRules,
];
