// Models, inputs and calls that several families of rules use.

import type { DiscoveredModel } from '../contract/discovery.ts';
import { NotApplicable } from '../contract/endings.ts';
import { readRetryAfter } from '../contract/evidence.ts';
import { modelPath } from '../contract/requests.ts';
import type { Answer, CallOptions, OwnerInput, ScenarioContext, TargetContext } from '../contract/scenario.ts';
import { scenario } from '../contract/scenario.ts';
import { alternateModel, outcomesModel } from '../contract/target.ts';
import { anyOf, type Condition, hook, type InputName, input, state } from '../requires.ts';
import * as expect from './expect.ts';

export const billed = { cost: 'billed', requires: [state] } as const;
export const hooked = { cost: 'hooked', requires: hook('outcomes') } as const;

/** A well-formed id that no request has, so calls only fail because the id is unknown. Scenarios use `findUnknownId`. */
export const unknownRequestId = '00000000-0000-4000-8000-000000000000';

export function findUnknownId({ values }: TargetContext): string {
  return values.uuid(unknownRequestId);
}

export function withUnknownId(tail: string, context: TargetContext): string {
  return tail.replace(unknownRequestId, findUnknownId(context));
}

export function unknownSiblingPath({ authored, values }: TargetContext): string {
  return modelPath(`${authored.provider}/${values.text('no-such-model')}`);
}

type WithBody = Required<Pick<CallOptions, 'body'>>;

/** Returns truncated JSON that no lenient parser accepts as an object. */
export function malformedBody({ values }: TargetContext): WithBody {
  return literalBody(`{"prompt": "${values.text('half a')}`);
}

/**
 * Requests that scenarios share. `plain request`: no scenario cancels it before it has ended, or needs it to be new.
 * `uncollected request`: only one scenario collects its result.
 */
export type SharedRequest = 'plain request' | 'uncollected request';

/** Submits a valid input. Scenarios with the same `share` use one request. */
export function submitted({ must, submit, authored }: ScenarioContext, share?: SharedRequest): Promise<Answer> {
  return must(submit(authored, share === undefined ? {} : { share }), 201);
}

/** Runs a valid input without a key. Live scenarios share the run. */
export function runValidInput({ run, authored }: ScenarioContext): Promise<Answer> {
  return run(authored, { share: 'plain' });
}

/** Runs a valid input with a key. Live scenarios share the run, so further calls take the key from the response. */
export function runValidInputWithKey({ must, run, newKey, authored }: ScenarioContext): Promise<Answer> {
  return must(run(authored, { key: newKey('shared-run'), share: 'shared-run' }), 200);
}

/** Maximum length of an idempotency key in characters (MR-RUN-04, MR-SUB-04). */
export const longestKey = 255;

/** Milliseconds to wait after a call, so that later links have a new signing time and its spend is released. */
export const settledMs = 1_100;

export async function inTurn<T, Response>(
  items: Iterable<T>,
  call: (item: T) => Promise<Response>,
): Promise<readonly Response[]> {
  const responses: Response[] = [];
  for (const item of items) responses.push(await call(item));
  return responses;
}

export function json(value: unknown): WithBody {
  return { body: { kind: 'json', value } };
}

/** Waits for a request to complete, and then reads its status, collects its result and cancels it several times. */
export const afterCompletion = scenario(billed, async (server) => {
  const submit = await submitted(server, 'plain request');
  const readLater = (before: Answer) =>
    server.after(Math.max(500, Math.min(readRetryAfter(before), 10_000)), () => server.status(submit));
  const end = await server.completed(submit);
  const again = await readLater(end);
  const collect = await server.collect(submit);
  const collectAgain = await server.collect(submit);
  const later = await readLater(again);
  const cancel = await server.cancel(submit);
  const afterCancel = await readLater(later);
  return { submit, end, again, collect, collectAgain, later, cancel, afterCancel, last: await server.collect(submit) };
});

/** Input of a run that misses its deadline and whose result cannot be collected. */
export const lostWork = { outcome: 'deadline_exceeded', collectable: false } as const;

/** Returns the path of a second model, whose schemas are unknown. `mayRun`: choose only models that may run. */
export function otherModelPath({ discovery, runnable, authored }: TargetContext, mayRun = false): string {
  const other = (mayRun ? runnable : discovery.listed).find((id) => id.includes('/') && id !== authored.id);
  if (other === undefined)
    throw new NotApplicable(mayRun ? 'there is no second model that may be run' : 'the catalog lists only one model');
  return modelPath(other);
}

/** Returns a body that sends bytes or a text unchanged, including white space and escapes. */
export function literalBody(content: string | Uint8Array, mediaType = 'application/json'): WithBody {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return { body: { kind: 'bytes', bytes, mediaType } };
}

/** Returns an input that the model's schema rejects. Throws `NotApplicable` if the schema rejects nothing. */
export function requireInvalidInput(model: DiscoveredModel): unknown {
  if (model.invalidInput === undefined) throw new NotApplicable(`the schema of ${model.id} accepts every object`);
  return model.invalidInput;
}

/** The model whose input selects the outcome of a run (docs/reference/test-hooks.md). */
export const outcomesModelPath = modelPath(outcomesModel);

/** `ownerInput`: input of an owner's model that replaces `input` if the target has no outcomes model. */
export function outcomesModelWith<Input extends object>(input: Input, ownerInput: OwnerInput = 'input') {
  return { path: outcomesModelPath, input, ownerInput };
}

/** An alternate provider, and the outcomes model of that provider. */
export const alternate = 'sandbox-two';
export const alternatePath = modelPath(alternateModel);

export function outcomesModelOr(...names: readonly InputName[]): readonly Condition[] {
  return names.map((name) => anyOf(hook('outcomes'), input(name)));
}

/** Expects the outcomes model to report these values as received by its provider. */
export function received(wanted: Readonly<Record<string, string>>): expect.Expectation {
  return expect.members(
    Object.fromEntries(Object.entries(wanted).map(([name, value]) => [`/received/${name}`, value])),
  );
}
