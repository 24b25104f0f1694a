import { type JsonObject, type JsonValue, readRequirements } from '../../../specs/src/index.ts';
import { operations } from '../app.ts';
import { SandboxError } from '../errors.ts';
import { faults } from '../faults/index.ts';
import { withdraw } from '../state/run.ts';
import { changeSettings } from '../state/settings.ts';
import type { World } from '../state/world.ts';
import { type Admin, type AdminCall, type AdminRoutes, readStrings } from './admin.ts';
import { hookRoutes } from './hook-routes.ts';
import { jobRoutes } from './job-routes.ts';
import { modelRoutes } from './model-routes.ts';
import { stubRoutes, stubWords } from './stub-routes.ts';

export const adminRoutes: AdminRoutes = {
  'GET /__sandbox/': {
    description: 'these routes; a browser gets the console',
    handle: () => Object.entries(adminRoutes).map(([route, { description }]) => ({ route, description })),
  },
  'GET /__sandbox/clock': { description: 'the time of the sandbox', handle: (_, { world }) => showTime(world) },
  'POST /__sandbox/clock/advance': {
    description: 'moves time on: {"by": "25h"}; refused on real time with a database',
    takes: ['by'],
    handle: ({ body }, { world }) => {
      const { by } = body;
      world.config.clock.advance(typeof by === 'number' || typeof by === 'string' ? by : '');
      return showTime(world);
    },
  },
  'GET /__sandbox/ledger': {
    description:
      'dispatches, billed runs and replays, in total, by key and run by run (?runs=N: the newest N, 1000 by default)',
    handle: showLedger,
  },
  'DELETE /__sandbox/ledger': {
    description: 'starts a new ledger; results and keys stay',
    handle: (call, admin) => {
      admin.world.records.startLedgerPage();
      return showLedger(call, admin);
    },
  },
  'POST /__sandbox/reset': {
    description:
      'forgets runs, requests, keys, ledger, settings and stubs, as after the start; clock, faults and variants stay',
    handle: (_, { world }) => {
      world.reset();
      return showTime(world);
    },
  },
  'GET /__sandbox/faults': {
    description: 'the current faults and variants',
    handle: (_, admin) => asJson(admin.deviations()),
  },
  'GET /__sandbox/switches': {
    description: 'what can be switched on: faults and the words of stubs, with the requirements that faults name',
    handle: () => asJson({ operations, stubs: stubWords, faults, requirements: readRequirements() }),
  },
  'PUT /__sandbox/faults': {
    description: 'commits exactly these: {"faults": ["<id>"], "variants": ["<id>"]}',
    takes: ['faults', 'variants'],
    handle: ({ body }, admin) => {
      admin.deviate({ faults: readStrings(body, 'faults'), variants: readStrings(body, 'variants') });
      return asJson(admin.deviations());
    },
  },
  'GET /__sandbox/settings': {
    description: 'the current timings, limits and other numbers',
    handle: (_, { world }) => asJson(world.settings),
  },
  'PUT /__sandbox/settings': {
    description: 'changes the named ones: {"timings": {"waitingMs": 0}, "limits": {"inFlight": 2}}; null lifts a limit',
    handle: ({ body }, { world }) => {
      world.settings = changeSettings(world.settings, body);
      return asJson(world.settings);
    },
  },
  'POST /__sandbox/requests/{id}/withdraw': {
    description: 'withdraws a queued request at once',
    handle: ({ params }, { world }) => {
      const run = world.records.findRun(params['id'] ?? '');
      if (run === undefined || run.operation !== 'submit') return undefined;
      const withdrawn = withdraw(run, 0, world.config.clock.now());
      if (withdrawn !== run) world.records.change(withdrawn);
      return { request_id: run.id, withdrawn: withdrawn.withdrawnAt !== undefined };
    },
  },
  ...hookRoutes,
  ...modelRoutes,
  ...stubRoutes,
  ...jobRoutes,
};

function showTime({ config }: World): JsonObject {
  return { now: config.clock.now() };
}

function showLedger({ query }: AdminCall, { world }: Admin): JsonValue {
  const runs = query.get('runs') ?? '1000';
  if (!/^\d{1,9}$/.test(runs)) throw new SandboxError('runs must be a whole number');
  return asJson(world.records.ledger(world.config.clock.now(), Number(runs)));
}

/** A round trip through JSON removes members that are undefined. */
function asJson(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value));
}
