import type { JsonObject } from '../../../../specs/src/index.ts';
import { memberOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Verdict } from '../../finding.ts';
import type { Evidence, Probe, Step } from '../../probe.ts';
import { finding, requireStatus } from '../../require.ts';
import type { Rule } from '../../rule.ts';
import { post, step } from '../../steps.ts';
import { modelPath } from '../vocabulary/router-steps.ts';
import { tell, toldRule } from '../vocabulary/told-runs.ts';
import { hostedAt, placeOf } from './hosting.ts';

const family = 'assets';

type Row = {
  readonly model: string;
  readonly input: JsonObject;
  /** Places of a result that the row of its provider lists, and what they are called in the rule's id. */
  readonly copied: readonly { readonly name: string; readonly at: string; readonly requirements: readonly string[] }[];
  readonly kept?: readonly { readonly name: string; readonly at: string; readonly requirements: readonly string[] }[];
};

/** The documented table, on the catalog that a sandbox brings: descriptive slugs stand for the providers (NS-24). */
export const rows: readonly Row[] = [
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

export function runOf(name: string, { model, input }: Pick<Row, 'model' | 'input'>): Step {
  const request = post('router', modelPath(model), { body: { kind: 'json', value: input } });
  return step(name, request, { mustAnswer: [200] });
}

export function lists({ survey }: ProbeContext, model: string): boolean {
  return survey.listed.includes(model);
}

const probeOf =
  (row: Row) =>
  (context: ProbeContext): Probe =>
    lists(context, row.model)
      ? { steps: [tell('known', { assets: [{ hosting: 'hosted_24h' }] }), runOf('run', row)] }
      : { steps: [] };

type Judged = { readonly at: string; readonly isCopied: boolean };

/** Copied is what lies where the copied asset of a run that was told so lies. */
function hostingVerdict(evidence: Evidence, { at, isCopied }: Judged): Verdict {
  const status = requireStatus(responseOf(evidence, 'run'), 200);
  if (status.length > 0) return status;
  const place = placeOf(memberOf(responseOf(evidence, 'run'), at));
  const storage = placeOf(memberOf(responseOf(evidence, 'known'), hostedAt));
  if (storage === undefined) return { kind: 'not-observable', because: 'no copied asset was seen to compare with' };
  if (place !== undefined && (place === storage) === isCopied) return [];
  const expected = isCopied ? `a link below ${storage}` : `a link elsewhere than below ${storage}`;
  return [finding('value-unexpected', { step: 'run', pointer: at }, { expected, actual: place ?? 'no link' })];
}

export const assetFamilyRules: readonly Rule[] = rows.flatMap((row) => {
  const { model, copied, kept = [] } = row;
  const probe = probeOf(row);
  const places = [
    ...copied.map((place) => ({ ...place, isCopied: true })),
    ...kept.map((place) => ({ ...place, isCopied: false })),
  ];
  return places.map(({ name, at, requirements, isCopied }) =>
    toldRule({
      id: `assets.family.${model.replace(/[/.]/g, '-')}.${name}-${isCopied ? 'is-copied' : 'stays-where-it-was'}`,
      family,
      requirements,
      probe,
      judge: (evidence, context) =>
        lists(context, model)
          ? hostingVerdict(evidence, { at, isCopied })
          : { kind: 'not-applicable', because: `the catalog lists no ${model}` },
    }),
  );
});
