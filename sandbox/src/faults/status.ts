import type { Fault } from './decorator.ts';
import { statusAnswerFaults } from './status/answers.ts';
import { statusLifeFaults } from './status/life.ts';
import { statusOtherFaults } from './status/others.ts';
import { statusUnknownFaults } from './status/unknown.ts';

export const statusFaults: readonly Fault[] = [
  ...statusAnswerFaults,
  ...statusLifeFaults,
  ...statusUnknownFaults,
  ...statusOtherFaults,
];
