import type { JsonObject } from '../../../specs/src/index.ts';
import type { ProbeContext } from '../contract/context.ts';
import type { Step } from '../contract/probe.ts';
import { modelPath } from '../contract/steps.ts';
import type { familyModels } from '../contract/target.ts';
import { completed } from './builders/keyed-calls.ts';
import { run } from './builders/router-steps.ts';

type AssetModel = {
  readonly model: (typeof familyModels)[number];
  readonly input: JsonObject;
  /** Places of the result, copied where the provider's row lists them; `name` is part of the rule's id. */
  readonly places: readonly {
    readonly name: string;
    readonly at: string;
    readonly requirements: readonly string[];
    readonly isKept?: true;
  }[];
};

/** The documented table on a sandbox's own catalog: descriptive slugs stand for the providers (NS-24). */
export const assetModels: readonly AssetModel[] = [
  {
    model: 'image-provider/still-2.1',
    input: { prompt: 'A quay' },
    places: [
      { name: 'image', at: '/images/0/url', requirements: ['MR-AST-04', 'MR-AST-02'] },
      { name: 'second-image', at: '/images/1/url', requirements: ['MR-AST-04', 'MR-AST-02'] },
      { name: 'draft-cache', at: '/draft_cache/url', requirements: ['MR-AST-05'] },
    ],
  },
  {
    model: 'video-provider/motion4-turbo',
    input: { prompt: 'A walk' },
    places: [
      { name: 'video', at: '/video/url', requirements: ['MR-AST-07', 'MR-AST-02'] },
      { name: 'last-frame', at: '/last_frame/url', requirements: ['MR-AST-08'] },
    ],
  },
  {
    model: 'video-provider-two/extend',
    input: { video: { id: 'v-778' }, prompt: 'The walker reaches the sea.' },
    places: [{ name: 'video', at: '/Resp/url', requirements: ['MR-AST-10', 'MR-AST-02'] }],
  },
  {
    model: 'image-video-provider/draw-1',
    input: { prompt: 'Four seasons of one oak', num_images: 4 },
    places: [
      { name: 'first-image', at: '/images/0', requirements: ['MR-AST-12', 'MR-AST-02'] },
      { name: 'last-image', at: '/images/3', requirements: ['MR-AST-12', 'MR-AST-02'] },
    ],
  },
  {
    model: 'image-video-provider/animate',
    input: { image_url: 'https://assets.example.com/samples/harbour.jpg', prompt: 'The boats rock.' },
    places: [{ name: 'video', at: '/video/url', requirements: ['MR-AST-13', 'MR-AST-02'] }],
  },
  {
    model: 'video-provider/frame',
    input: { prompt: 'A harbour' },
    places: [{ isKept: true, name: 'image', at: '/output/0', requirements: ['MR-AST-19', 'MR-AST-20'] }],
  },
  {
    model: 'image-provider-two/still-pro',
    input: { prompt: 'A red bicycle' },
    places: [{ isKept: true, name: 'image', at: '/images/0/url', requirements: ['MR-AST-26', 'MR-AST-19'] }],
  },
];

export function isListed({ discovery, has }: ProbeContext, model: string): boolean {
  return has('families') && discovery.listed.includes(model);
}

export function runAssetModel(name: string, { model, input }: Pick<AssetModel, 'model' | 'input'>): Step {
  return run(name, { path: modelPath(model), input }, {}, completed);
}
