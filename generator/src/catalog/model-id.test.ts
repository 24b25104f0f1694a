import { expect, test } from 'vitest';
import { parseModelId, printModelPath } from './model-id.ts';

test.each([
  ['image-provider/photo-1', 'image-provider/photo-1'],
  ['p/veo-3.1_x', 'p/veo-3.1_x'],
  ['p/with space', 'p/with%20space'],
  ['p/100%', 'p/100%25'],
  ['p/..%2f', 'p/..%252f'],
  [`${'p'.repeat(64)}/${'m'.repeat(128)}`, `${'p'.repeat(64)}/${'m'.repeat(128)}`],
])('encodes %s in a URL path as %s (MR-CAT-33)', (text, path) => {
  const parsed = parseModelId(text);
  expect('id' in parsed ? printModelPath(parsed.id) : parsed.problem).toBe(path);
});

test.each([
  '',
  'alone',
  '/m',
  'p/',
  'p/m/x',
  '../m',
  'p/..',
  './m',
  'p/new\nline',
  'p/\u0000',
  'p/\u009b',
  `p/${'m'.repeat(129)}`,
  `${'p'.repeat(65)}/m`,
  'p/\ud800',
])('rejects %j as a model id (MR-GEN-03)', (text) => {
  expect(parseModelId(text)).toHaveProperty('problem');
});
