import { join } from 'node:path';
import { type EffectiveSpecs, isJsonObject } from '../../../specs/src/index.ts';
import { allRules } from '../conform.ts';
import { HarnessError } from '../contract/errors.ts';
import type { OutcomeKind } from '../contract/finding.ts';
import type { Exchange } from '../contract/probe.ts';
import type { RuleId } from '../contract/rule.ts';
import type { Target } from '../contract/target.ts';
import { renderFiles } from '../report/render-files.ts';
import type { ConformanceReport } from '../report/report.ts';
import type { ConformanceInput } from '../run/check.ts';
import { planConformance } from '../run/plan.ts';
import { decodedExchanges } from '../wire/content-coding.ts';
import { openReportFolder, readReportFile } from '../wire/report-files.ts';
import { assembleReport } from './assemble-report.ts';
import { type Bases, credentialsIn } from './har.ts';
import { joinRecords, rulesOfShard } from './parts.ts';
import { type CheckRecord, type Entry, select } from './record.ts';
import { renderHar } from './render-har.ts';
import { superviseCheck } from './supervise.ts';

/** How many of the rules that apply are decided; the total shrinks while it shows which do. */
export type CheckProgress = { readonly done: number; readonly total: number };
/** Adds what the caller knows beside the check: waivers, or an earlier check. */
type Complete = (report: ConformanceReport) => ConformanceReport | Promise<ConformanceReport>;

/** What a part of a check leaves beside its reports. */
const partFile = 'shard.json';
const partFormat = 'switchyard-shard-2';
const notesFile = 'runs.jsonl';
const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const rulesModule = new URL(`../conform.${ending}`, import.meta.url).href;

/**
 * Checks a target over HTTP, in a process that can be ended, and writes its reports into a folder; of a live target also
 * `runs.jsonl`, which names each call that may be billed before it is sent. `onProgress` is called after each decision. Throws
 * `HarnessError` when the folder cannot be written, or when a file would show a credential.
 */
export async function conformToFolder(
  input: ConformanceInput,
  folder: string,
  complete: Complete = (report) => report,
  onProgress?: (progress: CheckProgress) => void,
): Promise<ConformanceReport> {
  const reports = await openReportFolder(folder);
  const mayBeBilled = input.target.kind === 'live' && (input.target.budget?.runs ?? 0) > 0;
  if (mayBeBilled) await reports.write({ [notesFile]: '' });
  const record = await superviseCheck(input, rulesModule, {
    ...(mayBeBilled ? { notes: join(folder, notesFile) } : {}),
    ...(onProgress === undefined ? {} : { onEntry: countDecisions(input, onProgress) }),
  });
  const report = await complete(assembleReport(record, allRules));
  await reports.write(renderFiles(report, input.target));
  if (input.shard !== undefined) {
    const part = { format: partFormat, record: record.filter(({ kind }) => kind !== 'started') };
    await reports.write({ [partFile]: `${JSON.stringify(part)}\n` });
  }
  return report;
}

function countDecisions(
  { shard, target, rules }: ConformanceInput,
  onProgress: (progress: CheckProgress) => void,
): (entry: Entry) => void {
  const planned = planConformance(rulesOfShard(allRules, shard), target, rules).length;
  const decided = new Map<RuleId, OutcomeKind>();
  return (entry) => {
    if (entry.kind === 'opened') decided.clear();
    if (entry.kind !== 'decided') return;
    decided.set(entry.ruleId, entry.outcome.kind);
    const left = [...decided.values()].filter((kind) => kind === 'not-applicable').length;
    onProgress({ done: decided.size - left, total: planned - left });
  };
}

export type Recorded = {
  /** Between any client and the servers at these addresses. */
  readonly exchanges: readonly Exchange[];
  readonly urls: Bases;
  readonly specs: EffectiveSpecs;
  /** What no report may show beside the credentials that were sent. */
  readonly secrets?: readonly string[];
  /** For a gateway: no report shows their values. */
  readonly headers?: Target['headers'];
  /** Writes the traffic as well, without credentials. */
  readonly keepsTraffic: boolean;
};

/** Globs of the rules that read whole checks: all that recorded traffic can show. */
const passive = ['passive.*', 'trace.*'];

/**
 * Applies the rules over whole checks to recorded traffic; nothing is sent. Writes the report, and `recording.har`, into a folder;
 * `complete` is that of `conformToFolder`. Throws like `conformToFolder`, and when nothing was recorded.
 */
export async function checkRecorded(
  recorded: Recorded,
  folder: string,
  complete: Complete = (report) => report,
): Promise<ConformanceReport> {
  const { urls, specs } = recorded;
  const exchanges = decodedExchanges(recorded.exchanges);
  if (exchanges.length === 0) throw new HarnessError('nothing was recorded that belongs to the named servers');
  const target: Target = {
    kind: 'live',
    ...(urls.router && { router: { url: urls.router, credentials: {} } }),
    ...(urls.workflow && { workflow: { url: urls.workflow, credentials: {}, jobs: {} } }),
    headers: recorded.headers ?? [],
    secrets: [...(recorded.secrets ?? []), ...credentialsIn(exchanges)],
  };
  if (recorded.keepsTraffic) {
    const reports = await openReportFolder(folder);
    await reports.write({ 'recording.har': renderHar(exchanges, target) });
  }
  return conformToFolder({ target, specs, rules: passive, recorded: exchanges }, folder, complete);
}

/** What a check would send that could start a run; nothing is written. */
export async function planConformanceRun(input: ConformanceInput): Promise<ConformanceReport> {
  return assembleReport(await superviseCheck({ ...input, planOnly: true }, rulesModule), allRules);
}

/** Merges the parts of a check that lie in these folders, and writes the reports of the whole. Throws `HarnessError`. */
export async function mergeFolders(
  folders: readonly string[],
  out: string,
  complete: Complete = (report) => report,
): Promise<ConformanceReport> {
  const record = joinRecords(await Promise.all(folders.map(readPart)));
  const report = await complete(assembleReport(record, allRules));
  const reports = await openReportFolder(out);
  await reports.write(renderFiles(report, select(record, 'opened')[0]?.target ?? { kind: 'live' }));
  return report;
}

async function readPart(folder: string): Promise<CheckRecord> {
  const text = await readReportFile(folder, partFile);
  if (text === undefined)
    throw new HarnessError(`${folder} holds no ${partFile}: is it the folder of a run with --shard?`);
  const value = parse(text);
  if (!isJsonObject(value) || value['format'] !== partFormat || !Array.isArray(value['record']))
    throw new HarnessError(`${partFile} of ${folder} is damaged, or of another version`);
  // Written by `conformToFolder` in this format.
  return value['record'] as unknown as CheckRecord;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
