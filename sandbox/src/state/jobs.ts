import type { JsonObject } from '../../../specs/src/index.ts';

/** A saved workflow. It is a string, because JSON.parse cannot represent a 64-bit seed (WX-JWF-12 to WX-JWF-14). */
export const savedWorkflow: string = String.raw`{
  "id": "5d1c2a9e-93b4-4a37-8a0a-6e0f6f3f7b10",
  "revision": 3,
  "last_node_id": 10,
  "last_link_id": 8,
  "nodes": [
    {"id": 7, "type": "Sampler", "pos": [880, 80], "size": [315, 262], "flags": {}, "order": 6, "mode": 0,
      "inputs": [{"name": "model", "type": "MODEL", "link": 1}, {"name": "positive", "type": "CONDITIONING", "link": 5},
        {"name": "negative", "type": "CONDITIONING", "link": 6}, {"name": "latent_image", "type": "LATENT", "link": 7}],
      "outputs": [{"name": "LATENT", "type": "LATENT", "links": [8]}],
      "properties": {"Node name for S&R": "Sampler"}, "widgets_values": [18446744073709551615, "fixed", 20, 6.50, "euler", 1.0]},
    {"id": 1, "type": "CheckpointLoader", "pos": [40, 80], "size": {"0": 315, "1": 98}, "flags": {}, "order": 0, "mode": 0,
      "outputs": [{"name": "MODEL", "type": "MODEL", "links": [1], "slot_index": 0}, {"name": "CLIP", "type": "CLIP", "links": [2, 3]}],
      "properties": {}, "widgets_values": ["base-model.ckpt"]},
    {"id": 2, "type": "TextEncode", "pos": [420.5, 80], "size": [400, 160], "flags": {"collapsed": false}, "order": 3, "mode": 0,
      "inputs": [{"name": "clip", "type": "CLIP", "link": 2}], "outputs": [{"name": "CONDITIONING", "type": "CONDITIONING", "links": [5]}],
      "title": "Prompt \u2013 \u706f\u5854", "properties": {}, "widgets_values": ["a lighthouse in fog, café \ud83c\udf2b"], "color": "#232"},
    {"id": 3, "type": "TextEncode", "pos": [420.5, 280], "size": [400, 160], "flags": {}, "order": 4, "mode": 0,
      "inputs": [{"name": "clip", "type": "CLIP", "link": 3}], "outputs": [{"name": "CONDITIONING", "type": "CONDITIONING", "links": [6]}],
      "properties": {}, "widgets_values": ["blurry"]},
    {"id": 4, "type": "EmptyLatent", "pos": [40, 240], "size": [315, 106], "flags": {}, "order": 1, "mode": 0,
      "outputs": [{"name": "LATENT", "type": "LATENT", "links": [4]}], "properties": {}, "widgets_values": [768, 512, 1]},
    {"id": 5, "type": "SetNode", "pos": [40, 400], "size": [210, 60], "flags": {"collapsed": true}, "order": 5, "mode": 0,
      "inputs": [{"name": "LATENT", "type": "LATENT", "link": 4}], "title": "Set_LATENT", "properties": {"previousName": "LATENT"},
      "widgets_values": ["LATENT"]},
    {"id": 6, "type": "GetNode", "pos": [620, 480], "size": [210, 60], "flags": {}, "order": 2, "mode": 0,
      "outputs": [{"name": "LATENT", "type": "LATENT", "links": [7]}], "title": "Get_LATENT", "properties": {}, "widgets_values": ["LATENT"]},
    {"id": 8, "type": "SaveImage", "pos": [1240, 80], "size": [315, 270], "flags": {}, "order": 7, "mode": 0,
      "inputs": [{"name": "images", "type": "IMAGE", "link": 8}], "properties": {}, "widgets_values": ["lighthouse"]},
    {"id": 9, "type": "Note", "pos": [40, 520], "size": [300, 120], "flags": {}, "order": 8, "mode": 0, "properties": {"text": ""},
      "widgets_values": ["Keep the seed for the series.\n\"Do not touch.\""], "color": "#432", "bgcolor": "#653"},
    {"id": 10, "type": "MarkdownNote", "pos": [40, 700], "size": [300, 120], "flags": {}, "order": 9, "mode": 0, "properties": {},
      "widgets_values": ["# Series\n- fog\n- noon"]}
  ],
  "links": [
    [1, 1, 0, 7, 0, "MODEL"],
    [2, 1, 1, 2, 0, "CLIP"],
    [3, 1, 1, 3, 0, "CLIP"],
    [4, 4, 0, 5, 0, "LATENT"],
    [5, 2, 0, 7, 1, "CONDITIONING"],
    [6, 3, 0, 7, 2, "CONDITIONING"],
    [7, 6, 0, 7, 3, "LATENT"],
    [8, 7, 0, 8, 0, "IMAGE"]
  ],
  "groups": [{"id": 1, "title": "Prompts", "bounding": [410, 40, 420, 420], "color": "#3f789e", "font_size": 24, "flags": {}}],
  "config": {},
  "extra": {"ds": {"scale": 0.8500000000000001, "offset": [-20.0, 14]}, "": null, "__proto__": {"kept": true}},
  "version": 0.4
}`;

