import { expect, test } from 'vitest';
import { emptyDiscovery } from '../contract/discovery.ts';
import { NotApplicable } from '../contract/endings.ts';
import { modelPath } from '../contract/requests.ts';
import type { Runnable } from '../contract/scenario.ts';
import type { LiveModel, Target } from '../contract/target.ts';
import { createCallReplacer } from './owner-inputs.ts';

const target = (models: readonly LiveModel[]): Target => ({
  kind: 'live',
  router: { url: 'http://router.test', credentials: {} },
  budget: { runs: 9, models },
});
const [provider, model] = ['a', 'first'];
const identity = { id: 'a/first', provider, model, path: modelPath('a/first') };
const inputSchema = { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] };
const read = { input: { prompt: 'A cat' }, invalidInput: {}, inputSchema, outputs: {}, document: {} };
const discovery = { ...emptyDiscovery, models: { authored: { ...identity, ...read } } };
const first = { id: 'a/first', input: { prompt: 'A quay' } };
const slow = { id: 'b/slow', input: { text: 'one' }, slowInput: { text: 'long' }, otherInput: { text: 'two' } };
const path = '/v2/models/sandbox/outcomes';
const plain = (note: string): Runnable => ({ path, input: { note }, ownerInput: 'input' });
const slowRun: Runnable = { path, input: { delay_ms: 2_500 }, ownerInput: 'slowInput' };
const replaceAll = (models: readonly LiveModel[], ...wanted: readonly Runnable[]) => {
  const replaceCall = createCallReplacer(target(models), discovery);
  return wanted.map((one) => {
    const { path: to, input } = replaceCall(one);
    return [to, input];
  });
};

test('without test hooks, uses the model with a slow input for a slow run and for the other runs of the same rule', () => {
  expect(replaceAll([first, slow], slowRun, plain('another'), plain('third'), plain('another'))).toEqual([
    ['/v2/models/b/slow', slow.slowInput],
    ['/v2/models/b/slow', slow.input],
    ['/v2/models/b/slow', slow.otherInput],
    ['/v2/models/b/slow', slow.input],
  ]);
  expect(replaceAll([first, slow], plain('a'))).toEqual([['/v2/models/a/first', first.input]]);
});

test('without test hooks, generates no second input for a model with an unknown schema', () => {
  const { otherInput: _, ...rest } = slow;
  expect(() => replaceAll([first, rest], slowRun, plain('b'), plain('c'))).toThrow(NotApplicable);
});

test("without test hooks, uses the owner's second input if there is one", () => {
  const given = { ...first, otherInput: { prompt: 'An island' } };
  expect(replaceAll([given], plain('a'), plain('b')).map(([, input]) => input)).toEqual([
    first.input,
    given.otherInput,
  ]);
  expect(replaceAll([first], plain('a'), plain('b')).map(([, input]) => input)).toEqual([
    first.input,
    { prompt: 'A quay again' },
  ]);
});

test('without test hooks, sends inputs that must fail to the model that has them, and names the tested setting', () => {
  const failing = { id: 'c/failing', input: {}, failingInput: { fail: true } };
  const replaceCall = createCallReplacer(target([first, failing]), discovery);
  expect(replaceCall({ path, input: { outcome: 'provider_error' }, ownerInput: 'failingInput' })).toEqual({
    path: '/v2/models/c/failing',
    input: failing.failingInput,
    testsSetting: 'failingInput',
  });
  expect(replaceCall({ path, input: { delay_ms: 'soon' }, ownerInput: 'invalidInput' })).toEqual({
    path: '/v2/models/a/first',
    input: read.invalidInput,
  });
});

test('calls without an owner input, and all calls on a target with the outcomes model, stay as they are', () => {
  const wanted = { path: '/v2/models/a/b', input: { any: 1 } };
  expect(createCallReplacer(target([first]), discovery)(wanted)).toBe(wanted);
  const withHook: Target = { ...target([first]), capabilities: ['outcomes'] };
  expect(createCallReplacer(withHook, discovery)(slowRun)).toBe(slowRun);
});
