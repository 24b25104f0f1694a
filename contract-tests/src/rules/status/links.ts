import { type Answer, memberOf, responseOf, wasAnswered } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, Probe, ProbeRequest, Step } from '../../probe.ts';
import { requireMember, requireStatus } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { stepFrom } from '../../steps.ts';
import { hasCapability } from '../../target.ts';
import { exactly, lowercaseUuid } from '../vocabulary/matchers.ts';
import { follow, submitted as submittedFirst } from '../vocabulary/router-steps.ts';

const family = 'status';
const api = 'router';
const appliesTo = hasCapability('state');
const members = ['status_url', 'response_url', 'cancel_url'] as const;
type Member = (typeof members)[number];
/** Answers other than the handle that give the URLs. */
const givers = ['status', 'early'] as const;

/** The URL that a later answer gave; nothing is sent when it gave none. */
function followed(giver: string, member: Member): Step {
  return stepFrom(`${giver} ${member}`, (earlier): ProbeRequest | undefined => {
    const url = memberOf(responseOf(earlier, giver), `/${member}`);
    if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
    return { api, method: member === 'cancel_url' ? 'PUT' : 'GET', to: url };
  });
}

/** Cancelling comes last: it ends what the other two look at. */
const eachLink = (context: ProbeContext): Probe => ({
  steps: [
    submittedFirst(context),
    follow('status', 'status_url'),
    follow('early', 'response_url'),
    ...members.flatMap((member) => givers.map((giver) => followed(giver, member))),
  ],
});

/** Which success it is, other rules say; a conflict may be what cancelling comes to. */
function isThere({ status }: Answer, member: Member): boolean {
  return status < 400 || (member === 'cancel_url' && status === 409);
}

function leadsToTheRequest(evidence: Evidence, giver: string, member: Member): readonly Draft[] {
  const name = `${giver} ${member}`;
  // An early collect that came too late gives the result, whose members are the model's own.
  if (!wasAnswered(evidence, name) || responseOf(evidence, giver).status !== (giver === 'early' ? 202 : 200)) return [];
  const answer = responseOf(evidence, name);
  if (!isThere(answer, member)) return requireStatus(answer, member === 'cancel_url' ? 202 : 200);
  if (member === 'response_url' && answer.status === 200) return [];
  const [submitted, shown] = ['submit', name].map((step) => memberOf(responseOf(evidence, step), '/request_id'));
  // Without an id of its own the answer is wrong for another reason.
  if (!lowercaseUuid.is(submitted) || !lowercaseUuid.is(shown) || submitted === undefined) return [];
  return requireMember(answer, '/request_id', exactly(submitted));
}

const requirements: Readonly<Record<Member, readonly string[]>> = {
  status_url: ['MR-QUE-19', 'MR-QUE-20', 'MR-COL-10'],
  response_url: ['MR-QUE-22', 'MR-QUE-23', 'MR-COL-09', 'MR-COL-10'],
  cancel_url: ['MR-QUE-25', 'MR-QUE-26', 'MR-COL-10'],
};

export const statusLinkRules: readonly Rule[] = members.map((member) =>
  defineRule({
    id: `status.links.${member.replace('_', '-')}-of-later-answers`,
    family,
    requirements: requirements[member],
    needs: ['status.read.answers-with-200'],
    api,
    cost: 'billed',
    appliesTo,
    probe: eachLink,
    judge: (evidence) => givers.flatMap((giver) => leadsToTheRequest(evidence, giver, member)),
  }),
);
