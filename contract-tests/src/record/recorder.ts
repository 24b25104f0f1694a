import { createHash } from 'node:crypto';
import type { EffectiveSpecs } from '../../../specs/src/index.ts';
import type { Evidence, Exchange, RawHeaders } from '../contract/probe.ts';
import type { RuleOutcome } from '../contract/rule.ts';
import { capabilitiesOf, type Target } from '../contract/target.ts';
import { shellHeaders } from '../report/curl-line.ts';
import { cutExchange, cutTexts } from '../report/cut-texts.ts';
import { recordFindings } from '../report/findings.ts';
import { createHeaderRedactor, createRedactor, type Redactor, redactTree } from '../report/redact.ts';
import type { BodyRecord, ExchangeRecord } from '../report/report.ts';
import { queuedBy } from '../run/cancel-queued.ts';
import { originalOf } from '../run/perform.ts';
import type { Found, Recorder, Work } from '../run/recorder.ts';
import {
  type CheckRecord,
  combine,
  type Decided,
  type Entry,
  exchangesShown,
  type Opened,
  type Shard,
  type Stopped,
} from './record.ts';

export type RecordInput = {
  readonly target: Target;
  readonly specs: EffectiveSpecs;
  readonly rules?: readonly string[];
  readonly shard?: Shard;
  readonly planOnly?: true;
  readonly withoutEvidence?: true;
  readonly recorded?: Evidence;
};
type Beginning = {
  readonly startedAtMs: number;
  /** What earlier beginnings of the check hung at. */
  readonly leftOut?: readonly Stopped[];
  readonly onEntry?: (entry: Entry) => void;
};
export type OpenRecord = Recorder & {
  readonly record: CheckRecord;
  stops(nowMs: number, lost: string | undefined): void;
};

/** Opens the record of a check. Each entry is redacted before it is cut: a cut secret would not be recognised. */
export function openRecord(input: RecordInput, { startedAtMs, leftOut = [], onEntry }: Beginning): OpenRecord {
  const redact = createRedactor(input.target);
  const record: Entry[] = [];
  const add = (entry: Entry): void => {
    record.push(entry);
    onEntry?.(entry);
  };
  const addPlain = (entry: Entry): void => add(cutTexts(redactTree(entry, redact)));
  const exchanges = openExchanges(input, redact, add);
  const decisions = new Map<string, Decided>();
  // A path of the catalog may hold anything.
  const redacted = (work: Work): Work => (work.kind === 'rule' ? work : redactTree(work, redact));
  let known: Work | undefined;
  addPlain(opened(input));
  return {
    record,
    whyLeftOut: (work) => leftOut.find((stop) => stop.work && isSame(stop.work, redacted(work)))?.because,
    starts: (work) => {
      // A rule says so before and after each of its requests.
      if (known !== undefined && isSame(known, work)) return;
      known = work;
      add({ kind: 'started', work: redacted(work) });
    },
    discovers: (found) => addPlain(discovered(found)),
    runs: (index, run) => addPlain({ kind: 'run', index, record: run }),
    exchanges: exchanges.note,
    decides: (outcome) => {
      const earlier = decisions.get(outcome.rule.id);
      const decided = combine(earlier, decide(outcome, { input, redact, exchanges, earlier }));
      decisions.set(outcome.rule.id, decided);
      add(decided);
    },
    stops: (nowMs, lost) =>
      addPlain({ kind: 'stopped', durationMs: nowMs - startedAtMs, ...(lost === undefined ? {} : { lost }) }),
  };
}

export function isSame(one: Work, other: Work): boolean {
  return one.kind === 'rule'
    ? other.kind === 'rule' && one.ruleId === other.ruleId
    : other.kind === 'answer' && one.to === other.to;
}

function opened({ target, specs, rules, shard, planOnly }: RecordInput): Opened {
  return {
    kind: 'opened',
    target: nameParts(target),
    ...(rules && { rules }),
    ...(shard && { shard }),
    ...(planOnly && { planOnly }),
    specs: {
      brand: specs.settings.brand,
      modelRouter: digest(specs.modelRouter),
      workflowExecution: digest(specs.workflowExecution),
    },
  };
}

function digest(document: object): string {
  return `sha256:${createHash('sha256').update(JSON.stringify(document)).digest('hex')}`;
}

/** A target without its secrets: the names of credentials and jobs are all that a report needs. */
function nameParts({ kind, router, workflow, budget, ...target }: Target): Target {
  const names = (values: object): Record<string, string> =>
    Object.fromEntries(Object.keys(values).map((name) => [name, 'given']));
  return {
    kind,
    capabilities: capabilitiesOf({ kind, ...target }),
    ...(budget && { budget }),
    ...(router && { router: { ...router, credentials: names(router.credentials) } }),
    ...(workflow && {
      workflow: {
        url: workflow.url,
        credentials: names(workflow.credentials),
        jobs: names(workflow.jobs),
        ...(workflow.authentication && { authentication: workflow.authentication }),
        ...(workflow.graphs && { graphs: {} }),
      },
    }),
  };
}

