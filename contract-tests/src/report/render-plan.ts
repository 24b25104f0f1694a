import type { LiveModel } from '../contract/target.ts';
import type { RunRecord } from '../wire/call.ts';
import { escapeTerminal } from './render-text.ts';
import { type ConformanceReport, shorten } from './report.ts';
import { count } from './view.ts';

/** Maximum length of a displayed model name; some rules request very long ones. */
const maxNameLength = 80;

/** Renders `--plan`: each call that could start a run, and the maximum number of runs. */
export function renderPlan(report: ConformanceReport, models: readonly LiveModel[]): string {
  const { runs = 0, needed = 0, plan = [] } = report.budget ?? {};
  if (report.reachability.kind === 'unreachable')
    return escapeTerminal([`cannot check the target: ${report.reachability.because}`]);
  const started = plan.filter(({ state }) => state !== 'returned').length;
  // Calls that would exceed the budget if the server conforms.
  const unaffordable = new Set<RunRecord>();
  let used = 0;
  for (const call of plan) {
    if (used >= runs) unaffordable.add(call);
    else if (call.state !== 'returned') used += 1;
  }
  const calls = Map.groupBy(plan, ({ ruleId, model, route }) => `${route} ${shorten(model, maxNameLength)}  ${ruleId}`);
  const lines = [...calls].map(([call, group]) => {
    const rejected = group.filter(({ state }) => state === 'returned').length;
    const toRun = group.length - rejected;
    const unsent = group.filter((one) => unaffordable.has(one)).length;
    const parts = [
      ...(toRun > 0 ? [`${toRun} to run`] : []),
      ...(rejected > 0 ? [`${rejected} to be rejected or replayed`] : []),
      ...(runs > 0 && unsent > 0 ? [`${unsent === group.length ? '' : `${unsent} `}not sent: beyond the budget`] : []),
    ];
    return `${call}: ${parts.join(', ')}`;
  });
  const atMost = Math.min(runs, plan.length);
  return escapeTerminal([
    ...lines,
    `${count(plan.length, 'call')} could start a run; a conforming server starts ${count(started, 'run')}`,
    ...(plan.length === 0
      ? []
      : [
          `--budget ${needed} is enough for all of them${needed > started ? ': one run is reserved for calls that must be rejected' : ''}`,
        ]),
    runs === 0
      ? 'with --budget 0, which is the default, no such call is sent'
      : `with --budget ${runs}, the check requests at most ${count(atMost, 'run')}${describeCost(plan, models, atMost)}`,
    ...(models.length > 0 ? [] : explainNaming(report)),
  ]);
}

function explainNaming({ discovery: { models } }: ConformanceReport): readonly string[] {
  const ids = [...new Set(Object.values(models))].map((id) => JSON.stringify(id));
  return [
    `conform.live.models lists no models, and only listed models may run. ${ids.length === 0 ? 'Add' : 'The plan above uses models of the catalog as examples; to allow them to run, add'} this to the configuration:`,
    '  conform: { live: { models: [',
    ...(ids.length === 0 ? ['"provider/model"'] : ids).map(
      (id) => `    { id: ${id}, input: { /* an input that its schema accepts */ } },`,
    ),
    '  ] } }',
    'then run --plan again: with listed models, more rules apply, which start more runs',
  ];
}

/** Uses the prices in the configuration, because the API does not return prices. */
function describeCost(plan: readonly RunRecord[], models: readonly LiveModel[], atMost: number): string {
  const prices = new Map(
    models.flatMap(({ id, maxCostCents }) => (maxCostCents === undefined ? [] : [[id, maxCostCents]])),
  );
  if (prices.size === 0) return '';
  const costs = plan.flatMap(({ model }) => prices.get(model) ?? []).toSorted((one, other) => other - one);
  const cents = costs.slice(0, atMost).reduce((sum, cost) => sum + cost, 0);
  const isPriced = models.every(({ id }) => prices.has(id) || plan.every(({ model }) => model !== id));
  const unpriced = !isPriced ? ', plus runs without a price (maxCostCents in conform.live.models)' : '';
  return `, for ${cents} cents at most${unpriced}`;
}
