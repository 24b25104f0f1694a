import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import { SandboxError } from '../errors.ts';
import { listOf } from '../named-members.ts';
import { withdraw } from '../state/run.ts';
import { parseSettingsChange } from '../state/settings-change.ts';
import { rebuiltCatalog } from './catalog-change.ts';
import { jobRoutes } from './job-routes.ts';
import { type Operator, type OperatorCall, type OperatorRoute, operatorPrefix } from './operator.ts';
import { providerRoutes } from './provider-routes.ts';

export const operatorRoutes: readonly OperatorRoute[] = [
  { method: 'GET', path: '/', description: 'these routes', handle: describeRoutes },
  {
    method: 'GET',
    path: '/clock',
    description: 'the time of the sandbox',
    handle: (_, operator) => tellTime(operator),
  },
  {
    method: 'POST',
    path: '/clock/advance',
    description: 'moves a manual clock on: {"by": "25h"}',
    takes: ['by'],
    handle: ({ body }, operator) => {
      operator.context.config.clock.advance(typeof body['by'] === 'number' ? body['by'] : `${body['by']}`);
      return tellTime(operator);
    },
  },
  {
    method: 'GET',
    path: '/ledger',
    description:
      'dispatches, billed runs and replays, in total, by key and run by run (?runs=N: the newest N, 1000 by default)',
    handle: tellLedger,
  },
  {
    method: 'DELETE',
    path: '/ledger',
    description: 'starts the ledger anew; results and keys stay',
    handle: (call, operator) => {
      operator.context.world.records.turnLedgerPage();
      return tellLedger(call, operator);
    },
  },
  {
    method: 'POST',
    path: '/reset',
    description: 'forgets runs, requests, keys, ledger and settings, as after the start',
    handle: (_, operator) => {
      operator.context.world.reset();
      return tellTime(operator);
    },
  },
  {
    method: 'POST',
    path: '/catalog/rebuild',
    description:
      'rebuilds the catalog, so that cursors die: {"documents": {"<id>": {…}}, "remove": ["<id>"]}, both optional',
    takes: ['documents', 'remove'],
    handle: ({ body }, { context: { world } }) => {
      world.rebuildCatalog(rebuiltCatalog(world.catalog.sources, body));
      return { models: world.catalog.models.length };
    },
  },
  {
    method: 'GET',
    path: '/faults',
    description: 'the faults and variants in force',
    handle: (_, operator) => tellDeviations(operator),
  },
  {
    method: 'PUT',
    path: '/faults',
    description: 'commits these and no others: {"faults": ["<id>"], "variants": ["<id>"]}',
    takes: ['faults', 'variants'],
    handle: ({ body }, operator) => {
      operator.deviate({ faults: listOf(body, 'faults'), variants: listOf(body, 'variants') });
      return tellDeviations(operator);
    },
  },
  {
    method: 'GET',
    path: '/settings',
    description: 'timings, limits and other numbers in force',
    handle: (_, operator) => tellSettings(operator),
  },
  {
    method: 'PUT',
    path: '/settings',
    description: 'changes the named ones: {"timings": {"waitingMs": 0}, "limits": {"inFlight": 2}}; null lifts a limit',
    handle: ({ body }, operator) => {
      const { world } = operator.context;
      world.settings = parseSettingsChange(world.settings, body);
      return tellSettings(operator);
    },
  },
  {
    method: 'POST',
    path: '/requests/{id}/withdraw',
    description: 'withdraws a queued request at once',
    handle: withdrawRequest,
  },
  ...providerRoutes,
  ...jobRoutes,
];

function describeRoutes(): JsonValue {
  return operatorRoutes.map(({ method, path, description }) => ({
    route: `${method} ${operatorPrefix}${path}`,
    description,
  }));
}

function tellTime({ context }: Operator): JsonObject {
  return { now: context.config.clock.now() };
}

function tellLedger({ query }: OperatorCall, { context }: Operator): JsonValue {
  const wanted = query.get('runs') ?? '1000';
  if (!/^\d{1,9}$/.test(wanted)) throw new SandboxError('runs must be a whole number');
  const ledger = context.world.records.ledger(context.config.clock.now(), Number(wanted));
  // A round trip makes plain JSON of it: what is undefined is left out.
  const plain: JsonValue = JSON.parse(JSON.stringify(ledger));
  return plain;
}

function tellDeviations(operator: Operator): JsonObject {
  const { faults, variants } = operator.deviations();
  return { faults: [...faults], variants: [...variants] };
}

function tellSettings({ context }: Operator): JsonValue {
  const plain: JsonValue = JSON.parse(JSON.stringify(context.world.settings));
  return plain;
}

function withdrawRequest({ params }: OperatorCall, { context }: Operator): JsonValue | undefined {
  const { records } = context.world;
  const run = records.findRun(params['id'] ?? '');
  if (run === undefined || run.operation !== 'submit') return undefined;
  const withdrawn = withdraw(run, 0, context.config.clock.now());
  if (withdrawn !== run) records.change(withdrawn);
  return { request_id: run.id, withdrawn: withdrawn.withdrawnAt !== undefined };
}
