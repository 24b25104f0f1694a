import { createHash } from 'node:crypto';
import { canonical } from './attempts.ts';
import type { Input } from './input.ts';
import { providerLink, signedLink } from './links.ts';
import { type Model, row } from './models.ts';
import type { Site } from './site.ts';

// Seven models of the documented table of assets: which members of their results are copied, and for how long.

type Link = (part: string) => string;
type Row = { readonly id: string; readonly hours: number; readonly result: (link: Link, input: Input) => object };

const rows: readonly Row[] = [
  {
    id: 'image-provider/still-2.1',
    hours: 24,
    result: (link) => ({
      images: [{ url: link('a.png') }, { url: link('b.png') }],
      draft_cache: { url: link('draft') },
    }),
  },
  {
    id: 'video-provider/motion4-turbo',
    hours: 24,
    result: (link) => ({ video: { url: link('clip.mp4') }, last_frame: { url: link('last.png') } }),
  },
  { id: 'video-provider-two/extend', hours: 12, result: (link) => ({ ErrCode: 0, Resp: { url: link('clip.mp4') } }) },
  {
    id: 'image-video-provider/draw-1',
    hours: 24,
    result: (link, input) => ({
      images: Array.from({ length: Number(input['num_images'] ?? 1) }, (_, index) => link(`${index}.png`)),
    }),
  },
  { id: 'image-video-provider/animate', hours: 24, result: (link) => ({ video: { url: link('clip.mp4') } }) },
  { id: 'video-provider/frame', hours: 0, result: (link) => ({ output: [link('frame.png')] }) },
  { id: 'image-provider-two/still-pro', hours: 0, result: (link) => ({ images: [{ url: link('a.png') }] }) },
];

export const galleryModels: readonly Model[] = rows.map(({ id }) => row(id, 'gallery', { priceCents: 2 }));

/** Zero hours: the result is not copied and keeps the links of its provider. */
export function galleryResult(site: Site, model: Model, input: Input): { result: object; replayable: boolean } {
  const found = rows.find((one) => one.id === model.id);
  if (!found) throw new Error(`${model.id} is not in the gallery.`);
  const run = createHash('sha256')
    .update(`${model.id}${canonical(input)}`)
    .digest('hex')
    .slice(0, 32);
  const link: Link = (part) => {
    const type = part.endsWith('.mp4') ? 'video/mp4' : 'image/png';
    return found.hours
      ? signedLink(site, 'copies', `${run}-${part}`, type, found.hours)
      : providerLink(`${run}-${part}`);
  };
  return { result: found.result(link, input), replayable: found.hours > 0 };
}
