import { type Redactor, redactTree } from '../../../specs/src/index.ts';
import { memoize } from '../contract/cache.ts';
import { decodeUtf8 } from '../contract/evidence.ts';
import type { Exchange, RawHeaders } from '../contract/exchange.ts';
import type { OutcomeKind } from '../contract/finding.ts';
import type { RuleId } from '../contract/rule.ts';
import type { Target } from '../contract/target.ts';
import { shellHeaders } from '../report/curl-line.ts';
import { recordFindings } from '../report/findings.ts';
import { createReportRedactor, cutExchange, cutTexts, type ReportRedactor } from '../report/redact.ts';
import type { BodyRecord, ConformanceReport, ExchangeRecord, MessageRecord, RuleDecision } from '../report/report.ts';
import type { Capability } from '../requires.ts';
import type { ConformanceInput, Reachability, Recorder } from '../run/check.ts';
import { originOf } from '../run/engine.ts';
import { type QueuedRequest, readQueuedRequest } from '../run/queued-requests.ts';
import type { RunRecord } from '../wire/call.ts';

export type Discovered = {
  readonly kind: 'discovered';
  readonly reachability: Reachability;
  readonly capabilities: readonly Capability[];
  readonly plan?: readonly RunRecord[];
  readonly discovery: ConformanceReport['discovery'] & {
    readonly isComplete: boolean;
    readonly lost: readonly string[];
  };
};

/** Exchange that a decision or the report refers to. It is recorded once, although rules share exchanges. Long bodies are cut. */
export type RecordedExchange = {
  readonly kind: 'exchange';
  readonly exchange: ExchangeRecord;
  readonly repeatedAfterMs?: number;
  readonly queued?: QueuedRequest;
};

/** Decision about a rule; a later one replaces an earlier one. `at`: index of an exchange in the record. */
export type DecidedRule = RuleDecision & {
  readonly kind: 'decided';
  readonly ruleId: RuleId;
  readonly evidence: readonly KeptExchange[];
};

type KeptExchange = { readonly at: number; readonly step: string };

/** End of a check, or of an attempt that was terminated. */
export type Stopped = {
  readonly kind: 'stopped';
  readonly durationMs: number;
  readonly lost?: string;
  /** Why the check was terminated, and at which rule or path. Without `at`, the deadline had passed. */
  readonly because?: string;
  readonly at?: string;
};

export type Entry =
  /** Start of a check. A check that starts again has a new record. */
  | { readonly kind: 'opened'; readonly startedAtMs: number }
  | Discovered
  /**
   * Written before data of the target is processed, so that a hang can be attributed. `at`: id of the rule, or path
   * whose response is processed.
   */
  | { readonly kind: 'started'; readonly at: string }
  | RecordedExchange
  /** A call that could start a run. Written before it is sent, and again after its response. */
  | { readonly kind: 'run'; readonly index: number; readonly record: RunRecord }
  | DecidedRule
  | Stopped;

/** Calls and findings of a check in order: plain data without secrets. All reports are built from it. */
export type CheckRecord = readonly Entry[];

type OfKind<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

export function select<K extends Entry['kind']>(record: CheckRecord, kind: K): readonly OfKind<K>[] {
  return record.filter((entry): entry is OfKind<K> => entry.kind === kind);
}

export function listQueuedRequests(record: CheckRecord): readonly QueuedRequest[] {
  return select(record, 'exchange').flatMap(({ queued }) => queued ?? []);
}

/**
 * Opens the record of a check. Redacts each entry before cutting it, because a cut secret would not be recognised.
 * `skipped`: rules and paths at which earlier attempts hung.
 */
