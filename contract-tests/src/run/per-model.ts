import pMap from 'p-map';
import picomatch from 'picomatch';
import { modelPath } from '../contract/discovery.ts';
import { type Rule, wholeRun } from '../contract/rule.ts';
import { get, onKeptConnection } from '../contract/steps.ts';
import type { Check, ModelChoice } from './check.ts';
import type { Planned } from './plan.ts';
import { sendOnce } from './reachability.ts';
import { openLog } from './send.ts';
import { runSession } from './session.ts';

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

/**
 * Applies the rules on single models to these, some at a time, and the rules over whole checks to what comes with it and to
 * the document of each. On a live target it sends only what costs nothing.
 */
export async function checkModels(ids: readonly string[], plan: readonly Planned[], check: Check): Promise<void> {
  const own = plan.filter(({ rule }) => rule.probe === wholeRun || isPerModel(rule, check));
  for (let start = 0; start < ids.length; start += modelsPerPart) {
    if (check.ports.clock.now() >= check.endsAtMs) break;
    const listed = ids.slice(start, start + modelsPerPart);
    const discovery = { ...check.discovery, listed, isPart: true } as const;
    const part = { ...check, discovery, log: openLog() };
    const read = (id: string) => sendOnce(get('router', `${modelPath(id)}/openapi.json`, onKeptConnection), part);
    await pMap(listed, read, { concurrency: readsAtATime });
    await runSession(own, part);
  }
}

function isPerModel(rule: Rule, { target }: Check): boolean {
  return rule.perModel === true && (rule.cost === 'free' || target.kind !== 'live');
}
