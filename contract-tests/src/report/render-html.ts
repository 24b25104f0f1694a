import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot, visibleText } from '../../../specs/src/index.ts';
import { describeGrounds } from '../contract/readings.ts';
import {
  type BodyRecord,
  type Comparison,
  type ConformanceReport,
  describePlace,
  type ExchangeRecord,
  type FindingRecord,
  type RuleResult,
  reasonOf,
} from './report.ts';
import { citeRequirement, classify, type GroupView, type ReportView, viewReport } from './view.ts';

/**
 * One page that needs nothing beside it: what passed by family, findings by cause, and every rule with its requirements,
 * findings and exchanges. Its policy forbids every script but its own, whatever a target sent.
 */
export function renderHtml(report: ConformanceReport): string {
  const { style, script } = readPageAssets();
  const view = viewReport(report, 'the rules below');
  const policy = `default-src 'none'; style-src '${hash(style)}'; script-src '${hash(script)}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(`${view.headline} · conformance of ${view.addresses.join(' and ')}`)}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#rules">Skip to the rules</a>
<header>
${renderHead(report, view)}
</header>
<main>
${renderCauses(view.groups)}
${renderFamilies(report)}
${renderRules(report)}
</main>
<script type="module">${script}</script>
</body>
</html>
`;
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function renderHead(report: ConformanceReport, { headline, addresses, coverage, notices }: ReportView): string {
  const { target, results, comparison } = report;
  return `<h1>Conformance of ${escapeHtml(addresses.join(' and '))} (${target.kind})</h1>
<p class="verdict">${escapeHtml(headline)}</p>
<p>${escapeHtml(coverage)}, in ${(report.durationMs / 1000).toFixed(1)} s</p>
${renderBar(results)}
${renderList(notices.map(escapeHtml))}
${comparison === undefined ? '' : renderCompared(comparison)}`;
}

function renderCompared(comparison: Comparison): string {
  return (['new', 'fixed'] as const)
    .filter((kind) => comparison[kind].length > 0)
    .map((kind) => {
      const items = comparison[kind].map(({ ruleId, cause }) => `${linkTo(ruleId)} ${escapeHtml(cause)}`);
      return `<details><summary>${comparison[kind].length} ${kind} since the earlier check</summary>${renderList(items)}</details>`;
    })
    .join('\n');
}

function renderList(items: readonly string[]): string {
  return items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}

function linkTo(ruleId: string): string {
  return `<a href="#${escapeHtml(ruleId)}"><code>${escapeHtml(ruleId)}</code></a>`;
}

function renderCauses(groups: readonly GroupView[]): string {
  if (groups.length === 0) return '';
  const renderCause = ({ cause, usually, size, rules }: GroupView): string => {
    const items = rules.map(({ ruleId, sentence }) => `${linkTo(ruleId)} ${escapeHtml(sentence)}`);
    return `<details class="cause"><summary><strong>${escapeHtml(cause)}</strong> <span class="soft">${size}</span></summary>
<p>Usually: ${escapeHtml(usually)}.</p>
${renderList(items)}</details>`;
  };
  return `<section aria-labelledby="causes"><h2 id="causes">Findings by cause</h2>
${groups.map(renderCause).join('\n')}
</section>`;
}

const outcomeGroups = ['passed', 'observed', 'waived', 'failed', 'unchecked'] as const;

/** A bar of the outcomes, by their share. */
function renderBar(results: readonly RuleResult[]): string {
  const outcomes = results.map(classify);
  const parts = outcomeGroups
    .map((kind) => ({ kind, count: outcomes.filter((one) => one === kind).length }))
    .filter(({ count }) => count > 0);
  const label = parts.map(({ kind, count }) => `${count} ${kind}`).join(', ');
  // A style attribute would need a looser policy than one for style sheets; SVG attributes need none.
  let at = 0;
  const shares = parts.map(({ kind, count }) => {
    const rectangle = `<rect class="is-${kind}" x="${at}" y="0" width="${count}" height="1"/>`;
    at += count;
    return rectangle;
  });
  return `<svg class="bar" role="img" aria-label="${escapeHtml(label || 'no rule')}" viewBox="0 0 ${Math.max(1, at)} 1" preserveAspectRatio="none">${shares.join('')}</svg>`;
}

function renderFamilies({ results }: ConformanceReport): string {
  const rows = [...Map.groupBy(results, ({ family }) => family)].map(([family, own]) => {
    const outcomes = own.map(classify);
    const number = (...kinds: readonly string[]): number => outcomes.filter((one) => kinds.includes(one)).length;
    return `<tr><th scope="row"><button type="button" data-shows="${escapeHtml(family)}">${escapeHtml(family)}</button></th><td class="wide">${renderBar(own)}</td><td class="number">${number('failed')}</td><td class="number wide">${number('waived')}</td><td class="number">${number('passed', 'observed')}</td><td class="number">${number('unchecked')}</td></tr>`;
  });
  return `<section aria-labelledby="families"><h2 id="families">Outcome by family</h2>
<table><thead><tr><th scope="col">family</th><th scope="col" class="wide">share</th><th scope="col">failed</th><th scope="col" class="wide">waived</th><th scope="col">passed</th><th scope="col">not checked</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>
</section>`;
}

function renderRules(report: ConformanceReport): string {
  const families = [...new Set(report.results.map(({ family }) => family))];
  const option = (value: string): string => `<option value="${escapeHtml(value)}">${escapeHtml(value)}</option>`;
  const order: readonly string[] = ['failed', 'waived', 'unchecked', 'observed', 'passed'];
  const sorted = report.results.toSorted((one, other) => order.indexOf(classify(one)) - order.indexOf(classify(other)));
  return `<section aria-labelledby="rules"><h2 id="rules">Rules</h2>
<div class="controls" id="controls" hidden>
<div><label for="search">Search (press /)</label><input id="search" type="search" autocomplete="off"></div>
<div><label for="outcome">Outcome</label><select id="outcome"><option value="">all</option>${order.map(option).join('')}</select></div>
<div><label for="family">Family</label><select id="family"><option value="">all</option>${families.map(option).join('')}</select></div>
<p id="shown" role="status"></p>
</div>
${sorted.map((result) => renderRule(result, report)).join('\n')}
</section>`;
}

/** Of a rule; a page has to stay readable, and the exchanges are beside it. */
const findingsShown = 3;

/** A rule of the page: sentence and requirements, and its findings with their exchanges. */
function renderRule(result: RuleResult, report: ConformanceReport): string {
  const { ruleId, family, sentence, outcome, waiver } = result;
  const shown = classify(result);
  const findings = outcome.kind === 'failed' ? outcome.findings : [];
  const reason = outcome.kind === 'failed' ? '' : reasonOf(outcome);
  const more = findings.length - findingsShown;
  return `<details class="rule" id="${escapeHtml(ruleId)}" data-outcome="${shown}" data-family="${escapeHtml(family)}" data-search="${escapeHtml(listSearched(result).toLowerCase())}">
<summary><span class="badge is-${shown}">${escapeHtml(outcome.kind === 'failed' ? shown : outcome.kind)}</span> <code>${escapeHtml(ruleId)}</code> ${escapeHtml(sentence)}</summary>
<p>The rule ${escapeHtml(describeGrounds(result))}</p>
<ul>${result.requirements.map((id) => `<li><strong>${escapeHtml(id)}</strong>${escapeHtml(citeRequirement(id, report).slice(id.length))}</li>`).join('')}</ul>
${waiver === undefined ? '' : `<p>Waived until ${escapeHtml(waiver.expires)} by ${escapeHtml(waiver.owner)}: ${escapeHtml(waiver.reason)}</p>`}
${reason === '' ? '' : `<p>${escapeHtml(reason)}</p>`}
${findings
  .slice(0, findingsShown)
  .map((finding, index) => renderFinding(finding, index, result))
  .join('\n')}
${more > 0 ? `<p>and ${more} more findings, in result.json</p>` : ''}
</details>`;
}

function listSearched({ requirements, outcome }: RuleResult): string {
  const causes = outcome.kind === 'failed' ? outcome.findings.map(({ cause }) => cause) : [];
  return [...requirements, ...new Set(causes)].join(' ');
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
    ['where', `${describePlace(finding)} (${finding.code})`],
  ];
  return `<div class="finding">
<h3>${escapeHtml(finding.cause)}</h3>
<dl>${rows.map(([name, value]) => `<dt>${name}</dt><dd><code>${escapeHtml(value)}</code></dd>`).join('')}
<dt>usually</dt><dd>${escapeHtml(finding.usually)}</dd></dl>
${
  seen === undefined
    ? ''
    : `<pre id="${escapeHtml(id)}">${escapeHtml(seen.curl)}</pre>
<p><button type="button" data-copies="${escapeHtml(id)}">Copy the curl line</button>${seen.notes.map((note) => ` <strong>${escapeHtml(note)}</strong>`).join(';')}</p>`
}
${exchange === undefined ? '' : `<details><summary>The exchange</summary>${renderExchange(exchange)}</details>`}
</div>`;
}

