import pMap from 'p-map';
import picomatch from 'picomatch';
import { modelPath } from '../contract/discovery.ts';
import type { Rule, RuleId, RuleOutcome } from '../contract/rule.ts';
import { wholeRun } from '../contract/rule.ts';
import { get, onKeptConnection } from '../contract/steps.ts';
import { combined } from './combine.ts';
import { openLog } from './exchange-log.ts';
import type { Journal } from './journal.ts';
import type { Sender } from './perform.ts';
import type { Planned } from './plan.ts';
import { sendOnce } from './reachability.ts';
import { runSession, type SessionInput } from './session.ts';
import { modelsOfShard, type Shard } from './shards.ts';

/** Which models of the catalog each rule on single models is applied to: all, those of a glob, or so many, evenly spread. */
export type ModelChoice = 'all' | number | string;

export function chosenModels(listed: readonly string[], choice: ModelChoice): readonly string[] {
  const ids = [...new Set(listed)].filter((id) => id.includes('/'));
  if (choice === 'all') return ids;
  if (typeof choice === 'string') {
    const isChosen = picomatch(choice);
    return ids.filter((id) => isChosen(id));
  }
  const every = Math.max(1, ids.length / choice);
  return Array.from({ length: Math.min(ids.length, choice) }, (_, index) => ids[Math.floor(index * every)] ?? '');
}

/** So many models are held in memory, and checked, at a time. */
const modelsPerPart = 100;
const readsAtATime = 8;

export type PerModel = {
  readonly plan: readonly Planned[];
  readonly session: SessionInput;
  readonly sender: Sender;
  readonly choice: ModelChoice;
  readonly shard: Shard | undefined;
};

/**
 * Applies the rules on single models to the chosen ones, some at a time, and the rules over whole runs to what comes with it and to
 * the document of each. On a live target it sends only what costs nothing.
 */
export async function checkModels({ plan, session, sender, choice, shard }: PerModel): Promise<readonly RuleOutcome[]> {
  const ids = modelsOfShard(chosenModels(session.discovery.listed, choice), shard);
  const own = plan.filter(({ rule }) => rule.probe === wholeRun || isPerModel(rule, sender));
  const outcomes = new Map<RuleId, RuleOutcome>();
  const journal: Journal = { ...session.journal, earlier: [], learns: () => undefined, decides: () => undefined };
  for (let start = 0; start < ids.length; start += modelsPerPart) {
    if (sender.ports.clock.now() >= session.endsAtMs) break;
    const listed = ids.slice(start, start + modelsPerPart);
    const part = { ...sender, log: openLog() };
    const read = (id: string) => sendOnce(get('router', `${modelPath(id)}/openapi.json`, onKeptConnection), part);
    await pMap(listed, read, { concurrency: readsAtATime });
    const discovery = { ...session.discovery, listed, isPart: true } as const;
    for (const one of (await runSession(own, { ...session, discovery, journal }, part)).outcomes) add(outcomes, one);
  }
  return [...outcomes.values()];
}

function isPerModel(rule: Rule, { target }: Sender): boolean {
  return rule.perModel === true && (rule.cost === 'free' || target.kind !== 'live');
}

/** Adds outcomes of a part to those of the run. */
export function add(outcomes: Map<RuleId, RuleOutcome>, { rule, outcome, durationMs }: RuleOutcome): void {
  const earlier = outcomes.get(rule.id);
  const light = outcome.kind === 'failed' ? outcome : { ...outcome, evidence: [] };
  outcomes.set(rule.id, {
    rule,
    outcome: earlier === undefined ? light : combined(earlier.outcome, light),
    durationMs: durationMs + (earlier?.durationMs ?? 0),
  });
}
