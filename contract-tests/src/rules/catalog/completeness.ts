import type { ProbeContext } from '../../contract/context.ts';
import { modelPath } from '../../contract/discovery.ts';
import { readResponse, wasAnswered } from '../../contract/evidence.ts';
import { excerpt, type Finding, finding, notApplicable } from '../../contract/finding.ts';
import type { Evidence, Probe, Step } from '../../contract/probe.ts';
import { defineFamily, type Family, type Rule } from '../../contract/rule.ts';
import { get, stepFrom } from '../../contract/steps.ts';
import { state } from '../../requires.ts';
import { needsPages } from './pages.ts';
import { listWalkedIds, smallSize, walkBy } from './walks.ts';

/** Two walks with pages of different sizes, made twice: a catalog that changes meanwhile (MR-CAT-10) differs in another way. */
type Round = { readonly small: string; readonly large: string };
const rounds: readonly [Round, Round] = [
  { small: 'small', large: 'large' },
  { small: 'small-again', large: 'large-again' },
];

/** By walk the models that only the other walk shows, and those that it shows more than once. */
type Differences = Readonly<Record<'missingInSmall' | 'missingInLarge' | 'repeated', readonly string[]>>;

function differencesIn(evidence: Evidence, round: Round): Differences | undefined {
  const [small, large] = [listWalkedIds(evidence, round.small), listWalkedIds(evidence, round.large)];
  if (small === undefined || large === undefined) return undefined;
  const [inSmall, inLarge] = [new Set(small), new Set(large)];
  return {
    missingInSmall: [...inLarge].filter((id) => !inSmall.has(id)),
    missingInLarge: [...inSmall].filter((id) => !inLarge.has(id)),
    repeated: [...new Set([small, large].flatMap((ids) => ids.filter((id, index) => ids.indexOf(id) !== index)))],
  };
}

function hasDifferences(found: Differences | undefined): boolean {
  return found !== undefined && Object.values(found).some((ids) => ids.length > 0);
}

/** What both rounds show. */
function persistent(evidence: Evidence): Differences | undefined {
  const [first, second] = rounds.map((round) => differencesIn(evidence, round));
  if (first === undefined || second === undefined) return undefined;
  const both = (of: keyof Differences): readonly string[] => first[of].filter((id) => second[of].includes(id));
  return {
    missingInSmall: both('missingInSmall'),
    missingInLarge: both('missingInLarge'),
    repeated: both('repeated'),
  };
}

function missingIn({ missingInSmall, missingInLarge }: Differences): readonly string[] {
  return [...missingInSmall, ...missingInLarge].slice(0, readAtMost);
}

const readAtMost = 10;
const readNames = Array.from({ length: readAtMost }, (_, index) => `missing-${index + 1}`);

/** Reads what is missing one by one: a model that cannot be read has left the catalog. */
const reads: readonly Step[] = readNames.map((name, index) =>
  stepFrom(name, (earlier) => {
    const found = persistent(earlier);
    const id = found === undefined ? undefined : missingIn(found)[index];
    return id === undefined ? undefined : get('router', modelPath(id));
  }),
);

function twoWalksTwice(context: ProbeContext): Probe {
  const small = smallSize(context);
  const large = small === 100 ? 50 : 100;
  const [first, second] = rounds;
  const differs = (earlier: Evidence): boolean => hasDifferences(differencesIn(earlier, first));
  return [
    ...walkBy(first.small, small),
    ...walkBy(first.large, large),
    ...walkBy(second.small, small, differs),
    ...walkBy(second.large, large, differs),
    ...reads,
  ];
}

function missingFindings(evidence: Evidence, found: Differences): readonly Finding[] {
  return missingIn(found).flatMap((id, index) => {
    const name = readNames[index] ?? '';
    if (!wasAnswered(evidence, name) || readResponse(evidence, name).status !== 200) return [];
    const walk = found.missingInSmall.includes(id) ? rounds[0].small : rounds[0].large;
    const expected = `${excerpt(id)} in the catalog: GET ${modelPath(id)} answers 200`;
    return [finding('values-differ', { step: `${walk}-1`, pointer: '/data' }, expected, 'on no page, in two walks')];
  });
}

function repeatedFindings({ repeated }: Differences): readonly Finding[] {
  const at = { step: `${rounds[0].small}-1`, pointer: '/data' };
  return repeated
    .slice(0, readAtMost)
    .map((id) => finding('values-differ', at, `${excerpt(id)} once`, 'several times, in two walks'));
}

const catalogCompleteness: Family = { needs: needsPages, requires: [state], requiredOf: ['sandbox', 'live'] };

export const catalogCompletenessRules: readonly Rule[] = defineFamily(catalogCompleteness, {
  'catalog.traversal.shows-each-model-once': {
    sentence: 'Paging through the catalog shows each model exactly once.',
    requirements: ['MR-CAT-22', 'MR-CAT-19', 'MR-CAT-02'],
    needs: ['catalog.traversal.goes-on-to-its-end'],
    probe: twoWalksTwice,
    check: (evidence) => {
      if (differencesIn(evidence, rounds[0]) === undefined)
        return notApplicable('the catalog has more pages than are read');
      const found = persistent(evidence);
      return found === undefined ? [] : [...missingFindings(evidence, found), ...repeatedFindings(found)];
    },
  },
});
