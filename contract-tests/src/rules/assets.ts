import { isJsonObject, type JsonObject } from '../../../specs/src/index.ts';
import type { ProbeContext } from '../contract/context.ts';
import { NotApplicable } from '../contract/endings.ts';
import { readMember, readResponse, selectStep, wasAnswered } from '../contract/evidence.ts';
import { finding, notApplicable } from '../contract/finding.ts';
import type { Evidence, Probe, Step } from '../contract/probe.ts';
import { type Check, defineFamily, type NamedMember } from '../contract/rule.ts';
import type { familyModels } from '../contract/target.ts';
import { hook } from '../requires.ts';
import * as expect from './builders/expect.ts';
import * as send from './builders/send.ts';

const assets = { ...send.scripted, requires: hook('outcomes', 'assets') } as const;

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
export function open(name: string, of: string, at: string, options: send.StepOptions = {}): Step {
  return send.followIfGiven(name, { of, at, credentials: [], ...options });
}

const expectAsset = expect.status(200, ({ body, step }) =>
  body.length > 0 ? [] : [finding('body-unexpected', { step }, 'the asset', 'no bytes')],
);

/** A link to another host was tried on the target, which may stand behind a proxy; a refusal there shows nothing. */
function isElsewhere(evidence: Evidence, step: string): boolean {
  const isRebased = selectStep(evidence, step).some(({ rebasedFrom }) => rebasedFrom !== undefined);
  return isRebased && readResponse(evidence, step).status !== 200;
}

export const isOpen =
  (step: string): expect.FindingsCheck =>
  (evidence, context) => {
    if (!wasAnswered(evidence, step)) return [finding('value-unexpected', { step }, 'a link to open', 'none')];
    return isElsewhere(evidence, step) ? [] : expect.on(step, expectAsset)(evidence, context);
  };

const hosting = [
  send.scriptedRun('run', { assets: hostings }),
  open('hosted', 'run', hostedAt),
  open('hosted-video', 'run', '/assets/1/url'),
  send.scriptedRun('inline-video', { assets: [{ hosting: 'inline_video' }] }),
  send.scriptedRun('direct', { assets: [{ hosting: 'direct_write' }] }),
  open('direct-open', 'direct', directAt),
];

/** The place of a link: all of it but the asset's own name. */
function readPlace(evidence: Evidence, step: string, pointer: string): string | undefined {
  const value = readMember(readResponse(evidence, step), pointer);
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url === null ? undefined : url.origin + url.pathname.replace(/[^/]*$/, '');
}

const expectPlace =
  (pointer: string, like: string, { as = 'run', isThere = true } = {}): expect.Expectation =>
  ({ step }, _, evidence) => {
    const [place, wanted] = [readPlace(evidence, step, pointer), readPlace(evidence, as, like)];
    if (place !== undefined && (place === wanted) === isThere) return [];
    const expected = `a link ${isThere ? '' : 'elsewhere than '}below ${wanted}`;
    return expect.wrongAt(step, pointer, expected, place ?? 'no link');
  };

const copiesOpen = expect.unless(
  (evidence) => ['hosted', 'hosted-video'].some((step) => wasAnswered(evidence, step) && isElsewhere(evidence, step)),
  'the links lead to another host, which is not called',
  expect.all(
    expect.first(isOpen('hosted'), expect.on('hosted', expect.mediaType('image/png'))),
    expect.first(isOpen('hosted-video'), expect.on('hosted-video', expect.mediaType('video/mp4'))),
  ),
);

const base64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const hostingRules = defineFamily({ ...assets, needs: ['assets.run.succeeds'], probe: hosting })({
  'assets.run.succeeds': {
    sentence: 'A run succeeds whether or not its assets could be copied.',
    requirements: ['MR-AST-32', 'MR-AST-28', 'MR-AST-01'],
    // One of the copies fails; the generation does not.
    check: expect.on('run', expect.status(200)),
  },
  'assets.copied.lie-in-service-storage': {
    sentence: 'Copied assets lie in the storage of the service.',
    requirements: ['MR-AST-02', 'MR-AST-30'],
    check: expect.on(
      'run',
      expectPlace(hostedAt, providedAt, { isThere: false }),
      expectPlace('/assets/1/url', hostedAt),
    ),
  },
  'assets.copied.open-without-a-credential': {
    sentence: 'The URL of a copied asset opens without a credential.',
    requirements: ['MR-AST-02'],
    needs: ['assets.copied.lie-in-service-storage'],
    check: copiesOpen,
  },
  'assets.copied.for-the-queue-as-well': {
    sentence: 'The assets of queued requests are copied too.',
    requirements: ['MR-AST-02', 'MR-COL-04'],
    needs: ['assets.copied.open-without-a-credential'],
    probe: [
      send.scriptedRun('run', { assets: hostings }),
      send.scriptedSubmit('queued', { assets: hostings }),
      send.polled('queued-end', 'queued'),
      send.follow('collected', 'response_url', { of: 'queued' }),
      open('collected-hosted', 'collected', hostedAt),
    ],
    check: expect.first(
      expect.on('collected', expect.status(200, expectPlace(hostedAt, hostedAt))),
      isOpen('collected-hosted'),
    ),
  },
  'assets.failed-copy.keeps-the-providers-reference': {
    sentence: "An asset that could not be copied keeps the provider's reference.",
    requirements: ['MR-AST-29', 'MR-AST-28', 'MR-AST-30'],
    check: expect.on('run', expectPlace('/assets/2/url', providedAt)),
  },
  'assets.inline.come-as-bytes': {
    sentence: 'Inline assets come as bytes.',
    requirements: ['MR-AST-01', 'MR-AST-26'],
    check: expect.on('run', expect.members({ '/assets/4/bytes_base64': expect.text, '/assets/4/url': expect.absent })),
  },
  'assets.inline-video.holds-the-clip': {
    sentence: 'An inline video holds the clip itself.',
    requirements: ['MR-AST-22'],
    check: expect.on(
      'inline-video',
      expect.member('/response/videos/0/bytesBase64Encoded', {
        expected: 'base64 of a clip',
        is: (value) => typeof value === 'string' && base64.test(value),
      }),
    ),
  },
  'assets.direct-write.gives-a-link': {
    sentence: 'A clip that the provider wrote to service storage comes as an HTTPS link.',
    requirements: ['MR-AST-23'],
    check: (evidence, context) => {
      const first = readMember(readResponse(evidence, 'direct'), '/response/videos/0');
      if (isJsonObject(first) && first['gcsUri'] === undefined && first['bytesBase64Encoded'] !== undefined)
        return notApplicable('this environment gives the clip inline');
      // A sandbox signs links for the origin of the call, which may be plain HTTP.
      const scheme = context.baseUrls.router?.startsWith('http:') ? /^https?:/ : /^https:/;
      const isLink = (url: unknown): boolean => typeof url === 'string' && URL.canParse(url) && scheme.test(url);
      const link = expect.on('direct', expect.member(directAt, { expected: 'an HTTPS link', is: isLink }));
      return expect.first(link, isOpen('direct-open'))(evidence, context);
    },
  },
});

