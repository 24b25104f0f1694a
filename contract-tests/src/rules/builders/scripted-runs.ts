import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { readMember, readResponse, wasAnswered } from '../../contract/evidence.ts';
import { type Finding, finding, notApplicable } from '../../contract/finding.ts';
import type { Evidence, Step } from '../../contract/probe.ts';
import type { Check, Family } from '../../contract/rule.ts';
import { modelPath, type RequestParts, type StepOptions } from '../../contract/steps.ts';
import { alternateModel, outcomesModel } from '../../contract/target.ts';
import { anyOf, type Condition, hook, type InputName, input } from '../../requires.ts';
import { type Expectation, unless } from './checks.ts';
import { run } from './router-steps.ts';

/** The model whose input selects the outcome of a run (docs/reference/test-hooks.md). */
export const scriptedPath = modelPath(outcomesModel);
export const scriptedQueue = `${scriptedPath}/requests`;
/** The alternate provider of that model, and the same model of that provider. */
export const alternate = 'sandbox-two';
export const alternatePath = modelPath(alternateModel);

export const scripted = { cost: 'hooked', requires: hook('outcomes') } as const satisfies Family;

/** Scripted runs for which inputs of the owner of a live target can stand in. */
export function scriptedOr(...names: readonly InputName[]): readonly Condition[] {
  return names.map((name) => anyOf(hook('outcomes'), input(name)));
}

/** Where an input of the owner brings about the same failure. */
export function scriptedOrInputFor({ outcome }: JsonObject): readonly Condition[] {
  if (outcome === 'content_policy_violation') return scriptedOr('rejectedInput');
  return outcome === 'provider_error' ? scriptedOr('failingInput') : scripted.requires;
}

/** Work that misses its deadline and cannot be collected. */
export const lostWork: JsonObject = { outcome: 'deadline_exceeded', collectable: false };

type Parts = RequestParts & { readonly query?: string };

export function scriptedRun(name: string, input: JsonObject, parts: Parts = {}, options: StepOptions = {}): Step {
  const { query = '', ...rest } = parts;
  return run(name, { path: scriptedPath + query, input }, rest, options);
}

export function scriptedSubmit(
  name: string,
  input: JsonObject,
  parts: RequestParts = {},
  options: StepOptions = {},
): Step {
  return run(name, { path: scriptedQueue, input }, parts, { mustAnswer: [201], ...options });
}

/** An input of the owner did not bring about the failure that it stands in for: that says nothing of the server. */
export function ifItFails(step: string, check: Check): Check {
  const succeeded = (evidence: Evidence, { isScripted }: ProbeContext): boolean =>
    !isScripted && wasAnswered(evidence, step) && readResponse(evidence, step).status === 200;
  return unless(succeeded, notApplicable('the input that was given for it succeeded'), check);
}

export function receivedIn(response: { readonly body: Uint8Array }): JsonObject {
  const received = readMember(response, '/received');
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
