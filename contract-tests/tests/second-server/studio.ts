import { type Attempt, canonical, digest, type Failure, fail, json } from './attempts.ts';
import type { Input } from './input.ts';
import type { Model } from './models.ts';

// The simulated providers of the catalog: what a model makes of an input, and what can go wrong.

const failures = {
  policy: fail('request', 400, 'content_policy_violation', 'The provider refused this subject.', {
    upstreamStatus: 400,
  }),
  provider_error: fail('provider', 502, 'provider_error', 'The provider reported a failure.', { upstreamStatus: 500 }),
  garbled: fail('provider', 502, 'provider_error', 'The answer of the provider is not a result.', {
    upstreamStatus: 200,
  }),
  timeout: fail('provider', 504, 'provider_timeout', 'The provider did not answer in time.'),
  internal: fail('router', 500, 'internal_error', 'The router failed.'),
  refused_input: fail('request', 422, 'invalid_input', 'The provider rejects the input.', {
    upstreamStatus: 422,
    problems: [{ loc: ['note'], msg: 'The provider cannot use this note.', type: 'note_unusable' }],
  }),
} as const satisfies Record<string, Failure>;

const failureNamed = (name: unknown): Failure | undefined =>
  Object.entries(failures).find(([known]) => known === name)?.[1];

/** The same model and input always give the same bytes, whichever route asks. */
export function attemptNative(model: Model, input: Input): Attempt {
  const words = [input['prompt'], input['scene'], input['text'], input['note']].join(' ');
  return words.includes('[disallowed]') ? failures.policy : make(model, input);
}

export function make(model: Model, input: Input): Attempt {
  const seed = digest(`${model.id}\n${canonical(input)}`).toString('hex');
  switch (model.behaviour) {
    case 'flaky':
      return failures.provider_error;
    case 'still':
      return { ...json(stills(seed, input)), creditsUsed: 3 };
    case 'clip':
      return json({
        clip: { url: `https://assets.example/clips/${seed}.mp4`, seconds: input['seconds'] ?? 4 },
        last_frame: { url: `https://assets.example/frames/${seed}.png` },
      });
    case 'voice':
      return { kind: 'output', replayable: true, output: { mediaType: 'audio/wav', bytes: sound(seed) } };
    case 'caption':
      return caption(seed, input);
    case 'upscale':
      // The result stays with its provider, so the router keeps no record that it could replay.
      return json({ asset: `https://cdn.media-provider.example/${seed}?expires=3600` }, false);
    case 'pattern':
      return { kind: 'output', replayable: true, output: { mediaType: 'image/svg+xml', bytes: drawing(seed, input) } };
    case 'obedient':
      return failureNamed(input['outcome']) ?? json({ note: input['note'] ?? 'done', run: seed.slice(0, 12) });
    default:
      throw new Error(`${model.id} is served elsewhere.`);
  }
}

const stills = (seed: string, input: Input) => ({
  pictures: pictures(seed, input),
  model_version: '1.2.7',
  cost: { amount: 0.04, currency: 'EUR' },
});

const pictures = (seed: string, input: Input) =>
  Array.from({ length: typeof input['count'] === 'number' ? input['count'] : 1 }, (_, index) => ({
    url: `https://assets.example/stills/${seed}-${index}.png`,
    width: input['width'] ?? 768,
  }));

function sound(seed: string): Buffer {
  const samples = Buffer.concat(Array.from({ length: 40 }, (_, index) => digest(`${seed}${index}`)));
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  for (const [index, word] of [16, 0x10001, 8000, 8000].entries()) head.writeUInt32LE(word, 16 + 4 * index);
  head.writeUInt32LE(0x80001, 32);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

function caption(seed: string, input: Input): Attempt {
  if (typeof input['picture'] === 'number') {
    return fail('request', 422, 'invalid_input', 'The provider rejects the input.', {
      upstreamStatus: 422,
      problems: [{ loc: ['picture'], msg: 'picture has to be text', type: 'string_type', input: input['picture'] }],
    });
  }
  const text = `A picture with the mark ${seed.slice(0, 8)}.\n`;
  return {
    kind: 'output',
    replayable: true,
    output: { mediaType: 'text/plain; charset=utf-8', bytes: Buffer.from(text) },
  };
}

const drawing = (seed: string, input: Input): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><title>${seed}</title>` +
      `<rect width="${Number(input['tiles'] ?? 4)}" height="8" fill="#${seed.slice(0, 6)}"/></svg>\n`,
  );
