import type { JsonObject } from '../../../../specs/src/index.ts';
import type { Answer } from '../../contract/answer.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { findMembers, isReplay, parseBody } from '../../contract/evidence.ts';
import { type Finding, notApplicable } from '../../contract/finding.ts';
import { modelPath } from '../../contract/requests.ts';
import { rule } from '../../contract/rule.ts';
import { scenario } from '../../contract/scenario.ts';
import { outcomesModel } from '../../contract/target.ts';
import { usualCauses } from '../../contract/usual-causes.ts';
import { anyOf, hook, input, state } from '../../requires.ts';
import { settledMs } from '../calls.ts';
import * as expect from '../expect.ts';
import { readExpiry } from '../passive/stated.ts';

type Linked = { readonly id: string; readonly input: JsonObject };

/** The models whose links the owner states, or the scripted one. */
function listLinked({ isScripted, owned }: ProbeContext): readonly Linked[] {
  if (isScripted) return [{ id: outcomesModel, input: { assets: [{ hosting: 'hosted_24h' }] } }];
  return owned.filter(({ linkHours }) => linkHours !== undefined);
}

/** Each of them is run once and replayed; `trace.links` reads the links of the results. */
const eachLinked = scenario(
  { cost: 'billed', requires: [state, anyOf(hook('assets'), input('linkHours'))] },
  async (server) => {
    const { run, after, ifPossible, newKey } = server;
    const replayed: { readonly first: Answer; readonly again: Answer }[] = [];
    for (const [index, { id, input }] of listLinked(server).entries()) {
      const model = { path: modelPath(id), input };
      // The run of the authored model is that of other rules.
      const isShared = server.discovery.models.authored?.id === id;
      const label = isShared ? 'shared-run' : `links-${index}`;
      const first = await ifPossible(() => run(model, { key: newKey(label), ...(isShared && { share: label }) }));
      if (!expect.hasSucceeded(first)) continue;
      replayed.push({ first, again: await after(settledMs, () => run(model, { key: first.key })) });
    }
    return { replayed };
  },
);

type Link = { readonly pointer: string; readonly expiresAt: number };

function listLinks(answer: Answer): readonly Link[] {
  const parsed = parseBody(answer);
  const found = parsed.kind === 'json' ? findMembers(parsed.value, (_, value) => typeof value === 'string') : [];
  return found.flatMap(({ pointer, value }) => {
    const expiresAt = readExpiry(String(value));
    return expiresAt === undefined ? [] : [{ pointer, expiresAt }];
  });
}

/** Clocks and fractions of seconds. */
const toleranceMs = 500;

export const linkRules = [
  rule('run.retry.renews-no-links', eachLinked, {
    sentence: 'A replay does not renew the links of a result.',
    requirements: ['MR-AST-17'],
    usualCause: usualCauses.keys,
    check: ({ replayed }) => {
      const links = replayed.flatMap(({ first, again }) => {
        const known = new Map(listLinks(first).map(({ pointer, expiresAt }) => [pointer, expiresAt]));
        return (isReplay(again) ? listLinks(again) : []).flatMap(({ pointer, expiresAt }) => {
          const before = known.get(pointer);
          return before === undefined ? [] : [{ step: again.step, pointer, before, expiresAt }];
        });
      });
      if (links.length === 0) return notApplicable('no replay with a link that states when it expires was seen');
      return links.flatMap(({ step, pointer, before, expiresAt }): readonly Finding[] => {
        const expected = 'a link that expires when that of the first answer does';
        const actual = `one that expires ${Math.round((expiresAt - before) / 1_000)} s later`;
        return expiresAt <= before + toleranceMs ? [] : expect.wrongAt(step, pointer, expected, actual);
      });
    },
  }),
];