type AssetModel = {
  readonly model: (typeof familyModels)[number];
  readonly input: JsonObject;
  /** Places of the result, copied where the provider's row lists them; the name is part of the rule's id. */
  readonly places: readonly (readonly [name: string, at: string, requirements: readonly string[]])[];
  readonly areKept?: true;
};

/** The documented table on a sandbox's own catalog: descriptive slugs stand for the providers (OP-024). */
export const assetModels: readonly AssetModel[] = [
  {
    model: 'image-provider/still-2.1',
    input: { prompt: 'A quay' },
    places: [
      ['image', '/images/0/url', ['MR-AST-04', 'MR-AST-02']],
      ['second-image', '/images/1/url', ['MR-AST-04', 'MR-AST-02']],
      ['draft-cache', '/draft_cache/url', ['MR-AST-05']],
    ],
  },
  {
    model: 'video-provider/motion4-turbo',
    input: { prompt: 'A walk' },
    places: [
      ['video', '/video/url', ['MR-AST-07', 'MR-AST-02']],
      ['last-frame', '/last_frame/url', ['MR-AST-08']],
    ],
  },
  {
    model: 'video-provider-two/extend',
    input: { video: { id: 'v-778' }, prompt: 'The walker reaches the sea.' },
    places: [['video', '/Resp/url', ['MR-AST-10', 'MR-AST-02']]],
  },
  {
    model: 'image-video-provider/draw-1',
    input: { prompt: 'Four seasons of one oak', num_images: 4 },
    places: [
      ['first-image', '/images/0', ['MR-AST-12', 'MR-AST-02']],
      ['last-image', '/images/3', ['MR-AST-12', 'MR-AST-02']],
    ],
  },
  {
    model: 'image-video-provider/animate',
    input: { image_url: 'https://assets.example.com/samples/harbour.jpg', prompt: 'The boats rock.' },
    places: [['video', '/video/url', ['MR-AST-13', 'MR-AST-02']]],
  },
  {
    model: 'video-provider/frame',
    input: { prompt: 'A harbour' },
    places: [['image', '/output/0', ['MR-AST-19', 'MR-AST-20']]],
    areKept: true,
  },
  {
    model: 'image-provider-two/still-pro',
    input: { prompt: 'A red bicycle' },
    places: [['image', '/images/0/url', ['MR-AST-26', 'MR-AST-19']]],
    areKept: true,
  },
];

export function isListed({ discovery, has }: ProbeContext, model: string): boolean {
  return has('families') && discovery.listed.includes(model);
}

export function runAssetModel(name: string, { model, input }: Pick<AssetModel, 'model' | 'input'>): Step {
  return send.run(name, { path: send.modelPath(model), input }, {}, send.completed);
}

/** An asset is copied when it is in the same place as one that a scripted run had copied. */
const checkPlace = (pointer: string, isCopied: boolean): Check =>
  expect.unless(
    (evidence) => readPlace(evidence, 'known', hostedAt) === undefined,
    'no copied asset was seen to compare with',
    expect.on('run', expect.status(200, expectPlace(pointer, hostedAt, { as: 'known', isThere: isCopied }))),
  );

const modelRules = assetModels.flatMap((row) => {
  const placed = row.places.map(([name, at, requirements]): NamedMember => {
    const words = [row.model.replace(/[/.]/g, '-'), `${name}-${row.areKept ? 'stays-where-it-was' : 'is-copied'}`];
    const sentence = `Assets of this model family are copied, or left where they are, as the table of assets says (${words.join(' ').replaceAll('-', ' ')}).`;
    return [`assets.family.${words.join('.')}`, { sentence, requirements, check: checkPlace(at, !row.areKept) }];
  });
  const probe = (context: ProbeContext): Probe => {
    if (!isListed(context, row.model)) throw new NotApplicable(`the catalog lists no ${row.model}`);
    return [send.scriptedRun('known', { assets: [{ hosting: 'hosted_24h' }] }), runAssetModel('run', row)];
  };
  return defineFamily({ ...assets, requires: hook('outcomes', 'assets', 'families'), probe })(placed);
});

export const assetRules = [...hostingRules, ...modelRules];
