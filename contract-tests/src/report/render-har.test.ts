import { expect, test } from 'vitest';
import { createReport, exchange, passed } from './fixtures/example-report.ts';
import { renderHar } from './render-har.ts';

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
