import { isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { outcomeModelIds } from '../own-catalog.ts';
import { all, onJson, onReply, onText, refuse, set, textRow } from './builders/changes.ts';
import { type Change, type Fault, fault, group, only, rowIn } from './builders/fault.ts';
import { isJson, readText, withText } from './builders/replies.ts';
import { isOfModel, lacksHeader, readModelId } from './builders/requests.ts';

const service = '/__assets/service/';
const provider = '/__assets/provider/';

const image = /^image-provider\//;
const video = /^video-provider\//;
const both = /^image-video-provider\//;

/** Leaves the asset in this member with its provider. */
const leftFault = rowIn(([models, member]: [models: RegExp, member: RegExp]) =>
  only(
    { status: 200, when: (request) => models.test(readModelId(request)) },
    onText((text) => text.replace(member, (found) => found.replace(service, provider))),
  ),
);

const imageModels = /^(?:video-provider\/frame|image-provider-two\/.*)$/;

/** Changes the assets in a result. */
const changeAssets = (change: (assets: readonly JsonValue[]) => JsonValue[]): Change =>
  onJson((body) => (Array.isArray(body['assets']) ? { ...body, assets: change(body['assets']) } : body));

const copiedUnlistedImages = onReply((reply, { request }) =>
  withText(reply, readText(reply).replace(/https:\/\/assets\.example\.com\/[^"]*\//, `${request.origin}${service}`)),
);
const deadLinks = onText((text) => text.replaceAll(service, `${service}0`));
const asStorageAddress = onText((text) => text.replace(/"gcsUri":"[^"]*"/, '"gcsUri":"gs://service-storage/clip.mp4"'));
const unsigned = onText((text) => text.replace(/("gcsUri":"[^"?]*)\?[^"]*"/, '$1"'));

const forAWeek = onText((text) => text.replaceAll(/(\/__assets\/service\/[^"?]*\?)/g, '$1X-Amz-Expires=604800&'));
const oneHidden = changeAssets((assets) =>
  assets.map((one, index) =>
    index === 2 && isJsonObject(one) ? { ...one, url: String(one['url']).replace(provider, service) } : one,
  ),
);
const leftOut = changeAssets((assets) => assets.map((one, index) => (index === 2 ? null : one)));

export const assetFaults: readonly Fault[] = [
  ...group({ id: 'assets', on: ['runModel', 'collectRequest'] }, [
    leftFault('image.left-with-the-provider', 'MR-AST-04', [image, /"images":\[\{"url":"[^"]*"/]),
    leftFault('later-image.left-with-the-provider', 'MR-AST-04', [image, /\},\{"url":"[^"]*"/]),
    leftFault('draft-cache.left-with-the-provider', 'MR-AST-05', [image, /"draft_cache":\{"url":"[^"]*"/]),
    leftFault('video.left-with-the-provider', 'MR-AST-07', [video, /"video":\{"url":"[^"]*"/]),
    leftFault('last-frame.left-with-the-provider', 'MR-AST-08', [video, /"last_frame":\{"url":"[^"]*"/]),
    leftFault('video-two.left-with-the-provider', 'MR-AST-10', [/^video-provider-two\//, /"url":"[^"]*"/]),
    leftFault('image-of-both.left-with-the-provider', 'MR-AST-12', [both, /"images":\["[^"]*"/]),
    leftFault('fourth-image.left-with-the-provider', 'MR-AST-12', [both, /,"[^",]*"\]/]),
    leftFault('video-of-both.left-with-the-provider', 'MR-AST-13', [both, /"video":\{"url":"[^"]*"/]),
  ]),
  ...group({ id: 'assets', on: ['runModel', 'collectRequest'] }, [
    fault('link.valid-for-a-week', 'MR-AST-06 MR-AST-09 MR-AST-11 MR-AST-14', forAWeek),
    fault('image-models.copied-as-well', 'MR-AST-19 MR-AST-20 MR-AST-26', copiedUnlistedImages, {
      status: 200,
      reply: isJson,
      when: (request) => imageModels.test(readModelId(request)),
    }),
    fault('queue.links-of-the-queue-lead-nowhere', 'MR-AST-02 also MR-COL-06', deadLinks, {
      on: ['collectRequest'],
      status: 200,
    }),
  ]),
  ...group({ id: 'assets', on: ['runModel'], status: 200, when: isOfModel(outcomeModelIds.main) }, [
    fault('copy.failure-fails-the-run', 'MR-AST-32 MR-AST-28 also MR-RUN-56', refuse(502, 'provider_error'), {
      reply: (reply) => readText(reply).includes(provider),
    }),
    textRow('copy.never-made', 'MR-AST-02 also MR-AST-05 MR-AST-08 MR-AST-23', (text) =>
      text.replaceAll(service, provider),
    ),
    fault('copy.failed-one-hidden', 'MR-AST-29', oneHidden),
    fault('copy.failed-one-left-out', 'MR-AST-28 MR-AST-29 also MR-RUN-23', leftOut),
    textRow('inline.replaced-by-a-link', 'MR-AST-01 MR-AST-26', (text) =>
      text.replace(/"bytes_base64":"[^"]*"/, '"url":"https://assets.example.com/a.png"'),
    ),
    textRow(
      'inline-video.lost',
      'MR-AST-22',
      (text) => text.replace(/"bytesBase64Encoded":"[^"]*"/, '"bytesBase64Encoded":"<clip>"'),
      { sentence: 'An inline clip is not base64.' },
    ),
    fault('direct-write.as-storage-address', 'MR-AST-23', asStorageAddress),
    fault('direct-write.unsigned', 'MR-AST-23 also MR-AST-02', unsigned),
  ]),
  ...group({ id: 'assets.link', on: ['openAsset'], when: lacksHeader('x-api-key'), subject: 'A link of the service' }, [
    fault('needs-a-credential', 'MR-AST-02 also MR-AST-23', set.status(401)),
  ]),
  ...group({ id: 'assets.link', on: ['openAsset'], status: 200, subject: 'A link of the service' }, [
    fault('opens-a-page', 'MR-AST-02', all(set.header('Content-Type', 'text/html'), set.text('<html>'))),
    fault('wrong-type', 'MR-AST-02', set.header('Content-Type', 'application/octet-stream')),
  ]),
];
