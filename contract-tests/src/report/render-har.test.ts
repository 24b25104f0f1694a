import { expect, test } from 'vitest';
import { readHar } from '../record/har.ts';
import { createReport, exchange, passed } from './fixtures/example-report.ts';
import { renderHar } from './render-har.ts';
import type { ExchangeRecord } from './report.ts';

const startedAtMs = Date.UTC(2030, 0, 31, 12);
const first = { ...exchange, startedAtMs, durationMs: 30, waitMs: 20 };
const second = { ...exchange, startedAtMs: startedAtMs + 40, durationMs: 10 };

test('a HAR has each exchange once, by its time, with what is known of its duration', () => {
  const results = [
    { ...passed('a.late'), evidence: [second, first] },
    { ...passed('a.early'), evidence: [first] },
  ];
  const { entries } = JSON.parse(renderHar(createReport(results))).log;
  expect(entries).toMatchObject([
    { startedDateTime: '2030-01-31T12:00:00.000Z', time: 30, timings: { send: 0, wait: 20, receive: 10 } },
    { startedDateTime: '2030-01-31T12:00:00.040Z', time: 10, timings: { send: 0, wait: 10, receive: 0 } },
  ]);
  expect(entries).toHaveLength(2);
});

test('an entry of a HAR whose members are of other kinds is left out', () => {
  const odd = { toString: 1, valueOf: 1 };
  const [entry] = JSON.parse(renderHar(createReport([{ ...passed('a.one'), evidence: [first] }]))).log.entries;
  const of = (more: object): object => ({ ...entry, request: { ...entry.request, ...more } });
  const entries = [of({ url: odd }), of({ method: odd }), of({ postData: odd, bodySize: odd }), odd, { request: odd }];
  const { exchanges, leftOut } = readHar(JSON.stringify({ log: { entries } }), {});
  expect([exchanges.length, leftOut]).toEqual([1, 4]);
});

test('a body that is cut says so, and is left out where the file is checked', () => {
  const answer = (text: string, isCut: boolean): ExchangeRecord => ({
    ...exchange,
    startedAtMs: isCut ? startedAtMs : startedAtMs + 1,
    response: { kind: 'response', status: 200, headers: [], body: { kind: 'text', text, sizeBytes: 9_000, isCut } },
  });
  // Redacted, so shorter than it was.
  const evidence = [answer('{"data":[', true), answer('{"data":"[redacted]"}', false)];
  const text = renderHar(createReport([{ ...passed('a.one'), evidence }]));
  expect(
    JSON.parse(text).log.entries.map(({ response }: { response: { content: object } }) => response.content),
  ).toEqual([
    expect.objectContaining({ comment: 'cut: it had 9000 bytes', size: 9_000 }),
    { size: 21, mimeType: '', text: '{"data":"[redacted]"}' },
  ]);
  const { exchanges, leftOut } = readHar(text, { router: new URL(exchange.request.url).origin });
  expect([exchanges.length, leftOut]).toEqual([1, 1]);
});
