import type { ProbeContext } from '../../contract/context.ts';
import { excerpt, type Finding, finding, notApplicable } from '../../contract/finding.ts';
import type { Evidence, Probe, Step } from '../../contract/probe.ts';
import { defineFamily } from '../../contract/rule.ts';
import { state } from '../../requires.ts';
import { hasSucceeded } from '../builders/checks.ts';
import * as send from '../builders/send.ts';
import { listWalkedIds, smallSize, walkBy } from './walks.ts';

/** Two walks with pages of different sizes, made twice: a catalog that changes meanwhile (MR-CAT-10) differs in another way. */
const rounds = [
  ['small', 'large'],
  ['small-again', 'large-again'],
] as const;

/** A model that a walk of the round lacks, or that one shows several times. */
type Difference = { readonly id: string; readonly missingIn?: 'small' | 'large' };

function listDifferences(evidence: Evidence, round: (typeof rounds)[number]): readonly Difference[] | undefined {
  const [small, large] = round.map((walk) => listWalkedIds(evidence, walk));
  if (small === undefined || large === undefined) return undefined;
  const repeated = [small, large].flatMap((ids) => ids.filter((id, index) => ids.indexOf(id) !== index));
  return [
    ...[...new Set(large)].filter((id) => !small.includes(id)).map((id) => ({ id, missingIn: 'small' }) as const),
    ...[...new Set(small)].filter((id) => !large.includes(id)).map((id) => ({ id, missingIn: 'large' }) as const),
    ...[...new Set(repeated)].map((id) => ({ id })),
  ];
}

const shownAtMost = 10;

/** What both rounds show. */
function listPersistent(evidence: Evidence) {
  const [first = [], second = []] = rounds.map((round) => listDifferences(evidence, round));
  const both = first.filter((one) => second.some(({ id, missingIn }) => id === one.id && missingIn === one.missingIn));
  const missing = both.filter(({ missingIn }) => missingIn !== undefined).slice(0, shownAtMost);
  return { missing, repeated: both.filter(({ missingIn }) => missingIn === undefined).slice(0, shownAtMost) };
}

/** Reads what is missing one by one: a model that cannot be read has left the catalog. */
const reads: readonly Step[] = Array.from({ length: shownAtMost }, (_, index) =>
  send.step(`missing-${index + 1}`, (earlier) => {
    const one = listPersistent(earlier).missing[index];
    return one && send.get('router', send.modelPath(one.id));
  }),
);

function twoWalksTwice(context: ProbeContext): Probe {
  const small = smallSize(context);
  const sizes = [small, small === 100 ? 50 : 100];
  const differs = (earlier: Evidence): boolean => (listDifferences(earlier, rounds[0]) ?? []).length > 0;
  const walks = rounds.flatMap((round, again) =>
    round.map((walk, index) => walkBy(walk, sizes[index] ?? 100, again > 0 ? differs : undefined)),
  );
  return [...walks.flat(), ...reads];
}

function describeDifference({ id, missingIn }: Difference): Finding {
  const at = { step: `${missingIn ?? 'small'}-1`, pointer: '/data' };
  const [expected, actual] =
    missingIn === undefined
      ? [`${excerpt(id)} once`, 'several times']
      : [`${excerpt(id)} in the catalog: GET ${send.modelPath(id)} answers 200`, 'on no page'];
  return finding('values-differ', at, expected, `${actual}, in two walks`);
}

export const catalogCompletenessRules = defineFamily({
  requires: [state],
  requiredOf: ['sandbox', 'live'],
})({
  'catalog.traversal.shows-each-model-once': {
    sentence: 'Paging through the catalog shows each model exactly once.',
    requirements: ['MR-CAT-22', 'MR-CAT-19', 'MR-CAT-02'],
    needs: ['catalog.traversal.goes-on-to-its-end'],
    probe: twoWalksTwice,
    check: (evidence) => {
      if (listDifferences(evidence, rounds[0]) === undefined)
        return notApplicable('the catalog has more pages than are read');
      const { missing, repeated } = listPersistent(evidence);
      const isThere = (_: Difference, index: number): boolean => hasSucceeded(evidence, reads[index]?.name ?? '');
      return [...missing.filter(isThere), ...repeated].map(describeDifference);
    },
  },
});
