import { expect, test } from 'vitest';
import { fakeIo } from '../../tests/fake-io.ts';
import { runProgram } from '../program.ts';

async function explain(...names: readonly string[]) {
  const io = fakeIo({ workingFolder: '.' });
  return { code: await runProgram(['explain', ...names], io), ...io.written };
}

test.each([
  [
    'a rule',
    'catalog.limit.above-hundred-is-clamped',
    ['A limit above 100', 'MR-CAT-13 (section 4.1; 8): A limit above'],
  ],
  [
    'a rule that rests on a reading',
    'idempotency.path.queue-and-run-conflict',
    ['It rests on our reading OP-045 (Requests are compared by full path', 'about:\nMR-IDM-25'],
  ],
  [
    'a rule that rests on one in part',
    'outcomes.run.provider-timeout',
    ['It rests on the text, and in part on our reading OP-018'],
  ],
  ['a requirement', 'MR-CAT-13', ['section 4.1; 8', 'catalog.limit.above-hundred-is-clamped: A limit above']],
  ['a requirement without a rule', 'MR-GEN-01', ['No rule of the gate checks it.']],
  ['a diagnostic', 'document-too-large', ['diagnostic of generate']],
  ['a rule of changes', 'object-closed', ['are no longer allowed (input: breaking, output: compatible']],
  [
    'a finding code',
    'value-unexpected',
    ['code of a finding of conform', 'differs from the one that the rule requires'],
  ],
  ['an outcome', 'observed', ['outcome of a rule of conform', 'The contract leaves this open']],
  ['a fault', 'catalog.entry.billing-with-price', ['fault of the sandbox', 'Violates MR-CAT-41: ']],
  ['a variant', 'catalog.page.in-other-order', ['It has no ordering', 'MR-CAT-19: ']],
  ['a variant of a reading', 'catalog.limit.text-selects-default', ['The API leaves it open: OP-030']],
  [
    'what an owner gives to both APIs',
    'rateLimited',
    [
      'conform.live.credentials.router.rateLimited',
      'conform.live.credentials.workflow.rateLimited',
      '  workflow.rate-limit',
    ],
  ],
  ['a test hook', 'clock', ['A route that moves time', 'Given with --hooks', '  retention.cursor.expired-is-refused']],
  ['an assumption', 'OP-030', ['assumption, section router', 'To choose otherwise: Overlay on']],
  [
    'a reading that rules rest on',
    'OP-045',
    ['Rules that fail only where conform.readings requires OP-045', '  idempotency.path.queue-and-run-conflict'],
  ],
])('explain prints the meaning of %s', async (_, name, texts) => {
  const { code, out } = await explain(name);
  expect(code).toBe(0);
  for (const text of texts) expect(out).toContain(text);
});

test('explain prints the meaning of each of several ids', async () => {
  const { code, out } = await explain('blocked', 'MR-CAT-13');
  expect(code).toBe(0);
  expect(out).toMatch(/^blocked {2}outcome of a rule[\s\S]*\nMR-CAT-13 {2}requirement/);
});

test.each(['nothing-like-it', 'constructor'])(
  'explain rejects the unknown name %s, and states where names are listed',
  async (name) => {
    const { code, err } = await explain(name);
    expect([code, err]).toEqual([2, expect.stringMatching(/--list-rules/)]);
  },
);

test('explain completes a part of a name that is unique', async () => {
  const { code, out } = await explain('limit.above-hundred');
  expect(code).toBe(0);
  expect(out).toMatch(/^catalog\.limit\.above-hundred-is-clamped {2}rule of the router API/);
});

test('explain finds entries by words, and lists names that begin with them first', async () => {
  const { code, out } = await explain('cursor');
  expect(code).toBe(0);
  const lines = out.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(32);
  expect(lines.filter((line) => /^catalog\.cursor\./.test(line)).length).toBeGreaterThan(2);
  expect(lines.at(-1)).toMatch(/^next: npx openapi-switchyard explain \S+$/);
  const io = fakeIo({ workingFolder: '.' });
  await runProgram(['explain', 'malformed', 'cursor', 'refused'], io);
  expect(io.written.out).toContain('catalog.cursor.malformed-is-refused');
});
