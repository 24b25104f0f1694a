import { join } from 'node:path';
import { type EffectiveSpecs, moduleUrl } from '../../../specs/src/index.ts';
import { loadRules } from '../conform.ts';
import { HarnessError } from '../contract/errors.ts';
import type { Evidence } from '../contract/exchange.ts';
import type { OutcomeKind } from '../contract/finding.ts';
import type { Rule, RuleId } from '../contract/rule.ts';
import type { Target } from '../contract/target.ts';
import { exchangesFolder, type RequestedReports, renderFiles, writeReports } from '../report/render-files.ts';
import type { ConformanceReport } from '../report/report.ts';
import { type ConformanceInput, defaultLimits } from '../run/check.ts';
import { planConformance } from '../run/plan.ts';
import { systemClock } from '../wire/system-clock.ts';
import { assembleReport } from './assemble-report.ts';
import { listCredentials, type ReadHar } from './har.ts';
import type { Entry } from './record.ts';
import { superviseCheck } from './supervise.ts';

export type CheckProgress = {
  readonly done: number;
  readonly total: number;
  /** Number of used runs. A call that was rejected or replayed doesn't count. */
  readonly runs: number;
  readonly atMostMs: number;
  /** Estimated milliseconds until the end; available once a tenth of the rules is decided. */
  readonly leftMs?: number;
};
export type ReportOptions = RequestedReports & {
  readonly stopRequested?: Promise<void>;
  readonly inThisProcess?: boolean;
  /** Adds waivers and the comparison with an earlier check to the report. */
  readonly complete?: (report: ConformanceReport) => ConformanceReport;
};

const notesFile = 'runs.jsonl';
const rulesModule = moduleUrl('contract-tests/src/conform').href;

/**
 * Checks a target over HTTP in a separate process and writes its reports into a folder. For a live target it also
 * writes `runs.jsonl`, which lists each call that may be billed before it is sent. Calls `onProgress` for each call and
 * decision. After `stopRequested`, reports the rules decided so far. Throws `HarnessError` if the folder isn't writable
 * or a file would contain a credential.
 */
export async function conformToFolder(
  input: ConformanceInput,
  folder: string,
  {
    onProgress,
    stopRequested,
    inThisProcess,
    complete = (report) => report,
    ...asked
  }: ReportOptions & { readonly onProgress?: (progress: CheckProgress) => void } = {},
): Promise<ConformanceReport> {
  const rules = await loadRules(input.ownRules);
  const mayBeBilled = input.target.kind === 'live' && (input.target.budget?.runs ?? 0) > 0;
  // Reports that cannot be written would be lost at the end of the check, so try now.
  await writeReports(folder, mayBeBilled ? { [notesFile]: '' } : {});
  const record = await superviseCheck(input, rulesModule, {
    notes: mayBeBilled ? join(folder, notesFile) : undefined,
    onEntry: onProgress && countDecisions(input, rules, onProgress),
    stopRequested,
    inThisProcess,
  });
  const report = complete(assembleReport(record, rules, input));
  await writeReports(folder, await renderFiles(report, input.target, asked), [exchangesFolder]);
  return report;
}

/** Returns a listener for the entries of a check. It reports the progress at each decision, and at the start of each rule or response. */
export function countDecisions(
  input: ConformanceInput,
  rules: readonly Rule[],
  onProgress: (progress: CheckProgress) => void,
): (entry: Entry) => void {
  const planned = planConformance(rules, input.target, input.rules).length;
  const { runMs } = { ...defaultLimits, ...input.limits };
  const startedAtMs = systemClock.now();
  const decided = new Map<RuleId, OutcomeKind>();
  const runs = new Set<number>();
  return (entry) => {
    if (entry.kind === 'opened') decided.clear();
    if (entry.kind === 'run' && entry.record.state === 'returned') runs.delete(entry.index);
    else if (entry.kind === 'run') runs.add(entry.index);
    if (entry.kind === 'decided') decided.set(entry.ruleId, entry.outcome.kind);
    if (entry.kind !== 'decided' && entry.kind !== 'started') return;
    const idle = [...decided.values()].filter((kind) => kind === 'not-applicable').length;
    const [done, total] = [decided.size - idle, planned - idle];
    const passedMs = systemClock.now() - startedAtMs;
    const atMostMs = Math.max(0, runMs - passedMs);
    const leftMs = done * 10 < total ? {} : { leftMs: Math.min(atMostMs, (passedMs / done) * (total - done)) };
    onProgress({ done, total, runs: runs.size, atMostMs, ...leftMs });
  };
}

export type Recording = {
  readonly exchanges: Evidence;
  readonly urls: ReadHar['urls'];
  readonly specs: EffectiveSpecs;
  readonly evidence?: ConformanceInput['evidence'];
  readonly headers?: Target['headers'];
  readonly secrets?: Target['secrets'];
  readonly redact?: Target['redact'];
};

/** Like `conformToFolder`, but only runs the passive rules, on recorded traffic. Throws if the recording is empty. */
export async function checkRecorded(
  { exchanges, urls, specs, evidence, headers = [], secrets = [], redact }: Recording,
  folder: string,
  options: ReportOptions = {},
): Promise<ConformanceReport> {
  if (exchanges.length === 0) throw new HarnessError('the recording contains no calls to these servers');
  const target: Target = {
    kind: 'live',
    ...(urls.router && { router: { url: urls.router, credentials: {} } }),
    ...(urls.workflow && { workflow: { url: urls.workflow, credentials: {}, jobs: {} } }),
    headers,
    ...(redact && { redact }),
    secrets: [...secrets, ...listCredentials(exchanges)],
  };
  // Only passive rules can be applied to recorded traffic.
  const rules = (await loadRules()).filter(({ scenario }) => scenario === undefined).map(({ id }) => id);
  const input = { target, specs, rules, recorded: exchanges, ...(evidence && { evidence }) };
  return conformToFolder(input, folder, options);
}

export async function planCheck(input: ConformanceInput): Promise<ConformanceReport> {
  const rules = await loadRules(input.ownRules);
  const planned: ConformanceInput = { ...input, planOnly: true };
  return assembleReport(await superviseCheck(planned, rulesModule), rules, planned);
}
