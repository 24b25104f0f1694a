import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { modelPath } from '../../definitions/discovery.ts';
import { memberOf } from '../../definitions/evidence.ts';
import { type Finding, finding } from '../../definitions/finding.ts';
import { alternateModel, outcomesModel } from '../../definitions/hooks.ts';
import type { ProbeBody, Step } from '../../definitions/probe.ts';
import type { Family } from '../../definitions/rule.ts';
import { post, type RequestParts, type StepOptions, step } from '../../definitions/steps.ts';
import { type AppliesTo, allOf, type CredentialName, hasCapability, hasCredential } from '../../definitions/target.ts';
import type { Expectation } from './expectations.ts';
import { jsonBody } from './router-steps.ts';

/** The model whose input selects the outcome of a run (docs/test-hooks.md). */
export const scriptedPath = modelPath(outcomesModel);
export const scriptedQueue = `${scriptedPath}/requests`;
/** The alternate provider of that model, and the same model of that provider. */
export const alternate = 'sandbox-two';
export const alternatePath = modelPath(alternateModel);

/** Family members of rules on scripted runs. */
export const scripted = {
  api: 'router',
  cost: 'hooked',
  appliesTo: hasCapability('outcomes'),
} as const satisfies Partial<Family>;

/** Scripted runs by callers with these credentials. */
export function scriptedFor(...names: readonly CredentialName[]): { readonly appliesTo: AppliesTo } {
  return { appliesTo: allOf(scripted.appliesTo, hasCredential('router', ...names)) };
}

export type Failure = {
  readonly name: string;
  readonly status: number;
  readonly category: string;
  readonly requirements: readonly string[];
  /** Default: the outcome that is called like the category. */
  readonly input: JsonObject;
  readonly query?: string;
  /** The provider's own status, where a provider answered. */
  readonly upstream?: number;
};

/** A scripted failure and the error that it has to become. */
export function failure(
  name: string,
  [status, category]: readonly [number, string],
  requirements: readonly string[],
  more: Partial<Failure> = {},
): Failure {
  return { name, status, category, requirements, input: { outcome: category }, ...more };
}

/** Work that misses its deadline and cannot be collected. */
export const lostWork = { input: { outcome: 'deadline_exceeded', collectable: false } } as const;

type Parts = RequestParts & { readonly query?: string };

/** A synchronous scripted run. */
export function scriptedRun(name: string, input: JsonObject, parts: Parts = {}, options: StepOptions = {}): Step {
  const { query = '', ...rest } = parts;
  return step(name, post('router', `${scriptedPath}${query}`, { ...jsonBody(input), ...rest }), options);
}

/** A queued scripted run. */
export function scriptedSubmit(name: string, input: JsonObject, parts: Parts = {}, options: StepOptions = {}): Step {
  const { query = '', ...rest } = parts;
  const request = post('router', `${scriptedQueue}${query}`, { ...jsonBody(input), ...rest });
  return step(name, request, { mustAnswer: [201], ...options });
}

/** A JSON text whose white space and escapes stay as they are. */
export function literalBody(text: string): { readonly body: ProbeBody } {
  return { body: { kind: 'bytes', bytes: new TextEncoder().encode(text), mediaType: 'application/json' } };
}

/** What the provider received, as only the scripted model reports it. */
export function receivedIn(response: { readonly body: Uint8Array }): JsonObject {
  const received = memberOf(response, '/received');
  return isJsonObject(received) ? received : {};
}

export function expectReceived(wanted: Readonly<Record<string, JsonValue>>): Expectation {
  return (response) => {
    const received = receivedIn(response);
    return Object.entries(wanted).flatMap(([member, value]): readonly Finding[] => {
      const got = received[member];
      if (JSON.stringify(got) === JSON.stringify(value)) return [];
      const at = { step: response.step, pointer: `/received/${member}` };
      const actual = got === undefined ? 'absent' : JSON.stringify(got);
      return [finding('values-differ', at, JSON.stringify(value), actual)];
    });
  };
}
