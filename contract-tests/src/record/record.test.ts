import { beforeAll, expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs } from '../../../specs/src/index.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Outcome } from '../contract/finding.ts';
import { rule as scenarioRule } from '../contract/rule.ts';
import { scenario } from '../contract/scenario.ts';
import type { Target } from '../contract/target.ts';
import { assembleReport } from './assemble-report.ts';
import { listQueuedRequests, openRecord, select } from './record.ts';

const secret = 'sk-main-secret';
const url = 'http://router.test';
const target: Target = { kind: 'live', router: { url, credentials: { main: secret } } };
const statement = { sentence: 'A.', requirements: ['MR-GEN-01'], check: () => [] };
const rule = scenarioRule(
  'a.rule',
  scenario({}, async () => ({})),
  statement,
);
let specs: EffectiveSpecs;
beforeAll(async () => {
  specs = await buildEffectiveSpecs(defaultSpecSettings);
});
const open = (recorded?: readonly Exchange[]) =>
  openRecord({ target, specs, evidence: 'all', ...(recorded && { recorded }) }, 0);

function exchange(step: string, more: Partial<Exchange> = {}): Exchange {
  return {
    step,
    attempt: 1,
    api: 'router',
    request: { method: 'GET', url: `${url}/${step}`, headers: [['X-API-Key', secret]], body: undefined },
    result: { kind: 'response', status: 200, headers: [], body: new TextEncoder().encode(`it repeats ${secret}`) },
    timing: { startedAtMs: 0, durationMs: 1 },
    ...more,
  };
}

function failed(evidence: readonly Exchange[]): Outcome {
  const at = { step: evidence.at(-1)?.step ?? '' };
  const finding = { ruleId: rule.id, code: 'bytes-differ', at, expected: 'a', actual: secret } as const;
  return { kind: 'failed', findings: [finding], evidence };
}

test('records an exchange once, without secrets, under the step name of each decision', () => {
  const recorder = open();
  const first = exchange('first');
  recorder.addDecision({ rule, outcome: { kind: 'passed', evidence: [first] }, durationMs: 1 });
  const other = { ...rule, id: 'a.other' };
  recorder.addDecision({
    rule: other,
    outcome: { kind: 'passed', evidence: [{ ...first, step: 'shared', origin: first }] },
    durationMs: 1,
  });
  expect(select(recorder.record, 'exchange')).toHaveLength(1);
  expect(select(recorder.record, 'decided').map(({ evidence }) => evidence)).toEqual([
    [{ at: 0, step: 'first' }],
    [{ at: 0, step: 'shared' }],
  ]);
  expect(JSON.stringify(recorder.record)).not.toContain(secret);
});

test('keeps up to 100 findings about additional models, and the exchanges of the first ones', () => {
  const recorder = open();
  recorder.addDecision({ rule, outcome: { kind: 'passed', evidence: [exchange('one')] }, durationMs: 1 });
  for (let part = 0; part < 300; part += 1)
    recorder.addDecision({ rule, outcome: failed([exchange(`ask-${part}`)]), durationMs: 1 });
  recorder.addStop(1, undefined);
  expect(select(recorder.record, 'exchange')).toHaveLength(2);
  const [result] = assembleReport(recorder.record, [rule], { target, specs }).results;
  const findings = result?.outcome.kind === 'failed' ? result.outcome.findings : [];
  expect(findings).toHaveLength(100);
  expect(findings.filter((one) => one.seen !== undefined).map(({ at }) => at.step)).toEqual(['ask-0']);
  expect(result?.evidence.map(({ step }) => step)).toEqual(['ask-0']);
});

test('records the requests that this check queued before any rule is decided', () => {
  const handle = { status_url: `${url}/r/1/status`, cancel_url: `${url}/r/1/cancel` };
  const body = new TextEncoder().encode(JSON.stringify(handle));
  const submitted = exchange('submit', {
    request: { method: 'POST', url: `${url}/r`, headers: [], body: undefined },
    result: { kind: 'response', status: 201, headers: [], body },
  });
  const recorder = open();
  recorder.addExchange(submitted);
  expect(listQueuedRequests(recorder.record)).toEqual([{ url: handle.cancel_url, statusPath: '/r/1/status' }]);
  const recording = open([submitted]);
  recording.addExchange(submitted);
  expect(listQueuedRequests(recording.record)).toEqual([]);
});
