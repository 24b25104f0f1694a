import type { Fault } from './decorator.ts';
import { callerKeyFaults } from './idempotency/callers.ts';
import { deadlineKeyFaults } from './idempotency/deadline.ts';
import { keyFormFaults } from './idempotency/keys.ts';
import { recordsKeyFaults } from './idempotency/records.ts';
import { runningKeyFaults } from './idempotency/running.ts';

export const idempotencyFaults: readonly Fault[] = [
  ...runningKeyFaults,
  ...deadlineKeyFaults,
  ...recordsKeyFaults,
  ...keyFormFaults,
  ...callerKeyFaults,
];
