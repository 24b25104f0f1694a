import { describe, expect, test } from 'vitest';
import { parseAssumptions, readAssumptions } from './assumptions.ts';
import { buildEffectiveSpecs } from './effective-specs.ts';
import type { JsonValue } from './json.ts';
import { applyAction } from './overlay.ts';
import { documentAsJson } from './read-document.ts';
import { defaultSpecSettings } from './settings.ts';

describe('readAssumptions', () => {
  test('numbers what is left open without a gap', () => {
    const ids = readAssumptions().map(({ id }) => id);
    expect([...ids].sort()).toEqual(ids.map((_, index) => `NS-${String(index + 1).padStart(2, '0')}`));
  });

  test('sends an owner to places that exist', async () => {
    const specs = await buildEffectiveSpecs(defaultSpecSettings);
    const documents = [specs.modelRouter, specs.workflowExecution].map(documentAsJson);
    const targets = readAssumptions().flatMap(({ id, override }) =>
      [...override.matchAll(/`(\$[.[][^`]*)`/g)].map(([, target = '']) => ({ id, target })),
    );
    expect(targets.length).toBeGreaterThan(10);
    const astray = targets.filter(({ target }) =>
      documents.every(
        (document) => applyAction(structuredClone(document), { target, change: { kind: 'remove' } }, target) === 0,
      ),
    );
    expect(astray).toEqual([]);
  });
});

describe('parseAssumptions', () => {
  const entry = { id: 'NS-01', section: 's', choice: 'c', why: 'w', override: 'o' };
  test('takes a well-formed entry', () => {
    expect(parseAssumptions([entry], 'list')).toEqual([entry]);
  });

  const refused: [sentence: string, value: JsonValue, message: RegExp][] = [
    ['no list', {}, /is not a list/],
    ['an entry that is a text', ['x'], /\[0\]: is not an object/],
    ['a malformed id', [{ ...entry, id: 'N-1' }], /N-1 is not the id/],
    ['an id used twice', [entry, entry], /NS-01 stands twice/],
    ['no choice', [{ ...entry, choice: ' ' }], /choice must be a text/],
    ['no reason', [{ ...entry, why: 1 }], /why must be a text/],
    ['no way to override', [{ id: 'NS-01', section: 's', choice: 'c', why: 'w' }], /override must be a text/],
  ];
  test.each(refused)('refuses %s', (_sentence, value, message) => {
    expect(() => parseAssumptions(value, 'list')).toThrow(message);
  });
});
