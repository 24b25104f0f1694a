import type { Judged } from '../engine/session.ts';
import type { Outcome } from '../finding.ts';
import type { Exchange, RawHeaders } from '../probe.ts';
import { type Redactor, redactHeader } from './redact.ts';
import type { BodyRecord, ExchangeRecord, OutcomeRecord, RuleResult } from './report.ts';

const bodyExcerptLength = 2_000;

/** What a rule came to, as plain JSON without secrets: the only form that leaves the engine. */
export function recordOf({ rule, outcome, durationMs }: Judged, redact: Redactor): RuleResult {
  return {
    ruleId: rule.id,
    family: rule.family,
    requirements: rule.requirements,
    cost: rule.cost,
    outcome: outcomeRecord(outcome, redact),
    evidence: 'evidence' in outcome ? outcome.evidence.map((exchange) => exchangeRecord(exchange, redact)) : [],
    durationMs: Math.round(durationMs),
  };
}

export function withoutEvidence(judged: Judged): Judged {
  return 'evidence' in judged.outcome ? { ...judged, outcome: { ...judged.outcome, evidence: [] } } : judged;
}

function outcomeRecord(outcome: Outcome, redact: Redactor): OutcomeRecord {
  switch (outcome.kind) {
    case 'passed':
      return { kind: 'passed' };
    case 'failed':
      return {
        kind: 'failed',
        findings: outcome.findings.map((one) => ({
          ...one,
          expected: redact(one.expected),
          actual: redact(one.actual),
        })),
      };
    case 'observed':
      return { kind: 'observed', observation: redact(outcome.observation) };
    case 'not-observable':
    case 'not-applicable':
      return { kind: outcome.kind, because: redact(outcome.because) };
    case 'blocked':
      return { kind: 'blocked', by: outcome.by };
    case 'setup-failed':
      return { kind: 'setup-failed', reason: redact(outcome.reason) };
    case 'errored':
      return { kind: 'errored', message: redact(outcome.message) };
  }
}

function exchangeRecord(
  { step, attempt, request, result, timing, rebasedFrom }: Exchange,
  redact: Redactor,
): ExchangeRecord {
  return {
    step,
    attempt,
    request: {
      method: request.method,
      url: redact(request.url),
      headers: headerRecords(request.headers, redact),
      body: bodyRecord(request.body ?? new Uint8Array(), redact),
    },
    response:
      result.kind === 'response'
        ? {
            kind: 'response',
            status: result.status,
            headers: headerRecords(result.headers, redact),
            body: bodyRecord(result.body, redact),
          }
        : { kind: 'no-response', because: result.because, detail: redact(result.detail) },
    durationMs: Math.round(timing.durationMs),
    ...(rebasedFrom === undefined ? {} : { rebasedFrom: redact(rebasedFrom) }),
  };
}

function headerRecords(headers: RawHeaders, redact: Redactor): readonly (readonly [string, string])[] {
  return headers.map(([name, value]) => redactHeader(name, value, redact));
}

function bodyRecord(body: Uint8Array, redact: Redactor): BodyRecord {
  if (body.length === 0) return { kind: 'none' };
  const decoded = decodeText(body);
  if (decoded === undefined) return { kind: 'binary', sizeBytes: body.length };
  // Redacted before it is cut: a cut secret would no longer be recognised.
  const text = redact(decoded);
  return {
    kind: 'text',
    text: text.slice(0, bodyExcerptLength),
    sizeBytes: body.length,
    isCut: text.length > bodyExcerptLength,
  };
}

function decodeText(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
