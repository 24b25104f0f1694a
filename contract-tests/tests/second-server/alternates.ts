import { type Attempt, fail, type Sent } from './attempts.ts';
import type { Input } from './input.ts';
import type { Model } from './models.ts';
import { make } from './studio.ts';

// The second provider of a model has its own schema: `text_prompt` and `pixels` instead of `prompt` and `width`.

const renamed: Record<string, string> = {
  prompt: 'text_prompt',
  width: 'pixels',
  outcome: 'wish',
  delay_ms: 'pause',
  note: 'remark',
};
const known = new Set([...Object.keys(renamed), 'count', 'aspect', 'seed']);

export function convertNative(provider: string, native: Input): { sent: Sent; dropped: string[] } {
  const kept = Object.entries(native).filter(([name]) => known.has(name));
  const dropped = Object.keys(native).filter((name) => !known.has(name));
  const input = Object.fromEntries(kept.map(([name, value]) => [renamed[name] ?? name, value]));
  return {
    sent: { input, bytes: Buffer.from(JSON.stringify(input)) },
    dropped: dropped.map(
      (name) => `${name.slice(0, 80)} was left out, because ${provider} has no such field, nor a similar one.`,
    ),
  };
}

/** Runs an input of the alternate schema. This provider has another policy, and does not fail on request. */
export function attemptSecond(model: Model, input: Input): Attempt {
  const back = Object.fromEntries(Object.entries(renamed).map(([native, theirs]) => [theirs, native]));
  const native = Object.fromEntries(Object.entries(input).map(([name, value]) => [back[name] ?? name, value]));
  if (typeof input['text_prompt'] !== 'string' && typeof input['wish'] !== 'string') {
    const problems = [{ loc: ['text_prompt'], msg: 'text_prompt is required', type: 'missing' }];
    return fail('request', 422, 'invalid_input', 'The provider rejects the input.', { upstreamStatus: 400, problems });
  }
  const behaviour = model.behaviour === 'flaky' ? 'still' : model.behaviour;
  const made = make({ ...model, behaviour }, behaviour === 'obedient' ? { ...native, outcome: 'success' } : native);
  if (made.kind === 'failure') return made;
  const raw = { provider_job: 'finished', files: JSON.parse(made.output.bytes.toString()) };
  return { ...made, output: { ...made.output, bytes: Buffer.from(JSON.stringify(raw)) } };
}

/** A panorama comes as tiles, which the native contract cannot express. */
export function convertBack(raw: Buffer, native: Input): Buffer | undefined {
  if (native['aspect'] === 'panorama') return undefined;
  return Buffer.from(JSON.stringify(JSON.parse(raw.toString()).files, null, 1));
}
