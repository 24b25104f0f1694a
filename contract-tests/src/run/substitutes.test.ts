import { expect, test } from 'vitest';
import { emptyDiscovery } from '../contract/discovery.ts';
import { NotApplicable } from '../contract/endings.ts';
import { modelPath } from '../contract/requests.ts';
import { type LiveModel, outcomesModel, type Target } from '../contract/target.ts';
import { openSubstitute } from './substitutes.ts';

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
const ask = (models: readonly LiveModel[], ...inputs: readonly object[]) => {
  const substitute = openSubstitute(target(models), discovery);
  return inputs.map((value) => {
    const { to, body } = substitute({
      ...{ api: 'router', method: 'POST', to: modelPath(outcomesModel) },
      body: { kind: 'json', value },
    });
    return [to, body?.kind === 'json' ? body.value : undefined];
  });
};

test('without test hooks, uses the model with a slow input for a slow run and for the other runs of the same rule', () => {
  expect(ask([first, slow], { delay_ms: 2_500, note: 'held' }, { note: 'another' }, { note: 'third' })).toEqual([
    ['/v2/models/b/slow', slow.slowInput],
    ['/v2/models/b/slow', slow.input],
    ['/v2/models/b/slow', slow.otherInput],
  ]);
  expect(ask([first, slow], { note: 'plain' })).toEqual([['/v2/models/a/first', first.input]]);
});

test('without test hooks, generates no second input for a model with an unknown schema', () => {
  const { otherInput: _, ...rest } = slow;
  expect(() => ask([first, rest], { delay_ms: 1, note: 'a' }, { note: 'b' }, { note: 'c' })).toThrow(NotApplicable);
});

test("without test hooks, uses the owner's second input if there is one", () => {
  const given = { ...first, otherInput: { prompt: 'An island' } };
  expect(ask([given], { note: 'a' }, { note: 'b' }).map(([, input]) => input)).toEqual([first.input, given.otherInput]);
  expect(ask([first], { note: 'a' }, { note: 'b' }).map(([, input]) => input)).toEqual([
    first.input,
    { prompt: 'A quay again' },
  ]);
});
