import { expect, test } from 'vitest';
import { checkSpecs } from '../checks/check-specs.ts';
import { listOperations } from '../documents/operations.ts';
import { buildEffectiveSpecs } from '../effective-specs.ts';
import { defaultSpecSettings } from '../settings.ts';
import { withoutDefaultResponses } from './without-default-responses.ts';

const specs = buildEffectiveSpecs(defaultSpecSettings);
const listed = withoutDefaultResponses(specs);

test('leaves out each default response and nothing else of an operation', () => {
  const withoutDefault = listOperations(specs).map(({ responses, ...operation }) => {
    const { default: _, ...rest } = responses;
    return { ...operation, responses: rest };
  });
  expect(listOperations(listed)).toEqual(withoutDefault);
});

test('gives documents without problems, unused components among them', async () => {
  const report = await checkSpecs(listed);
  expect(report.problems).toEqual([]);
});