function renderExchange({ request, response, durationMs }: ExchangeRecord): string {
  const sent = [`${request.method} ${request.url}`, ...printHeaders(request.headers), ...printBody(request.body)];
  const came =
    response.kind === 'no-response'
      ? [`no answer: ${response.because}: ${response.detail}`]
      : [`status ${response.status}`, ...printHeaders(response.headers), ...printBody(response.body)];
  return `<h4>Request</h4><pre>${escapeHtml(sent.join('\n'))}</pre>
<h4>Answer after ${durationMs} ms</h4><pre>${escapeHtml(came.join('\n'))}</pre>`;
}

function printHeaders(headers: readonly (readonly [string, string])[]): readonly string[] {
  return headers.map(([name, value]) => `${name}: ${value}`);
}

function printBody(body: BodyRecord): readonly string[] {
  if (body.kind === 'none') return [];
  if (body.kind === 'binary') return ['', `(${body.sizeBytes} bytes that are no text)`];
  return ['', body.text, ...(body.isCut ? [`(cut; ${body.sizeBytes} bytes in all)`] : [])];
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For HTML and SVG, between tags and within quoted attributes. */
export function escapeHtml(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Style and script of the HTML page, which holds both. */
function readPageAssets(): { readonly style: string; readonly script: string } {
  const read = (name: string): string => readFileSync(join(packageRoot(), 'templates', name), 'utf8');
  return { style: read('look.css') + read('report.css'), script: read('conform-report.js') };
}
