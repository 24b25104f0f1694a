import type { JsonObject } from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { findMembers, isReplay, parseBody, readResponse, wasAnswered } from '../../contract/evidence.ts';
import { type Finding, notApplicable } from '../../contract/finding.ts';
import type { Evidence, Probe, Step } from '../../contract/probe.ts';
import { defineFamily } from '../../contract/rule.ts';
import { outcomesModel } from '../../contract/target.ts';
import { anyOf, hook, input, state } from '../../requires.ts';
import * as expect from '../builders/expect.ts';
import * as send from '../builders/send.ts';
import { readExpiry } from '../passive/stated.ts';

const again = (id: string): string => `${id} again`;

type Linked = { readonly id: string; readonly input: JsonObject };

/** The models whose links the owner states, or the scripted one. */
function listLinked({ isScripted, owned }: ProbeContext): readonly Linked[] {
  if (isScripted) return [{ id: outcomesModel, input: { assets: [{ hosting: 'hosted_24h' }] } }];
  return owned.filter(({ linkHours }) => linkHours !== undefined);
}

/** Each of them is run once and replayed; `trace.links` reads the links of the results. */
function runEachLinked(context: ProbeContext): Probe {
  const calls = listLinked(context).flatMap(({ id, input: value }, index): readonly Step[] => {
    // The run of the authored model is that of other rules.
    const isShared = context.discovery.models.authored?.id === id;
    const label = isShared ? 'shared-run' : `links-${index}`;
    const call = { label, to: send.modelPath(id), value };
    const first = send.keyed(id, call, {
      states: 'linkHours',
      mayBeLeftOut: true,
      ...(isShared && { sharedRun: label }),
    });
    const replay = send.keyed(again(id), call, { states: 'linkHours', afterMs: send.settledMs });
    const isServed = (earlier: Evidence): boolean => expect.hasSucceeded(earlier, id);
    return [first, { ...replay, request: (earlier) => (isServed(earlier) ? replay.request(earlier) : undefined) }];
  });
  return [send.seed, ...calls];
}

type Link = { readonly pointer: string; readonly expiresAt: number };

function listLinks(evidence: Evidence, step: string): readonly Link[] {
  const parsed = parseBody(readResponse(evidence, step));
  const found = parsed.kind === 'json' ? findMembers(parsed.value, (_, value) => typeof value === 'string') : [];
  return found.flatMap(({ pointer, value }) => {
    const expiresAt = readExpiry(String(value));
    return expiresAt === undefined ? [] : [{ pointer, expiresAt }];
  });
}

/** Clocks and fractions of seconds. */
const toleranceMs = 500;

export const linkRules = defineFamily({
  cost: 'billed',
  requires: [state, anyOf(hook('assets'), input('linkHours'))],
})({
  'run.retry.renews-no-links': {
    sentence: 'A replay does not renew the links of a result.',
    requirements: ['MR-AST-17'],
    probe: runEachLinked,
    check: (evidence, context) => {
      const replayed = listLinked(context).flatMap(({ id }) => {
        if (!wasAnswered(evidence, again(id)) || !isReplay(readResponse(evidence, again(id)))) return [];
        const first = new Map(listLinks(evidence, id).map(({ pointer, expiresAt }) => [pointer, expiresAt]));
        return listLinks(evidence, again(id)).flatMap(({ pointer, expiresAt }) => {
          const before = first.get(pointer);
          return before === undefined ? [] : [{ step: again(id), pointer, before, expiresAt }];
        });
      });
      if (replayed.length === 0) return notApplicable('no replay with a link that states when it expires was seen');
      return replayed.flatMap(({ step, pointer, before, expiresAt }): readonly Finding[] =>
        expiresAt <= before + toleranceMs
          ? []
          : expect.wrongAt(
              step,
              pointer,
              'a link that expires when that of the first answer does',
              `one that expires ${Math.round((expiresAt - before) / 1_000)} s later`,
            ),
      );
    },
  },
});
