import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileTemplates, packageRoot } from '../../../specs/src/index.ts';
import { concerns } from '../contract/concerns.ts';
import { describeBasis } from '../contract/rule.ts';
import { findRequisite } from '../requires.ts';
import { mayBeBilled } from './curl-line.ts';
import {
  type BodyRecord,
  type ConformanceReport,
  describePlace,
  type ExchangeRecord,
  type FindingRecord,
  type RuleResult,
  reasonOf,
} from './report.ts';
import { citeRequirement, classify, count, describeSettingsReliedOn, type GroupView, viewReport } from './view.ts';

const folder = join(packageRoot(), 'templates/report');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const templates = readdirSync(folder).filter((name) => name.endsWith('.hbs'));
/** Renders a template of `templates/report`. */
export const renderTemplate = await compileTemplates(
  templates.map((name) => [name.slice(0, -'.hbs'.length), read(name)]),
);
const style = readFileSync(join(folder, '../look.css'), 'utf8') + read('report.css');
const script = readFileSync(join(folder, '../look.js'), 'utf8') + read('report.js');

const outcomes = ['failed', 'waived', 'unchecked', 'observed', 'passed'] as const;

/** Renders one self-contained page. Its content security policy only allows its own script, so text from a target cannot run. */
export function renderHtml(report: ConformanceReport): string {
  const view = viewReport(report);
  const rules = report.results
    .map((result) => viewRule(result, report))
    .toSorted((one, other) => outcomes.indexOf(one.shown) - outcomes.indexOf(other.shown));
  const { checked } = report.coverage;
  const failed = report.results.filter((result) => classify(result) === 'failed');
  const touched = new Set(view.groups.filter(({ open }) => open.length > 0).map(({ concern }) => concern));
  const { comparison } = report;
  return renderTemplate('page', {
    ...view,
    title: `${view.headline} · conformance of ${view.addresses.join(' and ')}`,
    policy: `default-src 'none'; img-src data:; style-src '${hash(style)}'; script-src '${hash(script)}'; base-uri 'none'; form-action 'none'`,
    style,
    script,
    target: view.addresses.join(' and '),
    kind: report.target.kind,
    seconds: (report.durationMs / 1000).toFixed(1),
    figures: [
      { kind: 'failed', number: failed.length, says: failed.length === 1 ? 'rule failed' : 'rules failed' },
      { kind: 'failed', number: view.groups.length, says: view.groups.length === 1 ? 'cause' : 'causes' },
      { kind: 'passed', number: checked - failed.length, says: 'rules passed, observed or waived' },
      {
        kind: 'unchecked',
        number: report.coverage.rules - checked,
        says: `rules not checked, of ${report.coverage.rules}`,
      },
    ],
    meanings: [...touched].map((concern) => concerns[concern]),
    causes: view.groups.map((group) => viewCause(group, report)),
    compared:
      comparison &&
      (['new', 'fixed', 'lasting'] as const).map((kind) => {
        const list = comparison[kind];
        return { kind, size: list.length, list };
      }),
    lacking: report.coverage.lacking.map(({ needs, rules, requisites }) => {
      const settings = [...new Set(requisites.flatMap((id) => findRequisite(id).setting ?? []))];
      return { size: count(rules.length, 'rule'), needs, settings, rules };
    }),
    outcomes,
    concerns: [...new Set(rules.map(({ concern }) => concern))],
    rules,
  });
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function viewCause({ example, open, rules, shown, ...group }: GroupView, report: ConformanceReport) {
  return {
    ...group,
    isWaived: open.length === 0,
    isTitled: group.title !== group.cause,
    statements: shown === undefined ? [] : describeSettingsReliedOn(shown),
    rules: rules.map(({ ruleId, sentence }) => ({ ruleId, sentence })),
    cited: shown?.requirements.slice(0, maxSentences).map((id) => cite(id, report)),
    uncited: Math.max(0, (shown?.requirements.length ?? 0) - maxSentences),
    example: example && shown && viewFinding(example, shown),
  };
}

const maxSentences = 2;

function cite(id: string, report: ConformanceReport) {
  return { id, says: citeRequirement(id, report).slice(id.length) };
}

const maxFindings = 3;
const maxCalls = 40;

function viewRule(result: RuleResult, report: ConformanceReport) {
  const { ruleId, concern, sentence, outcome, waiver, waivedBy } = result;
  const shown = classify(result);
  const findings = outcome.kind === 'failed' ? outcome.findings : [];
  const causes = new Set(findings.map(({ cause }) => cause));
  return {
    ruleId,
    sentence,
    waiver,
    waivedBy,
    shown,
    concern: concerns[concern].name,
    searched: [...result.requirements, ...causes].join(' ').toLowerCase(),
    badge: outcome.kind === 'failed' ? shown : outcome.kind,
    grounds: describeBasis(result),
    statements: describeSettingsReliedOn(result),
    cited: result.requirements.map((id) => cite(id, report)),
    reason: outcome.kind === 'failed' ? '' : reasonOf(outcome),
    findings: findings.slice(0, maxFindings).map((finding) => viewFinding(finding, result)),
    more: Math.max(0, findings.length - maxFindings),
  };
}

/** Returns a finding with all calls of its rule in sending order. For a passive rule, returns only the call of the finding. */
function viewFinding(finding: FindingRecord, { calls, evidence }: RuleResult) {
  const about = finding.seen && evidence[finding.seen.exchange];
  const listed = evidence
    .filter((exchange) => calls !== undefined || exchange === about)
    .toSorted((one, other) => one.startedAtMs - other.startedAtMs);
  const startedAtMs = listed[0]?.startedAtMs ?? 0;
  return {
    ...finding,
    place: describePlace(finding),
    calls: listed.slice(0, maxCalls).map((exchange) => {
      const { step, request, response } = exchange;
      return {
        ...viewExchange(exchange, exchange === about ? finding : undefined),
        step,
        isBroken: exchange === about,
        sent: `${request.method} ${request.url}`,
        status: response.kind === 'response' ? String(response.status) : response.because,
        afterMs: exchange.startedAtMs - startedAtMs,
        isBilled: mayBeBilled(exchange),
      };
    }),
    more: Math.max(0, listed.length - maxCalls),
  };
}

type Piece = { readonly text: string; readonly isMarked: boolean };
const piece = (text: string, isMarked = false): Piece => ({ text, isMarked });

/** Returns the texts of a request and its response. Marks the status or the header that the finding is about. */
function viewExchange({ request, response, durationMs }: ExchangeRecord, finding?: FindingRecord) {
  const sent = [`${request.method} ${request.url}`, ...request.headers.map((one) => one.join(': '))].join('\n');
  const asked = { request: sent + printBody(request.body), durationMs };
  if (response.kind === 'no-response') {
    const text = `no response: ${response.because}: ${response.detail}`;
    return { ...asked, answer: [piece(text, finding !== undefined)] };
  }
  const name = finding?.at.header;
  const headers = response.headers.map((one) => piece(one.join(': '), one[0].toLowerCase() === name?.toLowerCase()));
  const isMissing = name !== undefined && !headers.some(({ isMarked }) => isMarked);
  const lines = [
    piece(`status ${response.status}`, finding?.code.startsWith('status-')),
    ...headers,
    ...(isMissing ? [piece(`(no header ${name})`, true)] : []),
  ];
  return { ...asked, answer: [...lines.flatMap((line) => [line, piece('\n')]), piece(printBody(response.body))] };
}

function printBody(body: BodyRecord): string {
  if (body.kind === 'none') return '';
  if (body.kind === 'binary') return `\n(${body.sizeBytes} bytes of binary data)`;
  return `\n${body.text}${body.isCut ? `\n(truncated; ${body.sizeBytes} bytes in total)` : ''}`;
}
