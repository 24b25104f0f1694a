import type { Rule } from '../rule.ts';
import { statusAnswerRules } from './status/answers.ts';
import { statusLifeRules } from './status/life.ts';
import { statusLinkRules } from './status/links.ts';
import { statusOtherRules } from './status/others.ts';
import { statusUnknownRules } from './status/unknown.ts';

export const statusRules: readonly Rule[] = [
  ...statusAnswerRules,
  ...statusLifeRules,
  ...statusLinkRules,
  ...statusOtherRules,
  ...statusUnknownRules,
];
