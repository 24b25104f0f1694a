import { isJsonObject, type JsonObject } from '../../../specs/src/index.ts';
import { NotApplicable } from '../contract/endings.ts';
import { readMember } from '../contract/evidence.ts';
import { type Finding, notApplicable } from '../contract/finding.ts';
import { modelPath } from '../contract/requests.ts';
import { type Rule, ruleIn } from '../contract/rule.ts';
import { type Answer, type ScenarioContext, scenario, type TargetContext } from '../contract/scenario.ts';
import type { familyModels } from '../contract/target.ts';
import { drawTexts } from '../contract/values.ts';
import { hook } from '../requires.ts';
import { scripted } from './calls.ts';
import * as expect from './expect.ts';

const rule = ruleIn('assets');
const resultRule = ruleIn('assets', { needs: ['assets.run.succeeds'] });

/** A link of a response, and the response to opening it; undefined when the response has no such link. */
export type OpenedLink = { readonly from: Answer; readonly pointer: string; readonly opened: Answer | undefined };

/** Opens a link without a credential: its signature is sufficient. */
export async function openLink({ follow }: ScenarioContext, from: Answer, pointer: string): Promise<OpenedLink> {
  return { from, pointer, opened: await follow(from, pointer, { credentials: [] }) };
}

/** True if a link to another host was rejected by the target itself, which may be behind a proxy: it proves nothing. */
function isOnOtherHost({ opened }: OpenedLink): boolean {
  return opened?.exchange.rebasedFrom !== undefined && opened.status !== 200;
}

export function expectOpen(link: OpenedLink): readonly Finding[] {
  const { from, pointer, opened } = link;
  if (opened === undefined) return expect.wrongAt(from.step, pointer, 'a link to open', 'none');
  return isOnOtherHost(link) ? [] : expect.on(opened, expect.status(200, expect.filledBody('the asset')));
}

const hooked = { cost: 'hooked', requires: hook('outcomes', 'assets') } as const;

const withAssets = (...assets: readonly JsonObject[]) => scripted({ assets });
/** Copying of one asset fails, but the run succeeds. */
const eachHosting = withAssets(
  { hosting: 'hosted_24h', media_type: 'image/png' },
  { hosting: 'hosted_12h', media_type: 'video/mp4' },
  { hosting: 'failed_copy', media_type: 'image/png' },
  { hosting: 'provider', media_type: 'image/png' },
  { hosting: 'inline', media_type: 'image/png' },
);
const copied = { image: '/assets/0/url', video: '/assets/1/url' };
const providedAt = '/assets/3/url';
const directLinkPointer = '/response/videos/0/gcsUri';

const hosting = scenario(hooked, async (server) => {
  const run = await server.run(eachHosting);
  const image = await openLink(server, run, copied.image);
  const video = await openLink(server, run, copied.video);
  const inlineVideo = await server.run(withAssets({ hosting: 'inline_video' }));
  const direct = await server.run(withAssets({ hosting: 'direct_write' }));
  return { run, image, video, inlineVideo, direct, directLink: await openLink(server, direct, directLinkPointer) };
});

const queued = scenario(hooked, async (server) => {
  const run = await server.run(eachHosting);
  const submit = await server.must(server.submit(eachHosting), 201);
  const end = await server.completed(submit);
  const collect = await server.collect(submit);
  return { run, submit, end, collect, image: await openLink(server, collect, copied.image) };
});

/** Returns the link at a pointer without its file name. */
function readFolder(answer: Pick<Answer, 'body'>, pointer: string): string | undefined {
  const value = readMember(answer, pointer);
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url === null ? undefined : url.origin + url.pathname.replace(/[^/]*$/, '');
}

/** Expects a link in this folder, or with `isIn: false` in another one. */
const expectFolder =
  (pointer: string, wanted: string | undefined, isIn = true): expect.Expectation =>
  (response) => {
    const folder = readFolder(response, pointer);
    if (folder !== undefined && (folder === wanted) === isIn) return [];
    const expected = `a link ${isIn ? '' : 'that is not '}below ${wanted}`;
    return expect.wrongAt(response.step, pointer, expected, folder ?? 'no link');
  };

const base64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const clip = expect.matching('base64 of a clip', (value) => typeof value === 'string' && base64.test(value));

