import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { ProbeContext } from '../contract/context.ts';
import { modelPath } from '../contract/discovery.ts';
import { exchangesOf, memberOf, responseOf, wasAnswered } from '../contract/evidence.ts';
import { finding, notApplicable } from '../contract/finding.ts';
import type { familyModels } from '../contract/hooks.ts';
import type { Evidence, Step } from '../contract/probe.ts';
import { type Check, defineFamily, type Rule } from '../contract/rule.ts';
import { post, type StepOptions, step } from '../contract/steps.ts';
import { hook } from '../requires.ts';
import {
  allChecks,
  type Expectation,
  expectMediaType,
  expectMember,
  expectMembers,
  expectStatus,
  type FindingsCheck,
  firstFailing,
  onResponse,
  unless,
  wrongValue,
} from './builders/expectations.ts';
import { completed } from './builders/keyed-calls.ts';
import { absent, text } from './builders/matchers.ts';
import { follow, followIfGiven, jsonBody, polled } from './builders/router-steps.ts';
import { scripted, scriptedRun, scriptedSubmit } from './builders/scripted-runs.ts';

const family = { ...scripted, family: 'assets', requires: hook('outcomes', 'assets') } as const;

/** How each asset of a run is to be hosted; the result lists them in this order. */
const hostings = [
  { hosting: 'hosted_24h', media_type: 'image/png' },
  { hosting: 'hosted_12h', media_type: 'video/mp4' },
  { hosting: 'failed_copy', media_type: 'image/png' },
  { hosting: 'provider', media_type: 'image/png' },
  { hosting: 'inline', media_type: 'image/png' },
];
const hostedAt = '/assets/0/url';
const providedAt = '/assets/3/url';
const directAt = '/response/videos/0/gcsUri';

/** Opens a link of an earlier response without a credential: its signature is enough. */
export function open(name: string, of: string, at: string, options: StepOptions = {}): Step {
  return followIfGiven(name, { of, at, credentials: [], ...options });
}

const expectAsset = expectStatus(200, ({ body, step }) =>
  body.length > 0 ? [] : [finding('body-unexpected', { step }, 'the asset', 'no bytes')],
);

/** A link to another host was tried on the target, which may stand behind a proxy; a refusal there shows nothing. */
function isElsewhere(evidence: Evidence, step: string): boolean {
  const isRebased = exchangesOf(evidence, step).some(({ rebasedFrom }) => rebasedFrom !== undefined);
  return isRebased && responseOf(evidence, step).status !== 200;
}

/** The link of the step was given, and opens. */
export const isOpen =
  (step: string): FindingsCheck =>
  (evidence, context) => {
    if (!wasAnswered(evidence, step)) return [finding('value-unexpected', { step }, 'a link to open', 'none')];
    return isElsewhere(evidence, step) ? [] : onResponse(step, expectAsset)(evidence, context);
  };

const elsewhere = notApplicable('the links lead to another host, which is not called');

const hosting = [
  scriptedRun('run', { assets: hostings }),
  open('hosted', 'run', hostedAt),
  open('hosted-video', 'run', '/assets/1/url'),
  scriptedRun('inline-video', { assets: [{ hosting: 'inline_video' }] }),
  scriptedRun('direct', { assets: [{ hosting: 'direct_write' }] }),
  open('direct-open', 'direct', directAt),
];

const hostingOfQueue = [
  scriptedRun('run', { assets: hostings }),
  scriptedSubmit('queued', { assets: hostings }),
  polled('queued-end', 'queued'),
  follow('collected', 'response_url', { of: 'queued' }),
  open('collected-hosted', 'collected', hostedAt),
];

/** The place of a link: all of it but the asset's own name. */
function placeOf(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const { origin, pathname } = new URL(value);
  return origin + pathname.replace(/[^/]*$/, '');
}

function placeIn(evidence: Evidence, step: string, pointer: string): string | undefined {
  return placeOf(memberOf(responseOf(evidence, step), pointer));
}

/** A link to the place of another link of the step `run`. */
const expectPlaceOf =
  (pointer: string, like: string): Expectation =>
  (response, _, evidence) => {
    const [place, wanted] = [placeOf(memberOf(response, pointer)), placeIn(evidence, 'run', like)];
    if (place !== undefined && place === wanted) return [];
    return wrongValue(response.step, pointer, `a link below ${wanted}`, place ?? 'no link');
  };

