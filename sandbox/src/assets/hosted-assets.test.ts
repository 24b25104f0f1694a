import { expect, test } from 'vitest';
import { defaultBrand, readOwnCatalog } from '../../../specs/src/index.ts';
import { produceOutput, serveModel } from '../models/served-model.ts';
import { type AssetFamily, hostAssets, ownAssetFamilies } from './hosted-assets.ts';

const hourMs = 60 * 60 * 1000;
const signedAt = 5 * hourMs;

function hostSample(id: string, { origin = 'https://sandbox.test', families = ownAssetFamilies } = {}) {
  const own = readOwnCatalog().find((one) => one.id === id);
  const bytes = new TextEncoder().encode(JSON.stringify(own?.document));
  const model = serveModel({ id, billing: 'no', bytes }, defaultBrand);
  const document = model.document();
  const output = document === undefined ? undefined : produceOutput(model, document, { input: {}, seed: 1 });
  if (output === undefined || 'reason' in output) throw new Error('no output');
  const example = output.content instanceof Uint8Array ? null : output.content;
  const signing = { seed: 1, origin, signedAt };
  return { example, hosted: hostAssets(example, { id, label: id }, { families, ...signing }) };
}

/** Lists the links in a result: whose storage has the file, and for how many hours the link is valid. */
function readLinks(value: unknown): [holder: string, hours: number][] {
  return [...JSON.stringify(value).matchAll(/"https?:[^"]+"/g)].map(([url]) => {
    const expires = /expires=(\d+)/.exec(url)?.[1];
    const holder = /__assets\/(\w+)/.exec(url)?.[1] ?? 'elsewhere';
    return [holder, expires === undefined ? 0 : (Number(expires) - signedAt) / hourMs];
  });
}

test.each(['video-provider/frame', 'image-provider-two/still-pro', 'mesh-provider/3d-rig'])(
  'a result of %s keeps the provider’s links',
  (id) => {
    const { example, hosted } = hostSample(id);
    expect(hosted).toEqual(example);
    expect(readLinks(hosted)).toContainEqual(['elsewhere', 0]);
  },
);

test('each asset of a result has its own link', () => {
  const urls = JSON.stringify(hostSample('image-video-provider/draw-1').hosted).match(/[0-9a-f]{32}\.webp/g) ?? [];
  expect(new Set(urls).size).toBe(4);
});

test('a result contains a video as a link on an HTTPS origin, and as bytes on an HTTP origin', () => {
  const id = 'video-provider-three/clip-3.1-generate-001';
  const readVideos = (value: unknown) => JSON.stringify(value).match(/gcsUri|bytesBase64Encoded/g);
  expect(readVideos(hostSample(id).hosted)).toEqual(['gcsUri', 'gcsUri']);
  expect(readVideos(hostSample(id, { origin: 'http://127.0.0.1:8080' }).hosted)).toEqual([
    'bytesBase64Encoded',
    'bytesBase64Encoded',
  ]);
});

test('hostAssets() accepts a custom list of families', () => {
  const family: AssetFamily = {
    models: ['mesh-provider/3d-rig'],
    lifetimeMs: hourMs,
    storage: 'copy',
    places: [{ at: ['model_glb', 'url'], mediaType: 'model/gltf-binary' }],
  };
  expect(readLinks(hostSample('mesh-provider/3d-rig', { families: [family] }).hosted)).toEqual([
    ['service', 1],
    ['elsewhere', 0],
  ]);
});

test('hostAssets() leaves a result without assets unchanged', () => {
  const signing = { seed: 1, origin: 'https://sandbox.test', signedAt };
  const context = { families: ownAssetFamilies, ...signing };
  const values = [null, 'text', [], {}, { images: null }, { images: [{ url: null }, 5] }, { images: { url: 'x' } }];
  for (const value of values)
    expect(hostAssets(value, { id: 'image-provider/still-2.1', label: '' }, context)).toEqual(value);
});
