import type { JsonValue } from '../../../specs/src/index.ts';
import { onJson, onReply, onText, refuse, set, textRow } from './builders/changes.ts';
import { type Fault, fault, group, only, rowIn } from './builders/fault.ts';
import { is, type OfReply, readText, withText } from './builders/replies.ts';
import { caller, readModelId } from './builders/requests.ts';

const service = '/__assets/service/';
const provider = '/__assets/provider/';

/** Rows that leave the asset in this member with the provider. */
const leftRow = rowIn(([models, member]: [models: string, member: RegExp]) =>
  only(
    { status: 200, when: (request) => readModelId(request).startsWith(`${models}/`) },
    onText((text) => text.replace(member, (found) => found.replace(service, provider))),
  ),
);

/** True of results whose assets are listed by themselves, as those of the outcome model. */
const hasAssets: OfReply = (reply) => /"assets":|"response":/.test(readText(reply));

/** The image models whose assets stay with their providers. */
const imageModels = /^(?:video-provider\/frame|image-provider-two\/.*)$/;
const copiedUnlistedImages = onReply((reply, { request }) =>
  withText(reply, readText(reply).replace(/https:\/\/assets\.example\.com\/[^"]*\//, `${request.origin}${service}`)),
);

const thirdLeftOut = (asset: JsonValue, index: number): JsonValue => (index === 2 ? null : asset);

export const assetFaults: readonly Fault[] = [
  ...group({ id: 'assets', on: ['runModel', 'collectRequest'] }, [
    leftRow('image.left-with-the-provider', 'MR-AST-04', ['image-provider', /"images":\[\{"url":"[^"]*"/]),
    leftRow('later-image.left-with-the-provider', 'MR-AST-04', ['image-provider', /\},\{"url":"[^"]*"/]),
    leftRow('draft-cache.left-with-the-provider', 'MR-AST-05', ['image-provider', /"draft_cache":\{"url":"[^"]*"/]),
    leftRow('video.left-with-the-provider', 'MR-AST-07', ['video-provider', /"video":\{"url":"[^"]*"/]),
    leftRow('last-frame.left-with-the-provider', 'MR-AST-08', ['video-provider', /"last_frame":\{"url":"[^"]*"/]),
    leftRow('video-two.left-with-the-provider', 'MR-AST-10', ['video-provider-two', /"url":"[^"]*"/]),
    leftRow('image-of-both.left-with-the-provider', 'MR-AST-12', ['image-video-provider', /"images":\["[^"]*"/]),
    leftRow('fourth-image.left-with-the-provider', 'MR-AST-12', ['image-video-provider', /,"[^",]*"\]/]),
    leftRow('video-of-both.left-with-the-provider', 'MR-AST-13', ['image-video-provider', /"video":\{"url":"[^"]*"/]),
    textRow('link.valid-for-a-week', 'MR-AST-06 MR-AST-09 MR-AST-11 MR-AST-14', (text) =>
      text.replaceAll(/(\/__assets\/service\/[^"?]*\?)/g, '$1X-Amz-Expires=604800&'),
    ),
    fault('image-models.copied-as-well', 'MR-AST-19 MR-AST-20 MR-AST-26', copiedUnlistedImages, {
      status: 200,
      reply: is.json,
      when: (request) => imageModels.test(readModelId(request)),
    }),
    textRow(
      'queue.links-of-the-queue-lead-nowhere',
      'MR-AST-02 also MR-COL-06',
      (text) => text.replaceAll(service, `${service}0`),
      { on: 'collectRequest', status: 200 },
    ),
  ]),
  ...group({ id: 'assets', on: 'runModel', status: 200, reply: hasAssets }, [
    fault('copy.failure-fails-the-run', 'MR-AST-32 MR-AST-28 also MR-RUN-56', refuse(502, 'provider_error'), {
      reply: (reply) => hasAssets(reply) && readText(reply).includes(provider),
    }),
    textRow('copy.never-made', 'MR-AST-02 also MR-AST-05 MR-AST-08 MR-AST-23', (text) =>
      text.replaceAll(service, provider),
    ),
    fault(
      'copy.failed-one-left-out',
      'MR-AST-28 MR-AST-29 also MR-RUN-23',
      onJson((body) => (Array.isArray(body['assets']) ? { ...body, assets: body['assets'].map(thirdLeftOut) } : body)),
    ),
    textRow('inline.replaced-by-a-link', 'MR-AST-01 MR-AST-26', (text) =>
      text.replace(/"bytes_base64":"[^"]*"/, '"url":"https://assets.example.com/a.png"'),
    ),
    textRow(
      'inline-video.lost',
      'MR-AST-22',
      (text) => text.replace(/"bytesBase64Encoded":"[^"]*"/, '"bytesBase64Encoded":"<clip>"'),
      { sentence: 'An inline clip is not base64.' },
    ),
    textRow('direct-write.unsigned', 'MR-AST-23 also MR-AST-02', (text) =>
      text.replace(/("gcsUri":"[^"?]*)\?[^"]*"/, '$1"'),
    ),
  ]),
  ...group({ id: 'assets.link', on: 'openAsset', subject: 'A link of the service' }, [
    fault('needs-a-credential', 'MR-AST-02 also MR-AST-23', set.status(401), { when: caller.hasNoCredential }),
    fault('wrong-type', 'MR-AST-02', set.header('Content-Type', 'application/octet-stream'), { status: 200 }),
  ]),
];
