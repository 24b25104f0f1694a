import { describe, expect, test } from 'vitest';
import { dereference } from '../src/documents/references.ts';
import { buildEffectiveSpecs } from '../src/effective-specs.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../src/json.ts';
import { defaultSpecSettings } from '../src/settings.ts';

// Where the documents say in words what no schema can: a statement of the API, its place, and what has to stand there.

const specs = await buildEffectiveSpecs(defaultSpecSettings);
const documents = {
  router: specs.modelRouter,
  workflow: specs.workflowExecution,
};

const run = 'paths /v2/models/{provider}/{model} post';
const submit = 'paths /v2/models/{provider}/{model}/requests post';
const collect = 'paths /v2/models/{provider}/{model}/requests/{request_id} get';
const lookup = 'paths /api/v2/jobs/{id}/workflow get';
const key = 'components parameters IdempotencyKey';
const output = 'components schemas ModelOutput';

type Statement = readonly [claim: string, place: string, ...says: readonly RegExp[]];

const router: readonly Statement[] = [
  ['a local abort does not necessarily cancel', run, /does not necessarily cancel work that a provider has accepted/],
  [
    'no model_provider, or strict_mode, leaves the body as it is',
    run,
    /Without `model_provider`, or with `strict_mode=true`/,
  ],
  ['a fallback converts bodies too', run, /fallback to another provider converts the body and discloses its drops/],
  [
    'a fallback converts bodies too',
    'components parameters FallbackProvider',
    /body is then converted.*`X-Service-Router-Dropped-Params`/,
  ],
  [
    'a fallback converts bodies too',
    'components headers RouterDroppedParams',
    /`model_provider` asks for or that of a fallback/,
  ],
  [
    'other 5xx on a run',
    run,
    /504 without `Retry-After`, any other 5xx or no answer/,
    /limited number of times, and never without the key/,
  ],
  ['other 5xx on a submission', submit, /After a 5xx or no answer.*limited number of times, and never without its key/],
  [
    'other 5xx anywhere',
    'info',
    /Repeat a POST only with its key and unchanged, a limited number of times.*recovery is not guaranteed/,
  ],
  [
    '503 says retry, a POST with its key',
    'components responses ServiceUnavailable',
    /Retry with backoff, a POST only with its key/,
  ],
  [
    '429 rate_limited',
    `${run} responses 429`,
    /`rate_limited`: the request quota is used up; wait `Retry-After`, then send the same request with the same key/,
  ],
  [
    '429 concurrency_limit_exceeded',
    `${run} responses 429`,
    /`concurrency_limit_exceeded`:.*the spend headers show; have fewer calls running, then send the same request with the same key/,
  ],
  [
    'rate_limited on an assumed default',
    'components responses UnlistedFailure',
    /After `rate_limited`, wait `Retry-After`/,
  ],
  ['rate_limited on a listed default', 'components responses OtherFailure', /After `rate_limited`, wait `Retry-After`/],
  [
    'key rule 2: what uses a key up',
    key,
    /oversized response, by a response that could not be stored, or by an asset that is not safe to give again/,
    /No waiting brings such a result back, and a new key starts a new call/,
  ],
  [
    'key rule 3: what releases a key',
    key,
    /refusal before a provider was called sets the key free/,
    /hold on to the provider's work/,
  ],
  ['key rule 5: kept with model id and body', key, /store it with model id and body before sending/],
  [
    'key rule 6: the scope of a key',
    key,
    /belongs to the workspace of the credential, or to the user/,
    /that member's result or a conflict/,
    /another credential may start a separate billed call/,
  ],
  [
    'key rule 7: how long a key lasts',
    key,
    /kept for 24 hours, which repetitions do not extend/,
    /gives no earlier result, does not prevent a new run, and does not renew the URLs of assets/,
  ],
  [
    'the image family',
    output,
    /\| image generation \| completed assets; draft cache assets, if the result has any \| 24 hours \|/,
  ],
  [
    'the video family',
    output,
    /\| video, its video models only \| completed video; last-frame image, if the result has one \| 24 hours \|/,
  ],
  ['the second video family', output, /\| a second one for video \| completed video \| 12 hours \|/],
  [
    'the image-and-video family',
    output,
    /\| images and video \| every generated image; completed video \| 24 hours \|/,
  ],
  [
    'response.videos[]',
    output,
    /`response\.videos\[\]` has `bytesBase64Encoded`, the clip inline, or `gcsUri`/,
    /signed by the service and valid for 24 hours from the response/,
  ],
  ['assets: a replay renews nothing', output, /counts from the signing.*a replay renews none.*download promptly/],
  [
    'assets: copying may fail',
    output,
    /Where it fails the provider's reference stays, the run still succeeds and is billed/,
  ],
  ['assets: hosting decides about replays', output, /hosted also decides whether its key can give it again/],
  ['outputs are not checked by the router', output, /router does not check it against the model's output schema/],
  [
    'outputs are not checked by the router',
    `${run} responses 200`,
    /Nobody has checked it against the model's output schema/,
  ],
  ['submit: a 422 costs nothing', `${submit} responses 422`, /no provider was called, and nothing is billed/],
  ['collect: a 422 may cost something', `${collect} responses 422`, /Whether that is billed is not known/],
  [
    'a replay is also what a key collects',
    'components headers IdempotentReplayed',
    /a recorded result, or a generation that the key has collected now that it is finished/,
  ],
  [
    'what a cursor is',
    'components schemas Cursor',
    /made by the router and opaque: to be handed back unchanged/,
    /neither an offset nor a model id, has no order, and may stop working when the catalog is rebuilt/,
  ],
  [
    'growth is announced for categories alone',
    'info',
    /set of error categories is expected to grow/,
    /members and headers as well is assumed/,
  ],
];

const workflow: readonly Statement[] = [
  ['how long a job can be read', 'info', /state of a job and its outputs can be fetched by its id until `expires_at`/],
  ['how long a workflow can be read', lookup, /lives as long as the job, until `expires_at`/],
  ['submission is idempotent', 'info', /Submitting a job is idempotent/],
  ['everything by polling', 'info', /Whatever the API can do can be done by plain GET polling/],
  ['the live stream', 'info', /server-sent events adds comfort.*never the source of truth/],
  ['follow-up URLs', 'info', /Responses hold the URLs of what follows\. Follow those/],
  ['hashes', 'info', /The server computes the blob's blake3 hash.*null until then, and that may be late/],
  [
    'deployment codes are scoped',
    'components schemas ErrorCode anyOf 0 x-enum-descriptions deployment_not_ready',
    /On what is scoped to a deployment\. It can still become ready/,
  ],
  [
    'deployment codes are scoped',
    'components schemas ErrorCode anyOf 0 x-enum-descriptions deployment_stopped',
    /On what is scoped to a deployment\. Final until an operator acts/,
  ],
  [
    'rule 4, second half',
    'components schemas ApiJobWorkflow',
    /or the whole workflow it belongs to, the caller can no longer read, for example because it was deleted\. That is no error/,
  ],
  [
    'save is verbatim, of the version that ran',
    'components schemas SavedJobWorkflow',
    /verbatim and at the version that the job ran/,
  ],
  [
    'a credential may be left out',
    'components securitySchemes bearer',
    /asks for nothing unless it was given a static token/,
  ],
];

/** Names of members, as a path: a pointer would hide them behind `~1`. */
function textAt(document: JsonObject, place: string): string {
  const found = place.split(' ').reduce<JsonValue | undefined>((node, name) => {
    const at = dereference(document, node).value;
    return isJsonObject(at) ? at[name] : Array.isArray(at) ? at[Number(name)] : undefined;
  }, document);
  const target = dereference(document, found).value;
  const text = isJsonObject(target) ? target['description'] : target;
  return String(text).replace(/\s+/g, ' ');
}

describe.each([
  ['router', router],
  ['workflow', workflow],
] as const)('the %s document says', (name, statements) => {
  test.each(statements.map(([claim, place, ...says]) => ({ claim, place, says })))(
    '$claim, at $place',
    ({ place, says }) => {
      for (const words of says) expect(textAt(documents[name], place)).toMatch(words);
    },
  );
});

describe('the documents do not say', () => {
  test.each([
    ['that a local abort never stops work', /does not stop work/],
    ['that the last page has no cursor', /absent on the last page/],
    ['that members are announced to grow', /may gain members, headers/],
  ])('%s', (_claim, words) => {
    expect(JSON.stringify(documents)).not.toMatch(words);
  });
});

/** What is assumed has its mark at the place: assumption, document, place. */
const marks: readonly (readonly [id: string, document: keyof typeof documents, ...places: string[]])[] = [
  ['NS-32', 'router', key],
  ['NS-73', 'router', ...['ProviderSlug', 'ModelSlug', 'ModelId'].map((name) => `components schemas ${name}`)],
  ['NS-74', 'router', 'components parameters Limit'],
  ['NS-75', 'router', `${run} responses 422`, `${submit} responses 422`, `${collect} responses 422`],
  ['NS-76', 'router', `${run} responses 504`, 'components headers RetryAfterOfAcceptedWork'],
  ['NS-77', 'router', 'components parameters RequestId'],
  ['NS-78', 'router', `${run} responses 400`, `${run} responses 422`, 'components headers IdempotentReplayedOfRefusal'],
  ['NS-79', 'router', `${submit} responses 201`],
  ['NS-80', 'router', ...['Status', 'Collect', 'Cancel'].map((name) => `components links ${name}`)],
  ['NS-81', 'router', `${run} responses 200`, `${run} responses 429`, 'components headers CommittedSpendLimit'],
  ['NS-82', 'router', 'components headers RetryAfterWhilePending'],
  ['NS-83', 'router', `${submit} responses 422`, `${collect} responses 422`],
  ['NS-84', 'router', 'components headers CacheControl'],
  ['NS-85', 'router', 'info'],
  ['NS-86', 'router', 'components schemas ModelList properties next_cursor'],
  [
    'NS-87',
    'router',
    ...['RequestId', 'UpstreamStatus', 'RouterFallbackProvider', 'CreditsUsed'].map(
      (name) => `components headers ${name}`,
    ),
  ],
  ['NS-87', 'router', 'components schemas UpstreamStatus', 'components schemas Cents'],
  [
    'NS-88',
    'router',
    'paths /v2/models get responses 200',
    `${run} responses 200`,
    `${submit} responses 201`,
    `${collect} responses 202`,
  ],
  ['NS-89', 'router', 'info'],
  ['NS-89', 'workflow', 'info'],
  ['NS-90', 'workflow', 'components schemas ErrorCode anyOf 0'],
  ['NS-91', 'workflow', 'components headers RetryAfter'],
  ['NS-92', 'workflow', lookup],
  ['NS-62', 'workflow', 'info'],
];

test.each(marks.map(([id, name, ...places]) => ({ id, name, places })))(
  '$id is marked in the $name document',
  (mark) => {
    for (const place of mark.places) {
      const node = place.split(' ').reduce<JsonValue | undefined>((at, member) => {
        return isJsonObject(at) ? at[member] : Array.isArray(at) ? at[Number(member)] : undefined;
      }, documents[mark.name]);
      expect([isJsonObject(node) ? node['x-assumption'] : undefined].flat(), place).toContain(mark.id);
    }
  },
);