export function openRecord(
  input: ConformanceInput,
  startedAtMs: number,
  skipped: readonly Stopped[] = [],
  onEntry: (entry: Entry) => void = () => undefined,
): Recorder & { readonly record: CheckRecord } {
  const redactor = createReportRedactor(input.target);
  const { redact } = redactor;
  const record: Entry[] = [{ kind: 'opened', startedAtMs }];
  const add = (entry: Entry): void => {
    record.push(entry);
    onEntry(entry);
  };
  const addPlain = (entry: Entry): void => add(cutTexts(redactTree(entry, redact)));
  let count = 0;
  const find = memoize((original: Exchange): { readonly exchange: ExchangeRecord; at?: number } => {
    return { exchange: cutExchange(redactTree(recordExchange(original, input.target, redactor), redact)) };
  });
  const keep = (named: Exchange, queued?: QueuedRequest): KeptExchange => {
    const original = originOf(named);
    const found = find(original);
    const { repeatedAfterMs } = original;
    if (found.at === undefined)
      add({
        kind: 'exchange',
        exchange: found.exchange,
        ...(repeatedAfterMs && { repeatedAfterMs }),
        ...(queued && { queued: redactTree(queued, redact) }),
      });
    found.at ??= count++;
    return { at: found.at, step: redact(named.step) };
  };
  const decisions = new Map<string, DecidedRule>();
  const addDecided = (entry: DecidedRule): void => {
    decisions.set(entry.ruleId, entry);
    add(entry);
  };
  let lastStarted: string | undefined;
  return {
    record,
    // Redacted, because a path may contain any text from the catalog, even a secret.
    findSkipReason: (at) => skipped.find((stop) => stop.at === redact(at))?.because,
    addStart: (at) => {
      // Called before and after each request of a rule.
      if (at !== lastStarted) add({ kind: 'started', at: redact(at) });
      lastStarted = at;
    },
    addDiscovery: ({ reachability, discovery, capabilities, plan }) => {
      const { listed, problems, lost, isComplete } = discovery;
      const models = Object.fromEntries(Object.entries(discovery.models).map(([kind, { id }]) => [kind, id]));
      const found = { listed: listed.length, models, problems, lost, isComplete };
      addPlain({ kind: 'discovered', reachability, discovery: found, capabilities, ...(plan && { plan }) });
    },
    addRun: (index, run) => addPlain({ kind: 'run', index, record: run }),
    addExchange: (exchange) => {
      // Learn the values of configured headers, parameters and members, to redact them in all later entries.
      if (input.target.redact !== undefined) find(exchange);
      // Only cancel requests that this check submitted.
      const queued = input.recorded === undefined ? readQueuedRequest(exchange, input.target) : undefined;
      if (queued || exchange.repeatedAfterMs) keep(exchange, queued);
    },
    addDecision: ({ rule, outcome, durationMs }) => {
      const { evidence, why, foundAt: _, ...details } = outcome;
      const redacted = cutTexts(redactTree(details, redact));
      const isFailed = redacted.kind === 'failed';
      const convert = (named: Exchange) => ({ ...find(originOf(named)).exchange, step: redact(named.step) });
      const findings = isFailed ? recordFindings(redacted.findings, evidence.map(convert), { rule, ...input }) : [];
      const earlier = decisions.get(rule.id);
      const rank = ({ kind }: { readonly kind: OutcomeKind }): number => strongestFirst.indexOf(kind);
      if (earlier === undefined || rank(redacted) < rank(earlier.outcome)) {
        const isWanted = input.evidence === 'all' || (isFailed && input.evidence !== 'none');
        addDecided({
          kind: 'decided',
          ruleId: rule.id,
          outcome: isFailed ? { ...redacted, findings } : redacted,
          ...(why && { why: redactTree(why, redact) }),
          ...(rule.scenario !== undefined && evidence.length > 0 && { calls: evidence.length }),
          evidence: isWanted ? evidence.map((one) => keep(one)) : [],
          durationMs: Math.round(durationMs),
        });
      } else if (earlier.outcome.kind === 'failed' && isFailed) {
        const all = [...earlier.outcome.findings, ...findings.map(({ seen: _, ...finding }) => finding)];
        // Without the exchanges, and limited, because a rule may be applied to a thousand models.
        addDecided({ ...earlier, outcome: { kind: 'failed', findings: all.slice(0, maxFindings) } });
      }
    },
    addStop: (nowMs, lost) =>
      addPlain({ kind: 'stopped', durationMs: nowMs - startedAtMs, ...(lost === undefined ? {} : { lost }) }),
  };
}

const maxFindings = 100;

/** Outcomes in order of precedence: findings, then decisions, then everything else. */
const strongestFirst: readonly OutcomeKind[] = [
  'failed',
  'errored',
  'observed',
  'passed',
  'setup-failed',
  'blocked',
  'not-applicable',
  'not-observable',
];

function recordExchange(exchange: Exchange, target: Target, redactor: ReportRedactor): ExchangeRecord {
  const { step, attempt, api, request, result, timing, rebasedFrom } = exchange;
  const { redactHeader, redactMembers } = redactor;
  const credentials = shellHeaders(request.headers, api, { target, ...redactor });
  const message = (headers: RawHeaders, body: Uint8Array = new Uint8Array()): MessageRecord => ({
    headers: headers.map(([name, value]) => [name, redactHeader(name, value)]),
    body: recordBody(body, redactMembers),
  });
  return {
    step,
    attempt,
    request: {
      method: request.method,
      url: request.url,
      ...message(request.headers, request.body),
      ...(credentials.length === 0 ? {} : { credentials }),
    },
    response:
      result.kind === 'response'
        ? { kind: result.kind, status: result.status, ...message(result.headers, result.body) }
        : result,
    startedAtMs: Math.round(timing.startedAtMs),
    durationMs: Math.round(timing.durationMs),
    ...(result.kind === 'response' && result.waitMs !== undefined ? { waitMs: result.waitMs } : {}),
    ...(rebasedFrom === undefined ? {} : { rebasedFrom }),
  };
}

/** Maximum length to redact. It is longer than what is shown, because redaction shortens texts. */
const maxBodyRead = 256 * 1024;

function recordBody(body: Uint8Array, redactMembers: Redactor): BodyRecord {
  if (body.length === 0) return { kind: 'none' };
  const decoded = decodeUtf8(body);
  if (decoded === undefined) return { kind: 'binary', sizeBytes: body.length };
  const text = redactMembers(decoded);
  const isCut = text.length > maxBodyRead;
  return { kind: 'text', text: text.slice(0, maxBodyRead), sizeBytes: body.length, isCut };
}
