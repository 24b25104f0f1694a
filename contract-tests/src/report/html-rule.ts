import { htmlText } from './escape-text.ts';
import {
  type BodyRecord,
  type ConformanceReport,
  type ExchangeRecord,
  type FindingRecord,
  placeOf,
  type RuleResult,
  reasonOf,
} from './report.ts';

/** Of a rule; a page has to stay readable, and the exchanges are beside it. */
const findingsShown = 3;

export function shownOutcome({
  outcome,
  waiver,
}: RuleResult): 'passed' | 'failed' | 'waived' | 'observed' | 'unchecked' {
  if (outcome.kind === 'failed') return waiver === undefined ? 'failed' : 'waived';
  return outcome.kind === 'passed' || outcome.kind === 'observed' ? outcome.kind : 'unchecked';
}

/** A rule of the page: sentence and requirements, and its findings with their exchanges. */
export function renderRule(result: RuleResult, report: ConformanceReport): string {
  const { ruleId, family, sentence, outcome, waiver } = result;
  const shown = shownOutcome(result);
  const findings = outcome.kind === 'failed' ? outcome.findings : [];
  const reason = outcome.kind === 'failed' ? '' : reasonOf(outcome);
  const more = findings.length - findingsShown;
  return `<details class="rule" id="${htmlText(ruleId)}" data-outcome="${shown}" data-family="${htmlText(family)}" data-search="${htmlText(searched(result).toLowerCase())}">
<summary><span class="badge is-${shown}">${htmlText(outcome.kind === 'failed' ? shown : outcome.kind)}</span> <code>${htmlText(ruleId)}</code> ${htmlText(sentence)}</summary>
<ul>${result.requirements.map((id) => requirementItem(id, report)).join('')}</ul>
${waiver === undefined ? '' : `<p>Waived until ${htmlText(waiver.expires)} by ${htmlText(waiver.owner)}: ${htmlText(waiver.reason)}</p>`}
${reason === '' ? '' : `<p>${htmlText(reason)}</p>`}
${findings
  .slice(0, findingsShown)
  .map((finding, index) => renderFinding(finding, index, result))
  .join('\n')}
${more > 0 ? `<p>and ${more} more findings, in result.json</p>` : ''}
</details>`;
}

function searched({ requirements, outcome }: RuleResult): string {
  const causes = outcome.kind === 'failed' ? outcome.findings.map(({ cause }) => cause) : [];
  return [...requirements, ...new Set(causes)].join(' ');
}

function requirementItem(id: string, { requirements }: ConformanceReport): string {
  const known = requirements[id];
  const text = known === undefined ? '' : ` (section ${known.section}): ${known.statement}`;
  return `<li><strong>${htmlText(id)}</strong>${htmlText(text)}</li>`;
}

function renderFinding(finding: FindingRecord, index: number, { ruleId, evidence }: RuleResult): string {
  const { seen } = finding;
  const exchange = seen === undefined ? undefined : evidence[seen.exchange];
  const id = `${ruleId}/curl-${index + 1}`;
  const rows: readonly (readonly [string, string])[] = [
    ...(seen === undefined ? [] : [['request', `${seen.method} ${seen.url}`] as const]),
    ...(seen?.requestId === undefined ? [] : [['request id', seen.requestId] as const]),
    ['expected', finding.expected],
    ['actual', finding.actual],
    ['where', `${placeOf(finding)} (${finding.code})`],
  ];
  return `<div class="finding">
<h3>${htmlText(finding.cause)}</h3>
<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd><code>${htmlText(value)}</code></dd>`).join('')}
<dt>usually</dt><dd>${htmlText(finding.usually)}</dd></dl>
${
  seen === undefined
    ? ''
    : `<pre id="${htmlText(id)}">${htmlText(seen.curl)}</pre>
<p><button type="button" data-copies="${htmlText(id)}">Copy the curl line</button>${seen.notes.map((note) => ` <strong>${htmlText(note)}</strong>`).join(';')}</p>`
}
${exchange === undefined ? '' : `<details><summary>The exchange</summary>${renderExchange(exchange)}</details>`}
</div>`;
}

function renderExchange({ request, response, durationMs }: ExchangeRecord): string {
  const sent = [`${request.method} ${request.url}`, ...headerLines(request.headers), ...bodyLines(request.body)];
  const came =
    response.kind === 'no-response'
      ? [`no answer: ${response.because}: ${response.detail}`]
      : [`status ${response.status}`, ...headerLines(response.headers), ...bodyLines(response.body)];
  return `<h4>Request</h4><pre>${htmlText(sent.join('\n'))}</pre>
<h4>Answer after ${durationMs} ms</h4><pre>${htmlText(came.join('\n'))}</pre>`;
}

function headerLines(headers: readonly (readonly [string, string])[]): readonly string[] {
  return headers.map(([name, value]) => `${name}: ${value}`);
}

function bodyLines(body: BodyRecord): readonly string[] {
  if (body.kind === 'none') return [];
  if (body.kind === 'binary') return ['', `(${body.sizeBytes} bytes that are no text)`];
  return ['', body.text, ...(body.isCut ? [`(cut; ${body.sizeBytes} bytes in all)`] : [])];
}
