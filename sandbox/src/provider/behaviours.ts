import { isJsonObject, type JsonObject } from '../../../specs/src/index.ts';
import type { Bytes } from '../digest.ts';
import { parseInteger, rejectUnknownNames, SandboxError } from '../errors.ts';
import type { ValidationEntry } from '../models/validation-entries.ts';
import { createRandom } from '../random.ts';
import { type Attempt, type FailureName, failures, isFailureName, outputAttempt } from './provider-response.ts';

/** Details of a failure. `entries`: entries of the 422 for a `refused_input`. */
export type FailureDetails = { upstreamStatus?: number; entries?: readonly ValidationEntry[] };

/** A failure or a file that a handler returns instead of JSON. `modelFailure` and `modelFile` create it. */
export class ModelAnswer {
  readonly attempt: Attempt;

  constructor(attempt: Attempt) {
    this.attempt = attempt;
  }
}

/** Creates a failure that a handler returns instead of an output. Throws SandboxError for an unknown name or an invalid detail. */
export function modelFailure(name: FailureName, details: FailureDetails = {}): ModelAnswer {
  if (!isFailureName(name))
    throw new SandboxError(
      `unknown failure ${JSON.stringify(name)}; it must be one of ${Object.keys(failures).join(', ')}`,
    );
  rejectUnknownNames(details, ['upstreamStatus', 'entries']);
  const { upstreamStatus = 200 } = details;
  if (!Number.isInteger(upstreamStatus) || upstreamStatus < 100 || upstreamStatus > 599)
    throw new SandboxError('the upstream status must be an integer from 100 to 599');
  return new ModelAnswer({
    durationMs: 0,
    upstreamStatus: details.upstreamStatus ?? failures[name],
    outcome: { kind: name, entries: details.entries },
  });
}

/** Creates a file that a handler returns instead of JSON. Copies the bytes. */
export function modelFile(bytes: Bytes, mediaType: string): ModelAnswer {
  return new ModelAnswer(outputAttempt({ mediaType, content: new Uint8Array(bytes) }));
}

/** A function that replaces the provider of a model. It gets the validated input and returns the output. */
export type ModelHandler = (input: JsonObject) => ModelAnswer | object | string | number | boolean | null;
/** A model of the generated packages, with the types of its input and output. */
export type TypedModel<Input, Output> = {
  readonly id: string;
  readonly types?: { readonly input: Input; readonly output: Output };
};
/** A handler whose types are checked against the model. */
export type TypedHandler<Input, Output> = (input: Input) => Output | ModelAnswer;
export type ModelBehaviour = {
  /** Duration of each run, in milliseconds on the sandbox's clock. */
  latencyMs?: number;
  /** Fraction of runs that fail, from 0 to 1. The sandbox's seed decides which ones. */
  failureRate?: number;
  /** The failure of the runs that `failureRate` selects. Default: a `provider_error`. */
  failure?: ModelAnswer;
};

type Behaviour = ModelBehaviour & { handler: ModelHandler | undefined; random: () => number };

/** Thrown if a handler throws or returns an invalid value. That is a bug in the test, so the caller gets no reply. */
export class HandlerError extends Error {
  override readonly name = 'HandlerError';
}

/** Behaviours that tests set for individual models. */
export type Behaviours = {
  /** Sets a behaviour. Returns a function that removes it. Throws SandboxError for an invalid one. */
  set(model: string, handler: ModelHandler | undefined, behaviour: ModelBehaviour): () => void;
  remove(model: string): void;
  clear(): void;
  /** Runs an attempt of this model. `usual` runs it if no handler was set for the model. */
  attempt(model: string, input: JsonObject, usual: () => Attempt): Attempt;
};

export function createBehaviours(seed: number): Behaviours {
  const behaviours = new Map<string, Behaviour>();
  return {
    set: (model, handler, behaviour) => {
      checkBehaviour(handler, behaviour);
      const one = { ...behaviour, handler, random: createRandom(`behaviour ${seed} ${model}`) };
      behaviours.set(model, one);
      return () => {
        if (behaviours.get(model) === one) behaviours.delete(model); // Keep a behaviour that was set later.
      };
    },
    remove: (model) => void behaviours.delete(model),
    clear: () => behaviours.clear(),
    attempt: (model, input, usual) => {
      const behaviour = behaviours.get(model);
      if (behaviour === undefined) return usual();
      const { handler, latencyMs, failureRate = 0, failure = modelFailure('provider_error'), random } = behaviour;
      const run = (): Attempt => (handler === undefined ? usual() : callHandler(model, handler, input));
      const attempt = random() < failureRate ? failure.attempt : run();
      return latencyMs === undefined ? attempt : { ...attempt, durationMs: latencyMs };
    },
  };
}

function callHandler(model: string, handler: ModelHandler, input: JsonObject): Attempt {
  try {
    const answer = handler(structuredClone(input));
    if (answer instanceof ModelAnswer) return answer.attempt;
    // `stringify` returns undefined for a value that JSON can't represent, such as a function.
    const text: string | undefined = JSON.stringify(answer);
    if (text === undefined) throw new TypeError('it must return JSON, modelFailure(…) or modelFile(…)');
    return outputAttempt({ mediaType: 'application/json', content: JSON.parse(text) });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new HandlerError(`the handler of ${model} failed: ${reason}`, { cause });
  }
}

function checkBehaviour(handler: unknown, behaviour: unknown): void {
  if (handler !== undefined && typeof handler !== 'function') throw new SandboxError('the handler must be a function');
  if (!isJsonObject(behaviour)) throw new SandboxError('the behaviour of a model must be an object');
  rejectUnknownNames(behaviour, ['latencyMs', 'failureRate', 'failure']);
  const { latencyMs = 0, failureRate = 0 } = behaviour;
  parseInteger('latencyMs', latencyMs);
  if (typeof failureRate !== 'number' || !(failureRate >= 0 && failureRate <= 1))
    throw new SandboxError('failureRate must be a number from 0 to 1');
  const failure: unknown = Reflect.get(behaviour, 'failure');
  if (failure !== undefined && !(failure instanceof ModelAnswer))
    throw new SandboxError('failure must be created with modelFailure(…)');
}
