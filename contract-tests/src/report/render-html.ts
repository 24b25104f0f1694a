import { createHash } from 'node:crypto';
import { htmlText } from './escape-text.ts';
import { renderRule, shownOutcome } from './html-rule.ts';
import { coverageLine, uncheckedLines } from './render-coverage.ts';
import { budgetLines, comparisonText } from './render-text.ts';
import { addressesOf, type CauseGroup, type Comparison, type ConformanceReport, type RuleResult } from './report.ts';
import { readPageAssets } from './report-assets.ts';
import { verdictOf } from './verdict.ts';

/**
 * One page that needs nothing beside it: what passed by family, findings by cause, and every rule with its requirements,
 * findings and exchanges. Its policy forbids every script but its own, whatever a target sent.
 */
export function renderHtml(report: ConformanceReport): string {
  const { style, script } = readPageAssets();
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${htmlText(policy)}">
<meta name="referrer" content="no-referrer">
<title>${htmlText(`${verdictOf(report)} · conformance of ${addressesOf(report.target).join(' and ')}`)}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#rules">Skip to the rules</a>
<header>
${headOf(report)}
</header>
<main>
${causesOf(report)}
${familiesOf(report)}
${rulesOf(report)}
</main>
<script type="module">${script}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function headOf(report: ConformanceReport): string {
  const { target, results, reachability, comparison } = report;
  const lines = [
    ...(reachability.kind === 'unreachable' ? [`cannot check the target: ${reachability.because}`] : []),
    ...report.shortfalls.map((shortfall) => `incomplete: ${shortfall}`),
    ...report.discovery.problems.map((problem) => `discovery: ${problem}`),
    ...(report.waiverProblems ?? []).map(({ rule, message }) => `waiver of ${rule}: ${message}`),
    ...(comparison === undefined ? [] : [comparisonText(comparison)]),
    ...uncheckedLines(report, 'the rules below'),
    ...budgetLines(report),
  ];
  return `<h1>Conformance of ${htmlText(addressesOf(target).join(' and '))} (${target.kind})</h1>
<p class="verdict">${htmlText(verdictOf(report))}</p>
<p>${htmlText(coverageLine(report))}, in ${(report.durationMs / 1000).toFixed(1)} s</p>
${bar(results)}
${list(lines.map(htmlText))}
${comparison === undefined ? '' : comparedLists(comparison)}`;
}

function comparedLists(comparison: Comparison): string {
  return (['new', 'fixed'] as const)
    .filter((kind) => comparison[kind].length > 0)
    .map((kind) => {
      const items = comparison[kind].map(({ ruleId, cause }) => `${linkTo(ruleId)} ${htmlText(cause)}`);
      return `<details><summary>${comparison[kind].length} ${kind} since the earlier run</summary>${list(items)}</details>`;
    })
    .join('\n');
}

function list(items: readonly string[]): string {
  return items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}

function linkTo(ruleId: string): string {
  return `<a href="#${htmlText(ruleId)}"><code>${htmlText(ruleId)}</code></a>`;
}

function causesOf({ groups, results }: ConformanceReport): string {
  if (groups.length === 0) return '';
  const sentences = new Map(results.map(({ ruleId, sentence }) => [ruleId, sentence]));
  const causeOf = ({ cause, usually, findings, rules }: CauseGroup): string => {
    const items = rules.map((id) => `${linkTo(id)} ${htmlText(sentences.get(id) ?? '')}`);
    return `<details class="cause"><summary><strong>${htmlText(cause)}</strong> <span class="soft">${plural(rules.length, 'rule')}, ${plural(findings, 'finding')}</span></summary>
<p>Usually: ${htmlText(usually)}.</p>
${list(items)}</details>`;
  };
  return `<section aria-labelledby="causes"><h2 id="causes">Findings by cause</h2>
${groups.map(causeOf).join('\n')}
</section>`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const outcomeGroups = ['passed', 'observed', 'waived', 'failed', 'unchecked'] as const;

/** A bar of the outcomes, by their share. */
function bar(results: readonly RuleResult[]): string {
  const outcomes = results.map(shownOutcome);
  const parts = outcomeGroups
    .map((kind) => ({ kind, count: outcomes.filter((one) => one === kind).length }))
    .filter(({ count }) => count > 0);
  const label = parts.map(({ kind, count }) => `${count} ${kind}`).join(', ');
  // A style attribute would need a looser policy than one for style sheets; SVG attributes need none.
  let at = 0;
  const shares = parts.map(({ kind, count }) => {
    const rectangle = `<rect class="fill-${kind}" x="${at}" y="0" width="${count}" height="1"/>`;
    at += count;
    return rectangle;
  });
  return `<svg class="bar" role="img" aria-label="${htmlText(label || 'no rule')}" viewBox="0 0 ${Math.max(1, at)} 1" preserveAspectRatio="none">${shares.join('')}</svg>`;
}

function familiesOf({ results }: ConformanceReport): string {
  const rows = [...Map.groupBy(results, ({ family }) => family)].map(([family, own]) => {
    const outcomes = own.map(shownOutcome);
    const count = (...kinds: readonly string[]): number => outcomes.filter((one) => kinds.includes(one)).length;
    return `<tr><th scope="row"><button type="button" data-shows="${htmlText(family)}">${htmlText(family)}</button></th><td class="wide">${bar(own)}</td><td class="number">${count('failed')}</td><td class="number wide">${count('waived')}</td><td class="number">${count('passed', 'observed')}</td><td class="number">${count('unchecked')}</td></tr>`;
  });
  return `<section aria-labelledby="families"><h2 id="families">Outcome by family</h2>
<table><thead><tr><th scope="col">family</th><th scope="col" class="wide">share</th><th scope="col">failed</th><th scope="col" class="wide">waived</th><th scope="col">passed</th><th scope="col">not checked</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>
</section>`;
}

function rulesOf(report: ConformanceReport): string {
  const families = [...new Set(report.results.map(({ family }) => family))];
  const option = (value: string): string => `<option value="${htmlText(value)}">${htmlText(value)}</option>`;
  const order: readonly string[] = ['failed', 'waived', 'unchecked', 'observed', 'passed'];
  const sorted = report.results.toSorted(
    (one, other) => order.indexOf(shownOutcome(one)) - order.indexOf(shownOutcome(other)),
  );
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
