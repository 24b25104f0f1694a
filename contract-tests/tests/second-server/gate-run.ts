import { setTimeout as pause } from 'node:timers/promises';
import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import type { Exchanger, Ports, WireRequest } from '../../src/contract/exchange.ts';
import { type ConformanceReport, httpPorts, runConformance, type Target } from '../../src/index.ts';
import type { ConformanceInput } from '../../src/run/check.ts';
import { type SecondServer, startServer } from './server.ts';
import type { BugId } from './world.ts';

const stillModel = (id: string, prompt: string) => ({
  id,
  input: { prompt },
  rejectedInput: { prompt: `${prompt} [disallowed]` },
  strictInput: { text_prompt: prompt },
  alternate: {
    provider: 'second-image-provider',
    input: { prompt, negative_prompt: 'fog' },
    drops: ['negative_prompt'],
  },
});

/** Returns the target for the server with the complete configuration of an owner: all credentials, jobs of every kind, and a budget. */
export function liveTarget(server: SecondServer, runs = 20): Target {
  const { routerUrl, workflowUrl, accounts, workflowKeys, jobs, graphs } = server;
  const { freelance, withoutCredits, withoutAccess, ...others } = accounts;
  const named = { ...others, solo: freelance, noCredits: withoutCredits, noAccess: withoutAccess };
  const credentials = Object.fromEntries(Object.entries(named).map(([name, { apiKey }]) => [name, apiKey]));
  const unknown = { revoked: 'rk_main_000000000000000000', expiredToken: 'rt.main.000000000000000000' };
  return {
    kind: 'live',
    router: { url: routerUrl, credentials: { ...credentials, ...unknown } },
    workflow: {
      url: workflowUrl,
      credentials: workflowKeys,
      jobs: {
        save: jobs.saved.id,
        // Ids are configured as they appear in a path.
        api: encodeURIComponent(jobs.submitted.id),
        foreign: jobs.foreign.id,
        expired: jobs.expired.id,
        unreadable: jobs.unreadableVersion.id,
        deleted: jobs.deletedWorkflow.id,
        failing: jobs.damaged.id,
      },
      graphs,
      authentication: 'required',
    },
    stated: { exclusive: true, ceiling: 2 ** 20 },
    budget: {
      runs,
      models: [
        {
          ...stillModel('image-provider/still-1.2', 'a harbour'),
          deterministic: true,
          otherInput: { prompt: 'an island' },
        },
        { id: 'speech-provider/voice_en', input: { text: 'The ferry leaves at nine.' }, deterministic: true },
        { id: 'text-provider/caption.xl', input: {} },
        { id: 'video-provider/clip-2', input: { scene: 'a harbour' } },
        {
          ...stillModel('image-provider/flaky-still', 'fog'),
          barred: true,
          fallback: { value: 'second-image-provider', input: { prompt: 'fog' } },
        },
      ],
    },
  };
}

/** Creates HTTP ports whose waits only take a tenth of their time; the clock skips the remaining time. */
export function hastyPorts(target: Target): Ports {
  let skippedMs = 0;
  const clock = {
    now: () => Date.now() + skippedMs,
    sleep: async (ms: number) => {
      skippedMs += ms * 0.9;
      await pause(ms * 0.1);
    },
  };
  return { ...httpPorts(target), clock };
}

/** Answers a request instead of the server; `send` returns the response of the server. */
export type Change = (request: WireRequest, send: () => ReturnType<Exchanger>) => ReturnType<Exchanger>;
type Setting = Pick<ConformanceInput, 'rules' | 'planOnly'> & {
  readonly bug?: BugId;
  readonly runs?: number | undefined;
  readonly change?: Change;
  /** Changes the configuration of the owner. */
  readonly adapt?: (own: Target) => Target;
};
export type GateRun = {
  readonly report: ConformanceReport;
  readonly dispatched: number;
  readonly failed: readonly string[];
};

/** Runs the gate on a new second server in the role of a live service. `runs` is the budget; by default 20. */
export async function runGate(specs: EffectiveSpecs, setting: Setting = {}): Promise<GateRun> {
  const { bug, runs, change = (_, send) => send(), adapt = (own) => own, ...chosen } = setting;
  const server = await startServer(bug === undefined ? {} : { bugs: [bug] });
  try {
    const target = adapt(liveTarget(server, runs));
    const ports = hastyPorts(target);
    const exchange: Exchanger = (request, deadlineMs) => change(request, () => ports.exchange(request, deadlineMs));
    const report = await runConformance({ target, specs, evidence: 'all', ...chosen }, { ...ports, exchange });
    const failed = report.results.filter(({ outcome }) => outcome.kind === 'failed').map(({ ruleId }) => ruleId);
    return { report, dispatched: server.dispatched.length, failed };
  } finally {
    await server.close();
  }
}
