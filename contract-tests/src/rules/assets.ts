import { isJsonObject, type JsonObject } from '../../../specs/src/index.ts';
import { NotApplicable } from '../contract/endings.ts';
import { readMember } from '../contract/evidence.ts';
import { type Finding, notApplicable } from '../contract/finding.ts';
import { modelPath } from '../contract/requests.ts';
import { type Rule, ruleIn } from '../contract/rule.ts';
import { type Answer, type ScenarioContext, scenario } from '../contract/scenario.ts';
import type { familyModels } from '../contract/target.ts';
import { drawTexts } from '../contract/values.ts';
import { hook } from '../requires.ts';
import { outcomesModelWith } from './calls.ts';
import * as expect from './expect.ts';

const rule = ruleIn('assets');
const resultRule = ruleIn('assets', { needs: ['assets.run.succeeds'] });

/** A link in a response, and the response to opening it. `opened` is undefined if there is no link at the pointer. */
export type OpenedLink = { readonly from: Answer; readonly pointer: string; readonly opened: Answer | undefined };

/** Opens a link without a credential: its signature is sufficient. */
export async function openLink({ follow }: ScenarioContext, from: Answer, pointer: string): Promise<OpenedLink> {
  return { from, pointer, opened: await follow(from, pointer, { credentials: [] }) };
}

export function expectOpen({ from, pointer, opened }: OpenedLink): readonly Finding[] {
  if (opened === undefined) return expect.wrongAt(from.step, pointer, 'a link to open', 'none');
  // If the link leads to another host, an error of its path on the target proves nothing.
  if (opened.exchange.rebasedFrom !== undefined && opened.status !== 200) return [];
  return expect.on(opened, expect.status(200, expect.nonEmptyBody('the asset')));
}

const hooked = { cost: 'hooked', requires: hook('outcomes', 'assets') } as const;

const withAssets = (...assets: readonly JsonObject[]) => outcomesModelWith({ assets });
/** One asset of each kind. One of them cannot be copied, but the run succeeds. */
const eachHosting = withAssets(
  { hosting: 'hosted_24h', media_type: 'image/png' },
  { hosting: 'hosted_12h', media_type: 'video/mp4' },
  { hosting: 'failed_copy', media_type: 'image/png' },
  { hosting: 'provider', media_type: 'image/png' },
  { hosting: 'inline', media_type: 'image/png' },
);
const copiedAssetPointers = { image: '/assets/0/url', video: '/assets/1/url' };
const providerLinkPointer = '/assets/3/url';
const directLinkPointer = '/response/videos/0/gcsUri';

const hosting = scenario(hooked, async (server) => {
  const run = await server.run(eachHosting);
  const inlineVideo = await server.run(withAssets({ hosting: 'inline_video' }));
  const direct = await server.run(withAssets({ hosting: 'direct_write' }));
  return { run, inlineVideo, direct, directLink: await openLink(server, direct, directLinkPointer) };
});

function readFolderOfLink(answer: Pick<Answer, 'body'>, pointer: string): string | undefined {
  const value = readMember(answer, pointer);
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url === null ? undefined : url.origin + url.pathname.replace(/[^/]*$/, '');
}

/** Expects a link in the folder `wanted`; with `isIn: false`, a link outside of that folder. */
const expectFolder =
  (pointer: string, wanted: string | undefined, isIn = true): expect.Expectation =>
  (response) => {
    const folder = readFolderOfLink(response, pointer);
    if (folder !== undefined && (folder === wanted) === isIn) return [];
    const expected = `a link ${isIn ? '' : 'that is not '}below ${wanted}`;
    return expect.wrongAt(response.step, pointer, expected, folder ?? 'no link');
  };

const base64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const clip = expect.matching('a video as base64', (value) => typeof value === 'string' && base64.test(value));

type FamilyModel = (typeof familyModels)[number];
type Asset = {
  readonly model: FamilyModel;
  readonly name: string;
  readonly at: string;
  readonly proves: readonly string[];
};

/** Assets that the API text lists as copied, with model ids of the sandbox instead of provider names (OP-024). */
const copiedAssets: readonly Asset[] = [
  { model: 'image-provider/still-2.1', name: 'image', at: '/images/0/url', proves: ['MR-AST-04', 'MR-AST-02'] },
  { model: 'image-provider/still-2.1', name: 'second-image', at: '/images/1/url', proves: ['MR-AST-04', 'MR-AST-02'] },
  { model: 'image-provider/still-2.1', name: 'draft-cache', at: '/draft_cache/url', proves: ['MR-AST-05'] },
  { model: 'video-provider/motion4-turbo', name: 'video', at: '/video/url', proves: ['MR-AST-07', 'MR-AST-02'] },
  { model: 'video-provider/motion4-turbo', name: 'last-frame', at: '/last_frame/url', proves: ['MR-AST-08'] },
  { model: 'video-provider-two/extend', name: 'video', at: '/Resp/url', proves: ['MR-AST-10', 'MR-AST-02'] },
  { model: 'image-video-provider/draw-1', name: 'first-image', at: '/images/0', proves: ['MR-AST-12', 'MR-AST-02'] },
  { model: 'image-video-provider/draw-1', name: 'last-image', at: '/images/3', proves: ['MR-AST-12', 'MR-AST-02'] },
  { model: 'image-video-provider/animate', name: 'video', at: '/video/url', proves: ['MR-AST-13', 'MR-AST-02'] },
];

