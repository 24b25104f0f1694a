import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { type Answer, memberOf, responseOf } from '../../answer.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence, ProbeBody, ProbeRequest, Repeat, Step } from '../../probe.ts';
import { finding } from '../../require.ts';
import { defineRule, type Rule, type RuleDeclaration } from '../../rule.ts';
import { post, step, stepFrom, urlFrom } from '../../steps.ts';
import { outcomesModel } from '../../survey.ts';
import { type AppliesTo, allOf, hasCapability } from '../../target.ts';
import { modelPath } from './router-steps.ts';

/** Where a sandbox takes orders: the input of this model selects what becomes of the run (docs/sandbox-outcomes.md). */
export const toldPath = modelPath(outcomesModel);
/** The one other provider of that model, and the model that it serves. */
export const alternate = 'sandbox-two';
const takesOrders: AppliesTo = hasCapability('outcomes');

type ToldRule = Omit<RuleDeclaration, 'api' | 'cost'>;

/** A rule on a run that does as it is told; nothing of it is billed anywhere but in a sandbox. */
export function toldRule({ appliesTo, ...rest }: ToldRule): Rule {
  const both = appliesTo === undefined ? takesOrders : allOf(takesOrders, appliesTo);
  return defineRule({ ...rest, api: 'router', cost: 'billed', appliesTo: both });
}

type Told = Partial<Omit<ProbeRequest, 'api' | 'method' | 'to'>> & { readonly query?: string };
type StepOptions = Omit<Step, 'name' | 'request'>;

/** A synchronous run of it. */
export function tell(name: string, input: JsonObject, told: Told = {}, options: StepOptions = {}): Step {
  const { query = '', ...parts } = told;
  return step(name, post('router', `${toldPath}${query}`, { body: { kind: 'json', value: input }, ...parts }), options);
}

/** A queued run of it. */
export function tellQueue(name: string, input: JsonObject, told: Told = {}, options: StepOptions = {}): Step {
  const { query = '', ...parts } = told;
  const request = post('router', `${toldPath}/requests${query}`, { body: { kind: 'json', value: input }, ...parts });
  return step(name, request, { mustAnswer: [201], ...options });
}

/** White space and escapes as they are written here. */
export function literally(text: string): ProbeBody {
  return { kind: 'bytes', bytes: new TextEncoder().encode(text), mediaType: 'application/json' };
}

type Followed = { readonly of: string; readonly method?: string } & StepOptions & Pick<ProbeRequest, 'credentials'>;

/** Asks one of the addresses that an earlier step gave. */
export function ask(name: string, member: 'status_url' | 'response_url' | 'cancel_url', followed: Followed): Step {
  const { of, method = 'GET', credentials, ...options } = followed;
  const request = (earlier: Evidence): ProbeRequest => {
    const whose = credentials === undefined ? {} : { credentials };
    return { api: 'router', method, to: urlFrom(earlier, of, `/${member}`), ...whose };
  };
  return stepFrom(name, request, options);
}

/** Until it is COMPLETED, or gone (MR-STA-09 lets a failed request answer 410). */
export const untilOver: Repeat = {
  until: ({ result }) =>
    result.kind === 'response' && (result.status !== 200 || memberOf(result, '/status') === 'COMPLETED'),
  atMost: 80,
  everyMs: 250,
};

/** A member of a JSON body that is an object; empty otherwise. */
function objectAt(answer: Answer, pointer: string): JsonObject {
  const value = memberOf(answer, pointer);
  return isJsonObject(value) ? value : {};
}

/** What the provider says that it received; only `sandbox/outcomes` tells. */
export function receivedIn(evidence: Evidence, name: string): JsonObject {
  return objectAt(responseOf(evidence, name), '/received');
}

export function requireReceived(evidence: Evidence, name: string, wanted: Readonly<Record<string, JsonValue>>) {
  const received = receivedIn(evidence, name);
  return Object.entries(wanted).flatMap(([member, value]): readonly Draft[] => {
    const got = received[member];
    if (JSON.stringify(got) === JSON.stringify(value)) return [];
    const at = { step: name, pointer: `/received/${member}` };
    return [
      finding('values-differ', at, {
        expected: JSON.stringify(value),
        actual: got === undefined ? 'absent' : JSON.stringify(got),
      }),
    ];
  });
}