type FamilyModel = (typeof familyModels)[number];
type Asset = {
  readonly model: FamilyModel;
  /** Part of the rule's id. */
  readonly name: string;
  readonly at: string;
  readonly requirements: readonly string[];
  /** Set if the asset is left with the provider. */
  readonly isKept?: true;
};

/** The documented table of assets, for the sandbox's own catalog. Descriptive slugs replace the providers (OP-024). */
export const familyAssets: readonly Asset[] = [
  { model: 'image-provider/still-2.1', name: 'image', at: '/images/0/url', requirements: ['MR-AST-04', 'MR-AST-02'] },
  {
    model: 'image-provider/still-2.1',
    name: 'second-image',
    at: '/images/1/url',
    requirements: ['MR-AST-04', 'MR-AST-02'],
  },
  { model: 'image-provider/still-2.1', name: 'draft-cache', at: '/draft_cache/url', requirements: ['MR-AST-05'] },
  { model: 'video-provider/motion4-turbo', name: 'video', at: '/video/url', requirements: ['MR-AST-07', 'MR-AST-02'] },
  { model: 'video-provider/motion4-turbo', name: 'last-frame', at: '/last_frame/url', requirements: ['MR-AST-08'] },
  { model: 'video-provider-two/extend', name: 'video', at: '/Resp/url', requirements: ['MR-AST-10', 'MR-AST-02'] },
  {
    model: 'image-video-provider/draw-1',
    name: 'first-image',
    at: '/images/0',
    requirements: ['MR-AST-12', 'MR-AST-02'],
  },
  {
    model: 'image-video-provider/draw-1',
    name: 'last-image',
    at: '/images/3',
    requirements: ['MR-AST-12', 'MR-AST-02'],
  },
  { model: 'image-video-provider/animate', name: 'video', at: '/video/url', requirements: ['MR-AST-13', 'MR-AST-02'] },
  {
    model: 'video-provider/frame',
    name: 'image',
    at: '/output/0',
    requirements: ['MR-AST-19', 'MR-AST-20'],
    isKept: true,
  },
  {
    model: 'image-provider-two/still-pro',
    name: 'image',
    at: '/images/0/url',
    requirements: ['MR-AST-26', 'MR-AST-19'],
    isKept: true,
  },
];

const familyInputs: Readonly<Record<FamilyModel, JsonObject>> = {
  'image-provider/still-2.1': { prompt: 'A quay' },
  'video-provider/motion4-turbo': { prompt: 'A walk' },
  'video-provider-two/extend': { video: { id: 'v-778' }, prompt: 'The walker reaches the sea.' },
  'image-video-provider/draw-1': { prompt: 'Four seasons of one oak', num_images: 4 },
  'image-video-provider/animate': {
    image_url: 'https://assets.example.com/samples/harbour.jpg',
    prompt: 'The boats rock.',
  },
  'video-provider/frame': { prompt: 'A harbour' },
  'image-provider-two/still-pro': { prompt: 'A red bicycle' },
};

export function isListed({ discovery, has }: TargetContext, model: string): boolean {
  return has('families') && discovery.listed.includes(model);
}

/** Runs a model of the table with its input. */
export function runFamilyModel({ must, run, values }: ScenarioContext, model: FamilyModel): Promise<Answer> {
  return must(run({ path: modelPath(model), input: drawTexts(familyInputs[model], values) }), 200);
}

function familyRules([model, assets]: readonly [FamilyModel, readonly Asset[]]): readonly Rule[] {
  const requires = hook('outcomes', 'assets', 'families');
  const family = scenario({ cost: 'hooked', requires }, async (server) => {
    if (!isListed(server, model)) throw new NotApplicable(`the catalog lists no ${model}`);
    const known = await server.run(withAssets({ hosting: 'hosted_24h' }));
    return { known, run: await runFamilyModel(server, model) };
  });
  return assets.map(({ name, at, requirements, isKept }) => {
    const place = `${model.replace(/[/.]/g, '-')}.${name}-${isKept ? 'stays-where-it-was' : 'is-copied'}`;
    return rule(`assets.family.${place}`, family, {
      sentence: `Assets of this model family are copied, or left with the provider, as the table of assets states (${place.replace(/[-.]/g, ' ')}).`,
      requirements,
      // An asset was copied if it is in the same folder as one that a scripted run copied.
      check: ({ known, run }) => {
        const storage = readFolder(known, copied.image);
        if (storage === undefined) return notApplicable('no copied asset was seen to compare with');
        return expect.on(run, expect.status(200, expectFolder(at, storage, !isKept)));
      },
    });
  });
}

