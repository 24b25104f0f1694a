import type { EffectiveSpecs } from '../../../../specs/src/index.ts';
import { createContext } from '../../contract/context.ts';
import { emptyDiscovery } from '../../contract/discovery.ts';
import type { Evidence } from '../../contract/exchange.ts';
import type { Outcome } from '../../contract/finding.ts';
import type { Rule, RuleId } from '../../contract/rule.ts';
import { meets, type Target } from '../../contract/target.ts';
import { decideWholeCheck } from '../../run/engine.ts';
import { bodyRules } from './bodies.ts';
import { schemaDocumentRules } from './documents.ts';
import { headerRules } from './headers.ts';
import { identifierAndReplayRules } from './identifiers.ts';
import { internalsRules } from './internals.ts';
import { queueRules } from './queue.ts';
import { secretRules } from './secrets.ts';
import { statedRules } from './stated.ts';
import { statusRules } from './statuses.ts';
import { workflowRules } from './workflow.ts';

export const passiveRules: readonly Rule[] = [
  ...headerRules,
  ...bodyRules,
  ...internalsRules,
  ...schemaDocumentRules,
  ...statusRules,
  ...secretRules,
  ...identifierAndReplayRules,
  ...workflowRules,
  ...queueRules,
  ...statedRules,
];

export function checkExchanges(
  evidence: Evidence,
  { target, specs }: { readonly target: Target; readonly specs: EffectiveSpecs },
): readonly { readonly ruleId: RuleId; readonly outcome: Outcome }[] {
  const context = createContext(target, specs, emptyDiscovery);
  const run = [...evidence]; // Responses are cached per list, and the caller's list may grow.
  return passiveRules
    .filter((rule) => rule.requires.every((condition) => meets(target, condition)))
    .map((rule) => ({ ruleId: rule.id, outcome: decideWholeCheck(rule, run, context) }));
}