const expectOwnStorage: Expectation = (response, _, evidence) => {
  const [hosted, provided] = [hostedAt, providedAt].map((pointer) => placeIn(evidence, 'run', pointer));
  if (hosted !== undefined && hosted !== provided) return [];
  return wrongValue(response.step, hostedAt, `a link elsewhere than below ${provided}`, hosted ?? 'no link');
};

const copiesOpen = unless(
  (evidence) => ['hosted', 'hosted-video'].some((step) => wasAnswered(evidence, step) && isElsewhere(evidence, step)),
  elsewhere,
  allChecks(
    firstFailing(isOpen('hosted'), onResponse('hosted', expectMediaType('image/png'))),
    firstFailing(isOpen('hosted-video'), onResponse('hosted-video', expectMediaType('video/mp4'))),
  ),
);

const base64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const succeeds = 'assets.run.succeeds';
const inStorage = 'assets.copied.lie-in-service-storage';
const opens = 'assets.copied.open-without-a-credential';

const hostingRules = defineFamily({ ...family, needs: [succeeds], probe: hosting }, [
  {
    id: succeeds,
    sentence: 'A run succeeds whether or not its assets could be copied.',
    requirements: ['MR-AST-32', 'MR-AST-28', 'MR-AST-01'],
    // One of the copies fails; the generation does not.
    check: onResponse('run', expectStatus(200)),
  },
  {
    id: inStorage,
    sentence: 'Copied assets lie in the storage of the service.',
    requirements: ['MR-AST-02', 'MR-AST-30'],
    check: onResponse('run', expectOwnStorage, expectPlaceOf('/assets/1/url', hostedAt)),
  },
  {
    id: opens,
    sentence: 'The URL of a copied asset opens without a credential.',
    requirements: ['MR-AST-02'],
    needs: [inStorage],
    check: copiesOpen,
  },
  {
    id: 'assets.copied.for-the-queue-as-well',
    sentence: 'The assets of queued requests are copied too.',
    requirements: ['MR-AST-02', 'MR-COL-04'],
    needs: [opens],
    probe: hostingOfQueue,
    check: firstFailing(
      onResponse('collected', expectStatus(200, expectPlaceOf(hostedAt, hostedAt))),
      isOpen('collected-hosted'),
    ),
  },
  {
    id: 'assets.failed-copy.keeps-the-providers-reference',
    sentence: "An asset that could not be copied keeps the provider's reference.",
    requirements: ['MR-AST-29', 'MR-AST-28', 'MR-AST-30'],
    check: onResponse('run', expectPlaceOf('/assets/2/url', providedAt)),
  },
  {
    id: 'assets.inline.come-as-bytes',
    sentence: 'Inline assets come as bytes.',
    requirements: ['MR-AST-01', 'MR-AST-26'],
    check: onResponse('run', expectMembers({ '/assets/4/bytes_base64': text, '/assets/4/url': absent })),
  },
  {
    id: 'assets.inline-video.holds-the-clip',
    sentence: 'An inline video holds the clip itself.',
    requirements: ['MR-AST-22'],
    check: onResponse(
      'inline-video',
      expectMember('/response/videos/0/bytesBase64Encoded', {
        expected: 'base64 of a clip',
        is: (value) => typeof value === 'string' && base64.test(value),
      }),
    ),
  },
  {
    id: 'assets.direct-write.gives-a-link',
    sentence: 'A clip that the provider wrote to service storage comes as an HTTPS link.',
    requirements: ['MR-AST-23'],
    check: (evidence, context) => {
      const first = memberOf(responseOf(evidence, 'direct'), '/response/videos/0');
      if (isJsonObject(first) && first['gcsUri'] === undefined && first['bytesBase64Encoded'] !== undefined)
        return notApplicable('this environment gives the clip inline');
      // A sandbox signs links for the origin of the call, which may be plain HTTP.
      const scheme = context.baseUrls.router?.startsWith('http:') ? /^https?:/ : /^https:/;
      const isLink = (url: unknown): boolean => typeof url === 'string' && URL.canParse(url) && scheme.test(url);
      const link = onResponse('direct', expectMember(directAt, { expected: 'an HTTPS link', is: isLink }));
      return firstFailing(link, isOpen('direct-open'))(evidence, context);
    },
  },
]);

type AssetMember = { readonly name: string; readonly at: string; readonly requirements: readonly string[] };
export type AssetModel = {
  readonly model: (typeof familyModels)[number];
  readonly input: JsonObject;
  /** Places of the result that the provider's row lists; `name` is part of the rule's id. */
  readonly copied: readonly AssetMember[];
  readonly kept?: readonly AssetMember[];
};

