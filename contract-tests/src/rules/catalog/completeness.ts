import type { Answer } from '../../contract/answer.ts';
import { excerpt, type Finding, finding, notApplicable } from '../../contract/finding.ts';
import { modelPath } from '../../contract/requests.ts';
import { rule } from '../../contract/rule.ts';
import { scenario } from '../../contract/scenario.ts';
import { state } from '../../requires.ts';
import * as expect from '../expect.ts';
import { listWalkedIds, smallSize, walkBy } from './walks.ts';

/** Two walks with pages of different sizes. */
type Round = { readonly small: readonly Answer[]; readonly large: readonly Answer[] };
/** A model that a walk of the round lacks, or that one shows several times. */
type Difference = { readonly id: string; readonly missingIn?: keyof Round };

function listDifferences(round: Round): readonly Difference[] | undefined {
  const [small, large] = [listWalkedIds(round.small), listWalkedIds(round.large)];
  if (small === undefined || large === undefined) return undefined;
  const repeated = [small, large].flatMap((ids) => ids.filter((id, index) => ids.indexOf(id) !== index));
  return [
    ...[...new Set(large)].filter((id) => !small.includes(id)).map((id) => ({ id, missingIn: 'small' }) as const),
    ...[...new Set(small)].filter((id) => !large.includes(id)).map((id) => ({ id, missingIn: 'large' }) as const),
    ...[...new Set(repeated)].map((id) => ({ id })),
  ];
}

const shownAtMost = 10;

/** A catalog that changes meanwhile (MR-CAT-10) differs in another way each time, so only what two rounds show counts. */
const twoWalksTwice = scenario({ requires: [state] }, async (server) => {
  const small = smallSize(server);
  const walkBoth = async (): Promise<Round> => ({
    small: await walkBy(server, small),
    large: await walkBy(server, small === 100 ? 50 : 100),
  });
  const first = await walkBoth();
  const found = listDifferences(first);
  if (found === undefined || found.length === 0) return { first, second: undefined, lasting: [] };
  const second = await walkBoth();
  const again = listDifferences(second) ?? [];
  const isLasting = (one: Difference) =>
    again.some(({ id, missingIn }) => id === one.id && missingIn === one.missingIn);
  const lasting: (Difference & { readonly read?: Answer })[] = [];
  for (const one of found.filter(isLasting).slice(0, 2 * shownAtMost)) {
    // A model that cannot be read has left the catalog.
    const isMissing = one.missingIn !== undefined;
    lasting.push(isMissing ? { ...one, read: await server.model({ path: modelPath(one.id) }) } : one);
  }
  return { first, second, lasting };
});

function describeDifference(first: Round, { id, missingIn }: Difference): Finding {
  const at = { step: first[missingIn ?? 'small'][0]?.step ?? '', pointer: '/data' };
  const [expected, actual] =
    missingIn === undefined
      ? [`${excerpt(id)} once`, 'several times']
      : [`${excerpt(id)} in the catalog: GET ${modelPath(id)} answers 200`, 'on no page'];
  return finding('values-differ', at, expected, `${actual}, in two walks`);
}

export const catalogCompletenessRules = [
  rule('catalog.traversal.shows-each-model-once', twoWalksTwice, {
    sentence: 'Paging through the catalog shows each model exactly once.',
    requirements: ['MR-CAT-22', 'MR-CAT-19', 'MR-CAT-02'],
    requiredOf: ['sandbox', 'live'],
    needs: ['catalog.traversal.goes-on-to-its-end'],
    causeOfDifference: 'paging through the catalog misses or repeats a model',
    check: ({ first, lasting }) =>
      listDifferences(first) === undefined
        ? notApplicable('the catalog has more pages than are read')
        : lasting
            .filter(({ missingIn, read }) => missingIn === undefined || expect.hasSucceeded(read))
            .map((one) => describeDifference(first, one)),
  }),
];