/** The executed part of the workflow: without notes and layout, and with direct links between nodes (WX-JWF-16, WX-JWF-17). */
export const executedGraph: string = String.raw`{
  "1": {"class_type": "CheckpointLoader", "inputs": {"ckpt_name": "base-model.ckpt"}},
  "2": {"class_type": "TextEncode", "inputs": {"text": "a lighthouse in fog, café \ud83c\udf2b", "clip": ["1", 1]}, "_meta": {"title": "Prompt \u2013 \u706f\u5854"}},
  "3": {"class_type": "TextEncode", "inputs": {"text": "blurry", "clip": ["1", 1]}},
  "4": {"class_type": "EmptyLatent", "inputs": {"width": 768, "height": 512, "batch_size": 1}},
  "7": {"class_type": "Sampler", "inputs": {"seed": 18446744073709551615, "steps": 20, "cfg": 6.50, "sampler_name": "euler", "denoise": 1.0,
    "model": ["1", 0], "positive": ["2", 0], "negative": ["3", 0], "latent_image": ["4", 0]}},
  "8": {"class_type": "SaveImage", "inputs": {"filename_prefix": "lighthouse", "images": ["7", 0]}}
}`;

/** A job of an account. Workflows are JSON texts, which are served unchanged. */
export type Job = {
  owner: string;
  /** Time (ms) after which every lookup returns 404 (WX-RTN-07). */
  expiresAt: number;
  /** The saved workflow version that the job is pinned to; only the editor pins jobs (WX-JWF-25, WX-JWF-26). */
  pinned: { workflow: string; availability: Availability } | undefined;
  executed: string;
  /** A part of the submission that no response may contain, because it can contain a credential (WX-JWF-19). */
  extraData: JsonObject;
};
/** If the owner can't read the version or the workflow any more, the executed graph is returned instead (WX-JWF-30, WX-JWF-31). */
export type Availability = 'readable' | 'version-gone' | 'workflow-gone';

/**
 * Ids of the fixed jobs: with a saved workflow (`save`), without one (`api`), of a different account, expired, and with a saved
 * workflow whose version (`unreadable`) or which itself (`deleted`) is gone.
 */
export const sandboxJobs = {
  save: '0b8a2f6e-5f0e-4c1b-9a53-1d6f6b1f0a01',
  api: '0b8a2f6e-5f0e-4c1b-9a53-1d6f6b1f0a02',
  foreign: '0b8a2f6e-5f0e-4c1b-9a53-1d6f6b1f0a03',
  expired: '0b8a2f6e-5f0e-4c1b-9a53-1d6f6b1f0a04',
  unreadable: '0b8a2f6e-5f0e-4c1b-9a53-1d6f6b1f0a05',
  deleted: '0b8a2f6e-5f0e-4c1b-9a53-1d6f6b1f0a06',
} as const;
export type SandboxJobs = typeof sandboxJobs;

/** Graphs of the jobs that their owner can read, as the exact texts in responses. */
export const sandboxGraphs = {
  save: savedWorkflow,
  api: executedGraph,
  unreadable: executedGraph,
  deleted: executedGraph,
} as const;

/** A secret in the `extra_data` of each job, which must not be in any response (OP-066). */
export const extraDataCanary = 'sk-sandbox-canary-of-extra-data';

const dayMs = 24 * 60 * 60 * 1000;
export const jobRetentionMs = 7 * dayMs; // Undocumented (OP-058).

export function createJobs(now: number): ReadonlyMap<string, Job> {
  const job: Job = {
    owner: 'account-main',
    expiresAt: now + jobRetentionMs,
    pinned: undefined,
    executed: executedGraph,
    extraData: { credential: extraDataCanary },
  };
  const pinned = { workflow: savedWorkflow, availability: 'readable' } as const;
  return new Map<string, Job>([
    [sandboxJobs.save, { ...job, pinned }],
    [sandboxJobs.api, job],
    [sandboxJobs.foreign, { ...job, owner: 'account-other' }],
    [sandboxJobs.expired, { ...job, pinned, expiresAt: now - dayMs }],
    [sandboxJobs.unreadable, { ...job, pinned: { ...pinned, availability: 'version-gone' } }],
    [sandboxJobs.deleted, { ...job, pinned: { ...pinned, availability: 'workflow-gone' } }],
  ]);
}