/** The documented table on a sandbox's own catalog: descriptive slugs stand for the providers (NS-24). */
export const assetModels: readonly AssetModel[] = [
  {
    model: 'image-provider/still-2.1',
    input: { prompt: 'A quay' },
    copied: [
      { name: 'image', at: '/images/0/url', requirements: ['MR-AST-04', 'MR-AST-02'] },
      { name: 'second-image', at: '/images/1/url', requirements: ['MR-AST-04', 'MR-AST-02'] },
      { name: 'draft-cache', at: '/draft_cache/url', requirements: ['MR-AST-05'] },
    ],
  },
  {
    model: 'video-provider/motion4-turbo',
    input: { prompt: 'A walk' },
    copied: [
      { name: 'video', at: '/video/url', requirements: ['MR-AST-07', 'MR-AST-02'] },
      { name: 'last-frame', at: '/last_frame/url', requirements: ['MR-AST-08'] },
    ],
  },
  {
    model: 'video-provider-two/extend',
    input: { video: { id: 'v-778' }, prompt: 'The walker reaches the sea.' },
    copied: [{ name: 'video', at: '/Resp/url', requirements: ['MR-AST-10', 'MR-AST-02'] }],
  },
  {
    model: 'image-video-provider/draw-1',
    input: { prompt: 'Four seasons of one oak', num_images: 4 },
    copied: [
      { name: 'first-image', at: '/images/0', requirements: ['MR-AST-12', 'MR-AST-02'] },
      { name: 'last-image', at: '/images/3', requirements: ['MR-AST-12', 'MR-AST-02'] },
    ],
  },
  {
    model: 'image-video-provider/animate',
    input: { image_url: 'https://assets.example.com/samples/harbour.jpg', prompt: 'The boats rock.' },
    copied: [{ name: 'video', at: '/video/url', requirements: ['MR-AST-13', 'MR-AST-02'] }],
  },
  {
    model: 'video-provider/frame',
    input: { prompt: 'A harbour' },
    copied: [],
    kept: [{ name: 'image', at: '/output/0', requirements: ['MR-AST-19', 'MR-AST-20'] }],
  },
  {
    model: 'image-provider-two/still-pro',
    input: { prompt: 'A red bicycle' },
    copied: [],
    kept: [{ name: 'image', at: '/images/0/url', requirements: ['MR-AST-26', 'MR-AST-19'] }],
  },
];

export function isListed({ discovery, has }: ProbeContext, model: string): boolean {
  return has('families') && discovery.listed.includes(model);
}

export function runOf(name: string, { model, input }: Pick<AssetModel, 'model' | 'input'>): Step {
  return step(name, post('router', modelPath(model), jsonBody(input)), completed);
}

/** An asset is copied when it is in the same place as one that a scripted run had copied. */
const checkPlace =
  (pointer: string, isCopied: boolean): Check =>
  (evidence, context) => {
    const status = onResponse('run', expectStatus(200))(evidence, context);
    if (status.length > 0) return status;
    const [place, storage] = [placeIn(evidence, 'run', pointer), placeIn(evidence, 'known', hostedAt)];
    if (storage === undefined) return notApplicable('no copied asset was seen to compare with');
    if (place !== undefined && (place === storage) === isCopied) return [];
    const expected = isCopied ? `a link below ${storage}` : `a link elsewhere than below ${storage}`;
    return wrongValue('run', pointer, expected, place ?? 'no link');
  };

const modelRules = assetModels.flatMap((row) => {
  const { model, copied, kept = [] } = row;
  const known = scriptedRun('known', { assets: [{ hosting: 'hosted_24h' }] });
  const ruleOf = ({ name, at, requirements }: AssetMember, isCopied: boolean) => {
    const words = [model.replace(/[/.]/g, '-'), `${name}-${isCopied ? 'is-copied' : 'stays-where-it-was'}`];
    return {
      id: `assets.family.${words.join('.')}`,
      sentence: `Assets of this model family are copied, or left where they are, as the table of assets says (${words.join(' ').replaceAll('-', ' ')}).`,
      requirements,
      check: unless(
        (_, context) => !isListed(context, model),
        notApplicable(`the catalog lists no ${model}`),
        checkPlace(at, isCopied),
      ),
    };
  };
  const requires = hook('outcomes', 'assets', 'families');
  return defineFamily(
    { ...family, requires, probe: (context) => (isListed(context, model) ? [known, runOf('run', row)] : []) },
    [...copied.map((place) => ruleOf(place, true)), ...kept.map((place) => ruleOf(place, false))],
  );
});

export const assetRules: readonly Rule[] = [...hostingRules, ...modelRules];