function discovered({ reachability, discovery, capabilities, plan }: Found): Entry {
  const { listed, models, problems, isComplete } = discovery;
  const ids = Object.fromEntries(Object.entries(models).map(([kind, model]) => [kind, model.id]));
  return {
    kind: 'discovered',
    reachability,
    discovery: { listed: listed.length, models: ids, problems, isComplete },
    capabilities,
    ...(plan && { plan }),
  };
}

type Deciding = {
  readonly input: RecordInput;
  readonly redact: Redactor;
  readonly exchanges: Exchanges;
  readonly earlier: Decided | undefined;
};

function decide({ rule, outcome, durationMs }: RuleOutcome, deciding: Deciding): Decided {
  const { input, redact, exchanges, earlier } = deciding;
  const { evidence, ...told } = outcome;
  const decided = cutTexts(redactTree(told, redact));
  const isFailed = decided.kind === 'failed';
  // Parts on further models may be a thousand: of those only some exchanges with findings are kept.
  const isKept = earlier === undefined || (isFailed && earlier.evidence.length < exchangesShown);
  return {
    kind: 'decided',
    ruleId: rule.id,
    outcome: isFailed
      ? { ...decided, findings: recordFindings(decided.findings, evidence.map(exchanges.convert), input) }
      : decided,
    evidence: isKept && !input.withoutEvidence ? evidence.map(exchanges.keep) : [],
    durationMs: Math.round(durationMs),
  };
}

type Exchanges = {
  convert(exchange: Exchange): ExchangeRecord;
  keep(exchange: Exchange): Decided['evidence'][number];
  note(exchange: Exchange): void;
};

/** Rules share exchanges: each is converted once, and kept once, when something first names it. */
function openExchanges({ target, recorded }: RecordInput, redact: Redactor, add: (entry: Entry) => void): Exchanges {
  const secrets = { target, redact, redactHeader: createHeaderRedactor(target) };
  // What others have queued is theirs.
  const base = target.kind === 'live' && recorded === undefined ? target.router?.url : undefined;
  // Weak: the exchanges of a part of the catalog are dropped after it.
  const records = new WeakMap<Exchange, ExchangeRecord>();
  const places = new WeakMap<Exchange, number>();
  let count = 0;
  const convert = (named: Exchange): ExchangeRecord => {
    const original = originalOf(named);
    const record = records.get(original) ?? cutExchange(redactTree(exchangeRecord(original, secrets), redact));
    records.set(original, record);
    return { ...record, step: redact(named.step) };
  };
  const keep = (named: Exchange): Decided['evidence'][number] => {
    const original = originalOf(named);
    const at = places.get(original) ?? count++;
    if (!places.has(original)) {
      places.set(original, at);
      const { repeatedAfterMs } = original;
      const queued = base === undefined ? undefined : queuedBy(original, base);
      add({
        kind: 'exchange',
        exchange: convert(original),
        ...(repeatedAfterMs === undefined ? {} : { repeatedAfterMs }),
        ...(queued && { queued: redactTree(queued, redact) }),
      });
    }
    return { at, step: redact(named.step) };
  };
  return {
    convert,
    keep,
    /** What is sent again, or waits at the target, is kept at once. */
    note: (exchange) => {
      const isQueued = base !== undefined && queuedBy(exchange, base) !== undefined;
      if (isQueued || exchange.repeatedAfterMs !== undefined) keep(exchange);
    },
  };
}

type Secrets = {
  readonly target: Target;
  readonly redact: Redactor;
  readonly redactHeader: ReturnType<typeof createHeaderRedactor>;
};

function exchangeRecord(exchange: Exchange, secrets: Secrets): ExchangeRecord {
  const { step, attempt, api, request, result, timing, rebasedFrom } = exchange;
  const credentials = shellHeaders(request.headers, api, secrets);
  const headerRecords = (headers: RawHeaders) => headers.map(([name, value]) => secrets.redactHeader(name, value));
  return {
    step,
    attempt,
    request: {
      method: request.method,
      url: request.url,
      headers: headerRecords(request.headers),
      body: bodyRecord(request.body ?? new Uint8Array()),
      ...(credentials.length === 0 ? {} : { credentials }),
    },
    response:
      result.kind === 'response'
        ? {
            kind: 'response',
            status: result.status,
            headers: headerRecords(result.headers),
            body: bodyRecord(result.body),
          }
        : { kind: 'no-response', because: result.because, detail: result.detail },
    startedAtMs: Math.round(timing.startedAtMs),
    durationMs: Math.round(timing.durationMs),
    ...(result.kind === 'response' && result.waitMs !== undefined ? { waitMs: result.waitMs } : {}),
    ...(rebasedFrom === undefined ? {} : { rebasedFrom }),
  };
}

/** Of a body, before it is redacted; a multiple of what is shown, because redacted text is shorter. */
const bodyReadAtMost = 64 * 1024;

function bodyRecord(body: Uint8Array): BodyRecord {
  if (body.length === 0) return { kind: 'none' };
  const text = decodeText(body);
  if (text === undefined) return { kind: 'binary', sizeBytes: body.length };
  const isCut = text.length > bodyReadAtMost;
  return { kind: 'text', text: text.slice(0, bodyReadAtMost), sizeBytes: body.length, isCut };
}

function decodeText(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