export const assetRules = [
  rule('assets.run.succeeds', hosting, {
    sentence: 'A run succeeds whether or not its assets could be copied.',
    requirements: ['MR-AST-32', 'MR-AST-28', 'MR-AST-01'],
    check: ({ run }) => expect.on(run, expect.status(200)),
  }),
  resultRule('assets.copied.lie-in-service-storage', hosting, {
    sentence: 'Copied assets are in the storage of the service.',
    requirements: ['MR-AST-02', 'MR-AST-30'],
    check: ({ run }) =>
      expect.on(
        run,
        expectFolder(copied.image, readFolder(run, providedAt), false),
        expectFolder(copied.video, readFolder(run, copied.image)),
      ),
  }),
  rule('assets.copied.open-without-a-credential', hosting, {
    sentence: 'The URL of a copied asset can be opened without a credential.',
    requirements: ['MR-AST-02'],
    needs: ['assets.copied.lie-in-service-storage'],
    check: ({ image, video }) => {
      if (isOnOtherHost(image) || isOnOtherHost(video))
        return notApplicable('the links lead to another host, which is not called');
      return expect.firstFailure(
        () => [image, video].flatMap(expectOpen),
        () => expect.on(image.opened, expect.mediaType('image/png')),
        () => expect.on(video.opened, expect.mediaType('video/mp4')),
      );
    },
  }),
  rule('assets.copied.for-the-queue-as-well', queued, {
    sentence: 'The assets of queued requests are copied as well.',
    requirements: ['MR-AST-02', 'MR-COL-04'],
    needs: ['assets.copied.open-without-a-credential'],
    check: ({ run, collect, image }) =>
      expect.firstFailure(
        () => expect.on(collect, expect.status(200, expectFolder(copied.image, readFolder(run, copied.image)))),
        () => expectOpen(image),
      ),
  }),
  resultRule('assets.failed-copy.keeps-the-providers-reference', hosting, {
    sentence: "An asset that could not be copied keeps the provider's reference.",
    requirements: ['MR-AST-29', 'MR-AST-28', 'MR-AST-30'],
    check: ({ run }) => expect.on(run, expectFolder('/assets/2/url', readFolder(run, providedAt))),
  }),
  resultRule('assets.inline.come-as-bytes', hosting, {
    sentence: 'Inline assets are returned as bytes.',
    requirements: ['MR-AST-01', 'MR-AST-26'],
    check: ({ run }) =>
      expect.on(run, expect.members({ '/assets/4/bytes_base64': expect.text, '/assets/4/url': expect.absent })),
  }),
  resultRule('assets.inline-video.holds-the-clip', hosting, {
    sentence: 'An inline video contains the clip.',
    requirements: ['MR-AST-22'],
    check: ({ inlineVideo }) => expect.on(inlineVideo, expect.member('/response/videos/0/bytesBase64Encoded', clip)),
  }),
  resultRule('assets.direct-write.gives-a-link', hosting, {
    sentence: 'A clip that the provider wrote to service storage is returned as an HTTPS link.',
    requirements: ['MR-AST-23'],
    check: ({ direct, directLink }, { baseUrls }) => {
      const clip = readMember(direct, '/response/videos/0');
      if (isJsonObject(clip) && clip['gcsUri'] === undefined && clip['bytesBase64Encoded'] !== undefined)
        return notApplicable('this environment returns the clip inline');
      // A sandbox signs links with the scheme of the call, which may be plain HTTP.
      const scheme = baseUrls.router?.startsWith('http:') ? /^https?:/ : /^https:/;
      const isLink = (url: unknown): boolean => typeof url === 'string' && URL.canParse(url) && scheme.test(url);
      return expect.firstFailure(
        () => expect.on(direct, expect.member(directLinkPointer, expect.matching('an HTTPS link', isLink))),
        () => expectOpen(directLink),
      );
    },
  }),
  ...[...Map.groupBy(familyAssets, ({ model }) => model)].flatMap(familyRules),
];
