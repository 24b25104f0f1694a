import type { Rule } from '../rule.ts';
import { statusAnswerRules } from './status/answers.ts';
import { statusLifeRules } from './status/life.ts';
import { statusUnknownRules } from './status/unknown.ts';

export const statusRules: readonly Rule[] = [...statusAnswerRules, ...statusLifeRules, ...statusUnknownRules];
