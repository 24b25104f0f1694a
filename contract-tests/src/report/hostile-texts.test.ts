import { expect, test } from 'vitest';
import { convert } from 'xmlbuilder2';
import { hostileReport as report } from './fixtures/hostile-report.ts';
import { renderHtml } from './render-html.ts';
import { renderJunit } from './render-junit.ts';
import { renderAnnotations, renderMarkdown } from './render-markdown.ts';
import { renderSarif } from './render-sarif.ts';
import { renderText } from './render-text.ts';
import { renderJson } from './report.ts';

const hidden = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\n\t]]/v;

test('hostile text is displayed as text in the HTML page', () => {
  const html = renderHtml(report);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toMatch(/<(?:img|svg onload)|[^;]' autofocus/);
  expect(html).not.toContain('<svg');
});

test('hostile text creates no link, tag, mention or heading in Markdown', () => {
  const markdown = renderMarkdown(report);
  const outside = markdown
    .replace(/^(`{3,})text\n[\s\S]*?^\1$/gm, '')
    .replace(/(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g, '');
  for (const mark of ['](', '<', '@everyone', 'evil', 'owned', '| a |']) expect(outside).not.toContain(mark);
});

test('hostile text cannot inject a GitHub Actions command', () => {
  const commands = renderAnnotations(report).trimEnd().split('\n');
  expect(commands).toHaveLength(2);
  for (const line of commands) {
    expect(line).toMatch(/^::error title=[^:,]*::/);
    expect(line).not.toMatch(hidden);
    expect(line).not.toContain('##[');
  }
  for (const line of renderText(report).split('\n')) expect(line).not.toMatch(/^\s*::|##\[/);
});

test('hostile text creates no link in SARIF, and keeps its braces', () => {
  const log = JSON.parse(renderSarif(report));
  const { message, locations } = log.runs[0].results[0];
  expect(message.text).toContain('\\[click\\]');
  expect(message.text).toMatch(/[^{]\{0\}[^}]/);
  expect(JSON.stringify([message, locations])).not.toMatch(/\\u202e|\u202e/);
});

test('hidden characters are escaped in files for readers, and files for tools stay valid', () => {
  for (const text of [renderHtml(report), renderMarkdown(report)]) expect(text).not.toMatch(hidden);
  expect(convert(renderJunit(report), { format: 'object' })).not.toEqual({});
  for (const text of [renderSarif(report), renderJson(report)]) expect(JSON.parse(text)).not.toEqual({});
});

test('JUnit reports quote hostile text', () => {
  expect(renderJunit(report)).toContain('onerror');
  expect(renderJunit(report)).not.toMatch(hidden);
});
