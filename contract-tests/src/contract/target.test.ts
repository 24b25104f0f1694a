import { expect, test } from 'vitest';
import { anyOf, type Capability, credential, hook, input, job, type Requisite, state } from '../requires.ts';
import { meets, type Target, type TargetKind } from './target.ts';

function target(kind: TargetKind, capabilities?: readonly Capability[]): Target {
  return {
    kind,
    router: { url: 'http://h:1', credentials: { main: 'a' } },
    workflow: { url: 'http://h:1', credentials: {}, jobs: { save: 'job' } },
    ...(capabilities === undefined ? {} : { capabilities }),
  };
}
const owned: Target = { ...target('live'), budget: { runs: 0, models: [{ id: 'a/b', input: {}, slowInput: {} }] } };

test.each<{ name: string; rows: readonly Requisite[]; on: Target; want: boolean }>([
  { name: 'state on a sandbox', rows: [state], on: target('sandbox'), want: true },
  { name: 'state on a mock', rows: [state], on: target('mock'), want: false },
  { name: 'state on a target that does not offer it', rows: [state], on: target('live', ['validation']), want: false },
  { name: 'a credential', rows: credential('router', 'main'), on: target('live'), want: true },
  {
    name: 'a credential that is not configured',
    rows: credential('router', 'neighbour'),
    on: target('live'),
    want: false,
  },
  { name: 'a credential on a mock', rows: credential('router', 'main'), on: target('mock'), want: false },
  { name: 'a job', rows: job('save'), on: target('live'), want: true },
  { name: 'a job that is not configured', rows: job('foreign'), on: target('live'), want: false },
  { name: 'a job on a mock', rows: job('foreign'), on: target('mock'), want: true },
  { name: 'a configured input', rows: input('slowInput'), on: owned, want: true },
  { name: 'an input that no model has', rows: input('failingInput'), on: owned, want: false },
  {
    name: 'an input where outcomes are scripted',
    rows: input('slowInput'),
    on: { ...owned, capabilities: ['outcomes'] },
    want: false,
  },
])('a target meets the requirement of $name: $want', ({ rows, on, want }) => {
  expect(meets(on, anyOf(rows))).toBe(want);
});

test('a target meets a condition with alternatives if it meets one of them', () => {
  expect(meets(owned, anyOf(hook('outcomes'), input('slowInput')))).toBe(true);
});