/** Assets that the API text lists as not copied. */
const uncopiedAssets: readonly Asset[] = [
  { model: 'video-provider/frame', name: 'image', at: '/output/0', proves: ['MR-AST-19', 'MR-AST-20'] },
  { model: 'image-provider-two/still-pro', name: 'image', at: '/images/0/url', proves: ['MR-AST-26', 'MR-AST-19'] },
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

function familyRules([model, assets]: readonly [FamilyModel, readonly Asset[]]): readonly Rule[] {
  const requires = hook('outcomes', 'assets', 'families');
  const family = scenario({ cost: 'hooked', requires }, async (server) => {
    if (!server.discovery.listed.includes(model)) throw new NotApplicable(`the catalog does not list ${model}`);
    const known = await server.run(withAssets({ hosting: 'hosted_24h' }));
    const input = drawTexts(familyInputs[model], server.values);
    return { known, run: await server.must(server.run({ path: modelPath(model), input }), 200) };
  });
  return assets.map((asset) => {
    const { name, at, proves } = asset;
    const staysAtProvider = uncopiedAssets.includes(asset);
    const id = `${model.replace(/[/.]/g, '-')}.${name}-${staysAtProvider ? 'stays-where-it-was' : 'is-copied'}`;
    const where = staysAtProvider ? 'stays with its provider' : 'is copied to the storage of the service';
    return rule(`assets.family.${id}`, family, {
      sentence: `The asset at ${at} in a result of ${model} ${where}.`,
      requirements: proves,
      // An asset was copied if it is in the same folder as one that a scripted run copied.
      check: ({ known, run }) => {
        const storage = readFolderOfLink(known, copiedAssetPointers.image);
        if (storage === undefined) return notApplicable('there is no copied asset to compare with');
        return expect.on(run, expect.status(200, expectFolder(at, storage, !staysAtProvider)));
      },
    });
  });
}

export const assetRules = [
  rule('assets.run.succeeds', hosting, {
    sentence: 'A run succeeds even if some of its assets cannot be copied.',
    requirements: ['MR-AST-32', 'MR-AST-28', 'MR-AST-01'],
    check: ({ run }) => expect.on(run, expect.status(200)),
  }),
  resultRule('assets.copied.lie-in-service-storage', hosting, {
    sentence: 'Copied assets are in the storage of the service.',
    requirements: ['MR-AST-02', 'MR-AST-30'],
    check: ({ run }) =>
      expect.on(
        run,
        expectFolder(copiedAssetPointers.image, readFolderOfLink(run, providerLinkPointer), false),
        expectFolder(copiedAssetPointers.video, readFolderOfLink(run, copiedAssetPointers.image)),
      ),
  }),
  resultRule('assets.failed-copy.keeps-the-providers-reference', hosting, {
    sentence: "An asset that could not be copied keeps the provider's reference.",
    requirements: ['MR-AST-29', 'MR-AST-28', 'MR-AST-30'],
    check: ({ run }) => expect.on(run, expectFolder('/assets/2/url', readFolderOfLink(run, providerLinkPointer))),
  }),
  resultRule('assets.inline.come-as-bytes', hosting, {
    sentence: 'An inline asset is returned as base64 data, without a URL.',
    requirements: ['MR-AST-01', 'MR-AST-26'],
    check: ({ run }) =>
      expect.on(run, expect.members({ '/assets/4/bytes_base64': expect.text, '/assets/4/url': expect.absent })),
  }),
  resultRule('assets.inline-video.holds-the-clip', hosting, {
    sentence: 'An inline video is returned as base64 data.',
    requirements: ['MR-AST-22'],
    check: ({ inlineVideo }) => expect.on(inlineVideo, expect.member('/response/videos/0/bytesBase64Encoded', clip)),
  }),
  resultRule('assets.direct-write.gives-a-link', hosting, {
    sentence: 'A video that the provider wrote to the storage of the service is returned as an HTTPS link.',
    requirements: ['MR-AST-23'],
    check: ({ direct, directLink }, { baseUrls }) => {
      const clip = readMember(direct, '/response/videos/0');
      if (isJsonObject(clip) && clip['gcsUri'] === undefined && clip['bytesBase64Encoded'] !== undefined)
        return notApplicable('the target returns the video inline');
      // A sandbox signs links with the scheme of the call, which may be plain HTTP.
      const scheme = baseUrls.router?.startsWith('http:') ? /^https?:/ : /^https:/;
      const isLink = (url: unknown): boolean => typeof url === 'string' && URL.canParse(url) && scheme.test(url);
      const expectLink = expect.member(directLinkPointer, expect.matching('an HTTPS link', isLink));
      return [...expect.on(direct, expectLink), ...expectOpen(directLink)];
    },
  }),
  ...[...Map.groupBy([...copiedAssets, ...uncopiedAssets], ({ model }) => model)].flatMap(familyRules),
];
