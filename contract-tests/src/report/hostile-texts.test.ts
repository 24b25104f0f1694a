import { expect, test } from 'vitest';
import { convert } from 'xmlbuilder2';
import { createReport, exchange, findingOf, resultOf } from './fixtures/example-report.ts';
import { renderBadge } from './render-badge.ts';
import { renderAnnotations } from './render-github.ts';
import { renderHar } from './render-har.ts';
import { renderHtml } from './render-html.ts';
import { renderJunit } from './render-junit.ts';
import { renderMarkdown } from './render-markdown.ts';
import { renderSarif } from './render-sarif.ts';
import { renderText } from './render-text.ts';
import type { ConformanceReport } from './report.ts';

const hostile = [
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' autofocus onfocus='alert(1)",
  '\n::error::owned',
  '\n::stop-commands::x',
  '##[error]owned',
  '[click](http://evil.test)',
  '![x](http://evil.test/x.png)',
  '```\n# owned\n```',
  '`` ` ``',
  '@everyone',
  '| a | b |',
  '{0}',
  '%0A::error::owned',
  ']]>',
  '\u202eevil\u2066',
  '\u0000\u001b[31m',
  '\ud800',
].join(' ');

/** A report in which everything that a target decides is hostile. */
const report: ConformanceReport = createReport(
  [
    {
      ...resultOf('a.one', {
        kind: 'failed',
        findings: [
          {
            ...findingOf('a.one', `cause ${hostile}`),
            expected: hostile,
            actual: hostile,
            at: { step: hostile, header: hostile, pointer: hostile },
            seen: {
              exchange: 0,
              method: hostile,
              url: `http://h/${hostile}`,
              requestId: hostile,
              curl: `curl '${hostile}'`,
              notes: [hostile],
            },
          },
        ],
      }),
      evidence: [
        {
          ...exchange,
          step: hostile,
          request: { ...exchange.request, url: `http://h/${hostile}`, headers: [[hostile, hostile]] },
          response: {
            kind: 'response',
            status: 200,
            headers: [[hostile, hostile]],
            body: { kind: 'text', text: hostile, sizeBytes: 1, isCut: false },
          },
        },
      ],
    },
    resultOf('a.two', { kind: 'observed', observation: hostile }),
    resultOf('a.three', { kind: 'errored', message: hostile }),
  ],
  {
    target: { kind: 'live', routerUrl: `http://h/${hostile}` },
    discovery: { listed: 1, models: {}, problems: [hostile] },
    shortfalls: [hostile],
    waiverProblems: [{ rule: hostile, kind: 'unknown-rule', message: hostile }],
    transient: [{ request: hostile, status: 503, times: 1 }],
  },
);

const hidden = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\n\t]]/v;

test('hostile text is text in the HTML page', () => {
  const html = renderHtml(report);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toMatch(/<(?:img|svg onload)|[^;]' autofocus/);
  expect(html).not.toMatch(hidden);
  // The page's own bars are the only drawings.
  expect(html.match(/<svg/g)?.length).toBe(html.match(/<svg class="bar"/g)?.length);
});

test('hostile text is no link, tag, mention or heading in Markdown', () => {
  const markdown = renderMarkdown(report);
  const outside = markdown.replace(/^(`{3,})sh\n[\s\S]*?^\1$/gm, '').replace(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g, '');
  for (const mark of ['](', '<', '@everyone', 'evil', 'owned', '| a |']) expect(outside).not.toContain(mark);
  expect(markdown).not.toMatch(hidden);
});

test('hostile text gives GitHub Actions no command of its own', () => {
  const commands = renderAnnotations(report).trimEnd().split('\n');
  expect(commands).toHaveLength(2);
  for (const line of commands) {
    expect(line).toMatch(/^::error title=[^:,]*::/);
    expect(line).not.toMatch(hidden);
  }
  for (const line of renderText(report).split('\n')) expect(line).not.toMatch(/^\s*::|##\[/);
});

test('hostile text makes no link and no placeholder in SARIF', () => {
  const log = JSON.parse(renderSarif(report));
  const { message, locations } = log.runs[0].results[0];
  expect(message.text).toContain('\\[click\\]');
  expect(message.text).toContain('{{0}}');
  expect(JSON.stringify([message, locations])).not.toMatch(/\\u202e|\u202e/);
});

test('hostile text keeps SVG, JUnit and HAR well-formed', () => {
  expect(JSON.stringify(convert(renderJunit(report), { format: 'object' }))).toContain('onerror');
  expect(JSON.stringify(convert(renderBadge(report), { format: 'object' }))).toContain('rules fail');
  expect(JSON.parse(renderHar(report)).log.entries).toHaveLength(2);
});
