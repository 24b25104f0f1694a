import { expect, test } from 'vitest';
import {
  type AppliesTo,
  allOf,
  always,
  type Capability,
  hasCapability,
  hasCredential,
  hasJob,
  notOn,
  type Target,
  type TargetKind,
} from './target.ts';

function target(kind: TargetKind, capabilities?: readonly Capability[]): Target {
  return {
    kind,
    router: { url: 'http://h:1', credentials: { main: 'a' } },
    workflow: { url: 'http://h:1', credentials: {}, jobs: { save: 'job' } },
    ...(capabilities === undefined ? {} : { capabilities }),
  };
}

test.each<{ name: string; rule: AppliesTo; on: Target; want: string }>([
  { name: 'always', rule: always, on: target('mock'), want: 'applies' },
  { name: 'state on a sandbox', rule: hasCapability('state'), on: target('sandbox'), want: 'applies' },
  { name: 'state on a mock', rule: hasCapability('state'), on: target('mock'), want: 'not-observable' },
  {
    name: 'state on a target without',
    rule: hasCapability('state'),
    on: target('live', ['validation']),
    want: 'not-applicable',
  },
  { name: 'a credential', rule: hasCredential('router', 'main'), on: target('live'), want: 'applies' },
  {
    name: 'a credential that is not configured',
    rule: hasCredential('router', 'neighbour'),
    on: target('live'),
    want: 'not-applicable',
  },
  { name: 'a credential on a mock', rule: hasCredential('router', 'main'), on: target('mock'), want: 'not-observable' },
  { name: 'a job', rule: hasJob('save'), on: target('live'), want: 'applies' },
  { name: 'a job that is not configured', rule: hasJob('foreign'), on: target('live'), want: 'not-applicable' },
  { name: 'a job on a mock', rule: hasJob('foreign'), on: target('mock'), want: 'applies' },
  { name: 'an exempted kind', rule: notOn('mock', 'x'), on: target('mock'), want: 'not-observable' },
  {
    name: 'the first part that does not apply',
    rule: allOf(hasJob('save'), hasJob('api'), notOn('live', 'x')),
    on: target('live'),
    want: 'not-applicable',
  },
])('$name: $want', ({ rule, on, want }) => {
  expect(rule(on).kind).toBe(want);
});
