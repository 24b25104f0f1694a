import type { JsonObject } from '../../../specs/src/index.ts';

const layoutOf = (x: number, y: number, width: number, height: number): JsonObject => ({
  pos: [x, y],
  size: [width, height],
});

/** As the editor saved it: layout, a note, and a set/get pair that is not expanded (WX-JWF-12 to WX-JWF-14). */
export const savedWorkflow: JsonObject = {
  id: '5d1c2a9e-93b4-4a37-8a0a-6e0f6f3f7b10',
  revision: 3,
  last_node_id: 9,
  last_link_id: 8,
  nodes: [
    { id: 1, type: 'CheckpointLoader', ...layoutOf(40, 80, 315, 98), mode: 0, widgets_values: ['base-model.ckpt'] },
    { id: 2, type: 'TextEncode', ...layoutOf(420, 80, 400, 160), mode: 0, widgets_values: ['a lighthouse in fog'] },
    { id: 3, type: 'TextEncode', ...layoutOf(420, 280, 400, 160), mode: 0, widgets_values: ['blurry'] },
    { id: 4, type: 'EmptyLatent', ...layoutOf(40, 240, 315, 106), mode: 0, widgets_values: [768, 512, 1] },
    { id: 5, type: 'SetNode', ...layoutOf(40, 400, 210, 60), mode: 0, title: 'Set_LATENT', widgets_values: ['LATENT'] },
    {
      id: 6,
      type: 'GetNode',
      ...layoutOf(620, 480, 210, 60),
      mode: 0,
      title: 'Get_LATENT',
      widgets_values: ['LATENT'],
    },
    { id: 7, type: 'Sampler', ...layoutOf(880, 80, 315, 262), mode: 0, widgets_values: [7, 20, 6.5, 'euler'] },
    { id: 8, type: 'SaveImage', ...layoutOf(1240, 80, 315, 270), mode: 0, widgets_values: ['lighthouse'] },
    { id: 9, type: 'Note', ...layoutOf(40, 520, 300, 120), mode: 0, widgets_values: ['Keep the seed for the series.'] },
  ],
  links: [
    [1, 1, 0, 7, 0, 'MODEL'],
    [2, 1, 1, 2, 0, 'CLIP'],
    [3, 1, 1, 3, 0, 'CLIP'],
    [4, 4, 0, 5, 0, 'LATENT'],
    [5, 2, 0, 7, 1, 'CONDITIONING'],
    [6, 3, 0, 7, 2, 'CONDITIONING'],
    [7, 6, 0, 7, 3, 'LATENT'],
    [8, 7, 0, 8, 0, 'IMAGE'],
  ],
  groups: [{ title: 'Prompts', bounding: [410, 40, 420, 420], color: '#3f789e' }],
  config: {},
  extra: { ds: { scale: 0.85, offset: [-20, 14] } },
  version: 0.4,
};

/** What ran of it: no note, no layout, and the latent linked straight to its source (WX-JWF-16, WX-JWF-17). */
export const executedGraph: JsonObject = {
  '1': { class_type: 'CheckpointLoader', inputs: { ckpt_name: 'base-model.ckpt' } },
  '2': { class_type: 'TextEncode', inputs: { text: 'a lighthouse in fog', clip: ['1', 1] } },
  '3': { class_type: 'TextEncode', inputs: { text: 'blurry', clip: ['1', 1] } },
  '4': { class_type: 'EmptyLatent', inputs: { width: 768, height: 512, batch_size: 1 } },
  '7': {
    class_type: 'Sampler',
    inputs: {
      seed: 7,
      steps: 20,
      cfg: 6.5,
      sampler_name: 'euler',
      model: ['1', 0],
      positive: ['2', 0],
      negative: ['3', 0],
      latent_image: ['4', 0],
    },
  },
  '8': { class_type: 'SaveImage', inputs: { filename_prefix: 'lighthouse', images: ['7', 0] } },
};
