import { attemptSecond, convertBack, convertNative } from './alternates.ts';
import { type Attempt, json, type Sent } from './attempts.ts';
import { galleryResult } from './gallery.ts';
import type { Input } from './input.ts';
import type { Model } from './models.ts';
import { attemptOutcome, attemptSecondOutcome, convertOutcome, convertSecondOutput } from './outcomes.ts';
import type { Site } from './site.ts';
import { attemptNative } from './studio.ts';

// Which provider serves a call, and the conversion for one that is not the model's own.

export function attempt(site: Site, model: Model, sent: Sent): Attempt {
  switch (model.behaviour) {
    case 'outcomes':
      return attemptOutcome(site, model, sent);
    case 'second-outcomes':
      return attemptSecondOutcome(model, sent);
    case 'gallery': {
      const { result, replayable } = galleryResult(site, model, sent.input);
      return json(result, replayable);
    }
    default:
      return attemptNative(model, sent.input);
  }
}

/** The alternate provider with a body of its own schema. */
export function attemptAlternate(site: Site, model: Model, sent: Sent): Attempt {
  const second = site.models.find((one) => one.behaviour === 'second-outcomes');
  if (model.behaviour === 'outcomes' && second) return attemptSecondOutcome(second, sent);
  return attemptSecond(model, sent.input);
}

export type Converted = { readonly sent: Sent; readonly dropped: readonly string[] };

export const convertInput = (model: Model, provider: string, native: Input): Converted =>
  model.behaviour === 'outcomes' ? convertOutcome(native) : convertNative(provider, native);

/** What cannot be converted back is passed on as it is, and logged. */
export function convertOutput(site: Site, model: Model, made: Attempt, native: Input): Attempt {
  if (made.kind === 'failure') return made;
  const raw = made.output.bytes;
  const bytes = model.behaviour === 'outcomes' ? convertSecondOutput(raw) : convertBack(raw, native);
  if (!bytes) site.log(`The output of the other provider of ${model.id} could not be converted.`);
  return { ...made, output: { ...made.output, bytes: bytes ?? raw } };
}

const obeying = new Set(['outcomes', 'second-outcomes', 'obedient']);

export function estimateMs(model: Model, input: Input, via: 'run' | 'queue'): number {
  if (!obeying.has(model.behaviour)) return model.durationMs;
  const answersAtOnce = input['outcome'] === 'provider_timeout' || input['collectable'] === false;
  return via === 'run' && answersAtOnce ? 0 : Number(input['delay_ms'] ?? 0);
}
