import type { Input } from './input.ts';
import type { Model } from './models.ts';
import { type Attempt, make } from './provider.ts';

// The second provider of a model has its own schema: `text_prompt` and `pixels` instead of `prompt` and `width`.

const renamed: Record<string, string> = {
  prompt: 'text_prompt',
  width: 'pixels',
  outcome: 'wish',
  delay_ms: 'pause',
  note: 'remark',
};
const known = new Set([...Object.keys(renamed), 'count', 'aspect', 'seed']);

export type Conversion = { readonly input: Input; readonly dropped: readonly string[] };

export function convertInput(provider: string, native: Input): Conversion {
  const kept = Object.entries(native).filter(([name]) => known.has(name));
  const dropped = Object.keys(native).filter((name) => !known.has(name));
  return {
    input: Object.fromEntries(kept.map(([name, value]) => [renamed[name] ?? name, value])),
    dropped: dropped.map(
      (name) => `${name.slice(0, 80)} was left out, because ${provider} has no such field, nor a similar one.`,
    ),
  };
}

/** Runs an input of the alternate schema. This provider has another policy, and does not fail on request. */
export function attemptAlternate(model: Model, input: Input): Attempt {
  const back = Object.fromEntries(Object.entries(renamed).map(([native, theirs]) => [theirs, native]));
  const native = Object.fromEntries(Object.entries(input).map(([name, value]) => [back[name] ?? name, value]));
  if (typeof input['text_prompt'] !== 'string' && typeof input['wish'] !== 'string') {
    return {
      kind: 'failure',
      blame: 'request',
      status: 422,
      errorType: 'invalid_input',
      detail: 'The provider rejects the input.',
      upstreamStatus: 400,
      problems: [{ loc: ['text_prompt'], msg: 'text_prompt is required', type: 'missing' }],
    };
  }
  const behaviour = model.behaviour === 'flaky' ? 'still' : model.behaviour;
  const made = make({ ...model, behaviour }, behaviour === 'obedient' ? { ...native, outcome: 'success' } : native);
  if (made.kind === 'failure') return made;
  const raw = { provider_job: 'finished', files: JSON.parse(made.output.bytes.toString()) };
  return { ...made, output: { ...made.output, bytes: Buffer.from(JSON.stringify(raw)) } };
}

/** A panorama comes as tiles, which the native contract cannot express: then the raw response stays. */
export function convertOutput(made: Attempt, input: Input, log: (line: string) => void): Attempt {
  if (made.kind === 'failure') return made;
  if (input['aspect'] === 'panorama') {
    log('output conversion failed: a panorama has no native form');
    return made;
  }
  const raw = JSON.parse(made.output.bytes.toString());
  return { ...made, output: { ...made.output, bytes: Buffer.from(JSON.stringify(raw.files, null, 1)) } };
}
