import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import { type ConformanceReport, httpPorts, runConformance } from '../../src/index.ts';
import { galleryModels } from './gallery.ts';
import { liveTarget } from './live-target.ts';
import { hookedModels } from './models.ts';
import { startServer } from './start.ts';

type Setting = {
  readonly bug?: string;
  readonly withHooks?: boolean;
  readonly runs?: number;
  readonly planOnly?: true;
};

const credential = 'credential-of-the-hooks';
const hookedIds = new Set([...hookedModels, ...galleryModels].map(({ id }) => id));

export type GateRun = {
  readonly report: ConformanceReport;
  /** Runs that the server dispatched, those of the models of its test hooks aside. */
  readonly dispatched: number;
};

/** The gate on a new second server, stated as a deployed service with a budget of twenty runs unless another is given. */
export async function runGate(
  specs: EffectiveSpecs,
  { bug, withHooks = false, runs = 20, planOnly }: Setting = {},
): Promise<GateRun> {
  const server = await startServer({
    ...(bug === undefined ? {} : { bugs: new Set([bug]) }),
    ...(withHooks ? { hooks: true, hooksCredential: credential } : {}),
  });
  try {
    const { hooksUrl } = server;
    const target = {
      ...liveTarget(server, runs),
      ...(hooksUrl === undefined ? {} : { hooks: { url: hooksUrl, credential } }),
    };
    const report = await runConformance(
      { target, specs, evidence: 'all', ...(planOnly && { planOnly }) },
      httpPorts(target),
    );
    const dispatched = server.ledger().dispatched.filter(({ model }) => !hookedIds.has(model)).length;
    return { report, dispatched };
  } finally {
    await server.close();
  }
}

/** The rules that failed, in the order of the report. */
export function failedRules({ report }: GateRun): readonly string[] {
  return report.results.filter(({ outcome }) => outcome.kind === 'failed').map(({ ruleId }) => ruleId);
}
