import { createHash } from 'node:crypto';
import type { FieldProblem } from './answers.ts';
import { type Attempt, fail, type Sent } from './attempts.ts';
import { checkInput, type Input, isObject } from './input.ts';
import { assetBytes, providerLink, signedLink } from './links.ts';
import type { Model } from './models.ts';
import type { Site } from './site.ts';

// Two providers for tests that do what their input says. docs/reference/test-hooks.md describes both.

const invented: FieldProblem = { loc: ['outcome'], msg: 'The provider cannot use this value.', type: 'unusable' };

/** What becomes of a run that does not succeed. */
function findFailure(word: string, input: Input): Attempt | undefined {
  const upstream = (usual: number) => ({ upstreamStatus: Number(input['upstream_status'] ?? usual) });
  const problems = (input['entries'] as FieldProblem[] | undefined) ?? [invented];
  switch (word) {
    case 'content_policy_violation':
      return fail('request', 400, word, 'The provider refused this subject.', upstream(400));
    case 'refused_input':
      return fail('request', 422, 'invalid_input', 'The provider rejects fields.', { ...upstream(422), problems });
    case 'refused_request':
      return fail('request', 400, 'invalid_input', 'The provider rejects the request.', upstream(400));
    case 'provider_error':
      return fail('provider', 502, word, 'The provider reported a failure.', upstream(500));
    case 'uninterpretable':
      return fail('provider', 502, 'provider_error', 'The answer of the provider is not a result.', upstream(200));
    case 'provider_timeout':
      return fail('provider', 504, word, 'The provider did not answer in time.');
    case 'internal_error':
      return fail('router', 500, word, 'The router failed.');
    case 'service_unavailable':
      return fail('router', 503, word, 'Please try again later.');
    case 'deadline_exceeded':
      if (input['collectable'] !== false) return undefined;
      return fail('nobody', 504, word, 'The router stopped waiting, and cannot collect the result.', {
        ...(input['upstream_status'] !== undefined && upstream(202)),
      });
    default:
      return undefined;
  }
}

/** The router lets go of a call at once when its input asks for a deadline. */
export const isHeldAtOnce = (model: Model, input: Input): boolean =>
  model.behaviour === 'outcomes' && input['outcome'] === 'deadline_exceeded' && input['collectable'] !== false;

/** A 2xx, since the provider accepted the work. */
export function acceptedStatus(input: Input): number {
  const wanted = Number(input['upstream_status'] ?? 202);
  return wanted < 300 ? wanted : 202;
}

const received = (model: Model, bytes: Buffer, word: string) => ({
  provider: model.provider,
  model: model.id,
  bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  ...(word === 'echo' && { text: bytes.toString() }),
});

export function attemptOutcome(site: Site, model: Model, { input, bytes }: Sent): Attempt {
  const word = String(input['outcome'] ?? 'succeed');
  const failure = findFailure(word, input);
  if (failure) return failure;
  const name = createHash('sha256').update(bytes).digest('hex');
  const size = Number(input['size_bytes'] ?? 0);
  const mediaType = input['media_type'];
  const credits = typeof input['credits_used'] === 'number' ? { creditsUsed: input['credits_used'] } : {};
  if (typeof mediaType === 'string') {
    const file = Buffer.concat([assetBytes(name), Buffer.alloc(size, 0xa5)]);
    return { kind: 'output', replayable: true, output: { mediaType, bytes: file }, ...credits };
  }
  const { members, replayable } = makeAssets(site, name, input);
  const result = {
    outcome: word,
    served_by: model.provider,
    received: received(model, bytes, word),
    ...(size > 0 && { padding: '.'.repeat(size) }),
    ...members,
  };
  return { ...makeOutput(result), replayable, ...credits };
}

const makeOutput = (result: object) => ({
  kind: 'output' as const,
  replayable: true,
  output: { mediaType: 'application/json', bytes: Buffer.from(JSON.stringify(result, null, '\t')) },
});

type Wanted = { readonly hosting: string; readonly media_type?: string };

function makeAssets(site: Site, run: string, input: Input): { members: object; replayable: boolean } {
  if (!Array.isArray(input['assets'])) return { members: {}, replayable: true };
  const wanted = (input['assets'] as Wanted[]).map((one, index) => ({ ...one, name: `${run}-${index}` }));
  const isVideo = (one: Wanted) => one.hosting === 'direct_write' || one.hosting === 'inline_video';
  const assets = wanted.filter((one) => !isVideo(one)).map((one) => makeAsset(site, one));
  const videos = wanted.filter(isVideo).map((one) => {
    const mimeType = one.media_type ?? 'video/mp4';
    return one.hosting === 'direct_write'
      ? { mimeType, gcsUri: signedLink(site, 'written', one.name, mimeType, 24) }
      : { mimeType, bytesBase64Encoded: assetBytes(one.name).toString('base64') };
  });
  return {
    members: { assets, ...(videos.length > 0 && { response: { videos } }) },
    // A link of the provider may be dead when its record is replayed.
    replayable: !wanted.some((one) => one.hosting === 'provider' || one.hosting === 'failed_copy'),
  };
}

function makeAsset(site: Site, { hosting, media_type = 'image/png', name }: Wanted & { name: string }): object {
  if (hosting === 'inline') return { media_type, bytes_base64: assetBytes(name).toString('base64') };
  if (hosting === 'provider' || hosting === 'failed_copy') return { media_type, url: providerLink(name) };
  return { media_type, url: signedLink(site, 'copies', name, media_type, hosting === 'hosted_12h' ? 12 : 24) };
}

/** The second provider refuses on its own what its schema refuses. */
export function attemptSecondOutcome(model: Model, { input, bytes }: Sent): Attempt {
  try {
    checkInput(model, input);
  } catch {
    const problems = [{ ...invented, loc: Object.keys(input).slice(0, 1) }];
    return fail('request', 422, 'invalid_input', 'The provider rejects fields.', { upstreamStatus: 422, problems });
  }
  const word = String(input['alternate_outcome'] ?? 'succeed');
  const state = word === 'odd_output' ? { state: 'odd' } : { outcome: word };
  const result = { ...state, served_by: model.provider, received: received(model, bytes, word), engine: 'second' };
  return findFailure(word, input) ?? makeOutput(result);
}

const taken = ['alternate_outcome', 'delay_ms', 'prompt'];

export function convertOutcome(native: Input): { sent: Sent; dropped: string[] } {
  const fits = (name: string) => taken.includes(name) && !(name === 'prompt' && String(native[name]).length > 200);
  const input = Object.fromEntries(
    taken.filter((name) => name in native && fits(name)).map((name) => [name, native[name]]),
  );
  const dropped = Object.keys(native).filter((name) => !fits(name));
  return {
    sent: { input, bytes: Buffer.from(JSON.stringify(input)) },
    dropped: dropped.map((name) => `${name} was left out, because the other provider has no field that can hold it.`),
  };
}

export function convertSecondOutput(bytes: Buffer): Buffer | undefined {
  const result: unknown = JSON.parse(bytes.toString());
  if (!isObject(result) || !('outcome' in result)) return undefined;
  const { engine: _engine, ...native } = result;
  return Buffer.from(JSON.stringify(native, null, '\t'));
}
