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
  /** Places of the result, copied where the provider's row lists them; the name is part of the rule's id. */
  readonly places: readonly (readonly [name: string, at: string, requirements: readonly string[]])[];
  readonly areKept?: true;
};

/** The documented table on a sandbox's own catalog: descriptive slugs stand for the providers (NS-24). */
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
  return run(name, { path: modelPath(model), input }, {}, completed);
}
