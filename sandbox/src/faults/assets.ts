import type { JsonValue } from '../../../specs/src/index.ts';
import type { Reply } from '../http/messages.ts';
import { is, onJson, onReply, onText, read, replyWithError, set, withText } from './builders/changes.ts';
import { type Fault, fault, group } from './builders/fault.ts';
import { caller, type RequestCondition, sent } from './builders/requests.ts';

const servicePath = '/__assets/service/';
const providerPath = '/__assets/provider/';

const isModelOf =
  (provider: string): RequestCondition =>
  (request) =>
    sent.modelId(request).startsWith(`${provider}/`);

/** Image models whose assets stay in the storage of their providers. */
const imageModels = /^(?:video-provider\/frame|image-provider-two\/.*)$/;
const copyUnlistedImages = onReply((reply, { request }) =>
  withText(
    reply,
    read.text(reply).replace(/https:\/\/assets\.example\.com\/[^"]*\//, `${request.origin}${servicePath}`),
  ),
);

/** True for results with a list of assets, such as those of the outcome model. */
const hasAssets = (reply: Reply): boolean => /"assets":|"response":/.test(read.text(reply));
const keepProviderLinks = onText((text) => text.replaceAll(servicePath, providerPath));
const nullThirdAsset = (asset: JsonValue, index: number): JsonValue => (index === 2 ? null : asset);
const nullFailedAsset = onJson((body) =>
  Array.isArray(body['assets']) ? { ...body, assets: body['assets'].map(nullThirdAsset) } : body,
);
const replaceBytesByLink = onText((text) =>
  text.replace(/"bytes_base64":"[^"]*"/, '"url":"https://assets.example.com/a.png"'),
);
const replaceClip = onText((text) => text.replace(/"bytesBase64Encoded":"[^"]*"/, '"bytesBase64Encoded":"<clip>"'));
const removeSignature = onText((text) => text.replace(/("gcsUri":"[^"?]*)\?[^"]*"/, '$1"'));

export const assetFaults: readonly Fault[] = [
  ...group({ id: 'assets', on: ['runModel', 'collectRequest'] }, [
    fault('copy.never-made', ['MR-AST-02'], keepProviderLinks, {
      also: ['MR-AST-05', 'MR-AST-08', 'MR-AST-23'],
      on: 'runModel',
      reply: hasAssets,
    }),
    fault('image-provider.never-copied', ['MR-AST-04', 'MR-AST-05'], keepProviderLinks, {
      when: isModelOf('image-provider'),
    }),
    fault('video-provider.never-copied', ['MR-AST-07', 'MR-AST-08'], keepProviderLinks, {
      when: isModelOf('video-provider'),
    }),
    fault('video-provider-two.never-copied', ['MR-AST-10'], keepProviderLinks, {
      when: isModelOf('video-provider-two'),
    }),
    fault('image-video-provider.never-copied', ['MR-AST-12', 'MR-AST-13'], keepProviderLinks, {
      when: isModelOf('image-video-provider'),
    }),
    fault('image-models.copied-as-well', ['MR-AST-19', 'MR-AST-20', 'MR-AST-26'], copyUnlistedImages, {
      status: 200,
      reply: is.json,
      when: (request) => imageModels.test(sent.modelId(request)),
    }),
  ]),
  ...group({ id: 'assets', on: 'runModel', status: 200 }, [
    fault('copy.failure-fails-the-run', ['MR-AST-32', 'MR-AST-28'], replyWithError(502, 'provider_error'), {
      also: ['MR-RUN-56'],
      reply: (reply) => hasAssets(reply) && read.text(reply).includes(providerPath),
    }),
    fault('copy.failed-one-left-out', ['MR-AST-28', 'MR-AST-29'], nullFailedAsset, { also: ['MR-RUN-23'] }),
    fault('inline.replaced-by-a-link', ['MR-AST-01', 'MR-AST-26'], replaceBytesByLink),
    fault('inline-video.lost', ['MR-AST-22'], replaceClip),
    fault('direct-write.unsigned', ['MR-AST-23'], removeSignature, { also: ['MR-AST-02'] }),
  ]),
  ...group({ id: 'assets.link', on: 'openAsset' }, [
    fault('needs-a-credential', ['MR-AST-02'], set.status(401), { also: ['MR-AST-23'], when: caller.hasNoCredential }),
  ]),
];
