import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Headers, type Input, Refusal } from './answers.ts';
import type { Model } from './models.ts';
import type { Output, Result, World } from './world.ts';

export type RunOptions = { readonly provider?: string; readonly fallback?: string; readonly isStrict?: boolean };

/** True if the request caused the failure: other providers would also reject it, and a retry with its key gets the same error. */
export const isFinal = ({ status }: Refusal): boolean => status < 500;

/** Runs a model. Equal inputs give equal bytes for synchronous and queued runs. */
export async function dispatch({ dispatched }: World, model: Model, input: Input, options: RunOptions = {}) {
  const { provider, fallback, isStrict = false } = options;
  dispatched.push(model.id);
  await wait(model.durationMs);
  const first = serve(model, input, provider, isStrict);
  if (!(first.attempt instanceof Refusal) || fallback === undefined || isStrict) return first;
  if (isFinal(first.attempt)) return first;
  const second = serve(model, input, fallback === model.alternates[0] ? fallback : undefined, false);
  return second.attempt instanceof Refusal ? first : { ...second, fallback };
}

/** Names of members in the native input, and in the schema of the second provider, which has no other members. */
const renamed: Readonly<Record<string, string>> = {
  prompt: 'text_prompt',
  width: 'pixels',
  count: 'count',
  seed: 'seed',
};

function serve(model: Model, input: Input, provider: string | undefined, isStrict: boolean): Result {
  if (provider === undefined) return { attempt: attemptNative(model, input), dropped: [] };
  if (isStrict) return { attempt: attemptSecond(model, input), dropped: [] };
  const members = Object.entries(input);
  const converted = Object.fromEntries(
    members.flatMap(([name, value]) => (renamed[name] ? [[renamed[name], value]] : [])),
  );
  const attempt = attemptSecond(model, converted);
  const dropped = members.flatMap(([name]) =>
    renamed[name] ? [] : `${name.slice(0, 80)} was left out, because ${provider} has no such field, nor a similar one.`,
  );
  if (attempt instanceof Refusal) return { attempt, dropped };
  return { attempt: asJson(JSON.parse(attempt.bytes.toString()).files), dropped };
}

const asJson = (value: unknown): Output => ({
  mediaType: 'application/json',
  bytes: Buffer.from(JSON.stringify(value, null, 1)),
});

const upstream = (status: number): Headers => ({ 'x-service-upstream-status': status });
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

function attemptNative(model: Model, input: Input): Output | Refusal {
  if (JSON.stringify(input).includes('[disallowed]'))
    return new Refusal(400, 'content_policy_violation', 'The provider rejected this subject.', upstream(400));
  const seed = digest(`${model.id}\n${JSON.stringify(input)}`);
  switch (model.behaviour) {
    case 'still':
      return { ...asJson(makeStills(seed, input)), credits: 3 };
    case 'clip':
      return asJson({
        clip: { url: `https://assets.example/clips/${seed}.mp4`, seconds: input['seconds'] ?? 4 },
        last_frame: { url: `https://assets.example/frames/${seed}.png` },
      });
    case 'voice':
      return { mediaType: 'audio/wav', bytes: Buffer.from(`RIFF${seed.repeat(20)}`) };
    case 'caption':
      return { mediaType: 'text/plain; charset=utf-8', bytes: Buffer.from(`A picture with the mark ${seed}.\n`) };
    case 'pattern':
      return {
        mediaType: 'image/svg+xml',
        bytes: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" id="${seed}"/>\n`),
      };
    case 'flaky':
      return new Refusal(502, 'provider_error', 'The provider reported a failure.', upstream(500));
  }
}

const makeStills = (seed: string, input: Input) => ({
  pictures: Array.from({ length: Number(input['count'] ?? 1) }, (_, index) => ({
    url: `https://assets.example/stills/${seed}-${index}.png`,
    width: input['width'] ?? 768,
  })),
  model_version: '1.2.7',
  cost: { amount: 0.04, currency: 'EUR' },
});

/** Runs the second provider, which has a different content policy and a different form of results. */
function attemptSecond(model: Model, input: Input): Output | Refusal {
  if (typeof input['text_prompt'] !== 'string') {
    const detail = [{ loc: ['text_prompt'], msg: 'text_prompt is required', type: 'missing' }];
    return new Refusal(422, 'invalid_input', detail, upstream(400));
  }
  const seed = digest(`${model.id}\n${JSON.stringify(input)}`);
  return asJson({ provider_job: 'finished', files: makeStills(seed, { ...input, width: input['pixels'] ?? 768 }) });
}
