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
    [
      'A limit above 100',
      'If it fails: ',
      'Usual cause: the limit in the query',
      'MR-CAT-13 (section 4.1; 8): A limit above',
      "conform --rule 'catalog.limit.above-hundred-is-clamped'",
    ],
  ],
  [
    'a rule that is based on a reading',
    'idempotency.path.queue-and-run-conflict',
    ['It is based on our reading OP-045 (Requests are compared by full path', 'about:\nMR-IDM-25'],
  ],
  [
    'a rule that is partly based on a reading',
    'outcomes.run.provider-timeout',
    ['It is based on the API text, and in part on our reading OP-018'],
  ],
  ['a requirement', 'MR-CAT-13', ['section 4.1; 8', 'catalog.limit.above-hundred-is-clamped: A limit above']],
  ['a requirement without a rule', 'MR-GEN-01', ['No rule checks it.']],
  ['a diagnostic', 'document-too-large', ['diagnostic of generate']],
  ['a change code', 'object-closed', ['are no longer allowed (input: breaking, output: compatible']],
  ['a finding code', 'value-unexpected', ['finding code of conform', 'differs from the one that the rule requires']],
  ['an outcome', 'observed', ['rule outcome of conform', 'The contract leaves this open']],
  ['a fault', 'catalog.entry.billing-with-price', ['fault of the sandbox', 'Violates MR-CAT-41: ']],
  ['a variant', 'catalog.page.in-other-order', ['It has no ordering', 'MR-CAT-19: ']],
  ['a variant of a reading', 'catalog.limit.text-selects-default', ['The API leaves it open: OP-030']],
  [
    'a setting that both APIs have',
    'rateLimited',
    [
      'conform.live.credentials.router.rateLimited',
      'conform.live.credentials.workflow.rateLimited',
      '  workflow.rate-limit',
    ],
  ],
  [
    'a test hook',
    'clock',
    ['A route that advances the clock', 'Set it with --hooks', '  retention.cursor.expired-is-refused'],
  ],
  ['an assumption', 'OP-030', ['assumption, section router', 'To choose otherwise: Overlay on']],
  [
    'a reading that rules are based on',
    'OP-045',
    ['Rules that depend on it, and only fail if conform.readings', '  idempotency.path.queue-and-run-conflict'],
  ],
])('explain prints the meaning of %s', async (_, name, texts) => {
  const { code, out } = await explain(name);
  expect(code).toBe(0);
  for (const text of texts) expect(out).toContain(text);
});

test('explain prints the meaning of each of several ids', async () => {
  const { code, out } = await explain('blocked', 'MR-CAT-13');
  expect(code).toBe(0);
  expect(out).toMatch(/^blocked {2}rule outcome of conform[\s\S]*\nMR-CAT-13 {2}requirement/);
});

test.each(['nothing-like-it', 'constructor'])(
  'explain rejects the unknown name %s, and mentions the commands that list names',
  async (name) => {
    const { code, err } = await explain(name);
    expect([code, err]).toEqual([2, expect.stringMatching(/--list-rules/)]);
  },
);

test('explain accepts the beginning of a name if only one name begins with it', async () => {
  const { code, out } = await explain('limit.above-hundred');
  expect(code).toBe(0);
  expect(out).toMatch(/^catalog\.limit\.above-hundred-is-clamped {2}rule of the router API/);
});

test('explain finds entries by words, and first lists names that begin with these words', async () => {
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
