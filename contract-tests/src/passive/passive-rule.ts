import type { ProbeContext } from '../context.ts';
import type { Draft, Verdict } from '../finding.ts';
import { defineRule, type Rule, type RuleDeclaration, wholeRun } from '../rule.ts';
import type { ApiName } from '../target.ts';
import { type Sighting, sightingsOf } from './sighting.ts';

type Declaration = Pick<RuleDeclaration, 'requirements' | 'appliesTo' | 'readsAccused'> & {
  /** Below the family: `header.request-id-everywhere`. */
  readonly id: string;
  readonly api?: ApiName;
};
type AnswerRule = Declaration & {
  /** The answers it speaks of; without any in the run the rule is not observable. */
  readonly of: (sighting: Sighting, context: ProbeContext) => boolean;
  readonly judge: (sighting: Sighting, context: ProbeContext) => readonly Draft[];
};

/** A rule that looks at each answer of the run by itself. */
export function passiveRule({ id, of, judge, api = 'router', ...rest }: AnswerRule): Rule {
  return defineRule({
    ...rest,
    id: `passive.${id}`,
    family: 'passive',
    api,
    probe: wholeRun,
    judge: (evidence, context) => {
      const own = sightingsOf(evidence, context).filter((one) => isOfApi(one, api) && of(one, context));
      return own.length === 0 ? nothingSeen : told(own.flatMap((one) => judge(one, context)));
    },
  });
}

type TraceRule = Declaration & {
  /** Undefined: the run brought nothing that the rule speaks of. */
  readonly judge: (sightings: readonly Sighting[], context: ProbeContext) => readonly Draft[] | undefined;
};

/** A rule over the answers of the run together, in the order in which they came. */
export function traceRule({ id, judge, api = 'router', ...rest }: TraceRule): Rule {
  return defineRule({
    ...rest,
    id: `trace.${id}`,
    family: 'trace',
    api,
    probe: wholeRun,
    judge: (evidence, context) => {
      const own = sightingsOf(evidence, context).filter((one) => isOfApi(one, api));
      const drafts = judge(own, context);
      return drafts === undefined ? nothingSeen : told(drafts);
    },
  });
}

const nothingSeen: Verdict = { kind: 'not-observable', because: 'the run brought no answer that it speaks of' };

function isOfApi({ operation }: Sighting, api: ApiName): boolean {
  return (operation.api === 'model-router') === (api === 'router');
}

const placesShown = 3;
const kindsShown = 100; // a list can be wrong at every place

/** What is wrong with a hundred answers in the same way is said with the first of them. */
function told(drafts: readonly Draft[]): readonly Draft[] {
  const groups = Map.groupBy(drafts, ({ code, expected, at }) =>
    JSON.stringify([code, expected, at.header, at.pointer]),
  );
  return [...groups.values()].slice(0, kindsShown).flatMap((alike) => {
    const more = alike.length - placesShown;
    return alike
      .slice(0, placesShown)
      .map((draft, index) =>
        more > 0 && index === placesShown - 1
          ? { ...draft, actual: `${draft.actual} (and in ${more} more answers)` }
          : draft,
      );
  });
}
