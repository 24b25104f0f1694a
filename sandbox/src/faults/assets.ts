import type { Reply } from '../http/messages.ts';
import { is, onJson, onReply, onText, readReply, replyWithError, set, withText } from './builders/changes.ts';
import { type Fault, fault, group } from './builders/fault.ts';
import { caller, type RequestCondition, readRequest } from './builders/requests.ts';

const servicePath = '/__assets/service/';
const providerPath = '/__assets/provider/';

const isModelOf =
  (provider: string): RequestCondition =>
  (request) =>
    readRequest.modelId(request).startsWith(`${provider}/`);

/** Image models whose assets stay in the storage of their providers. */
const imageModels = /^(?:video-provider\/frame|image-provider-two\/.*)$/;
/** Replaces provider links in results with links to service storage, although the models' images must not be copied. */
const copyUnlistedImages = onReply((reply, { request }) =>
  withText(
    reply,
    readReply.text(reply).replace(/https:\/\/assets\.example\.com\/[^"]*\//, `${request.origin}${servicePath}`),
  ),
);

/** True for results with assets, as the outcome model returns them. */
const hasAssets = (reply: Reply): boolean => /"assets":|"response":/.test(readReply.text(reply));
const keepProviderLinks = onText((text) => text.replaceAll(servicePath, providerPath));
/** Replaces the assets that were not copied, and so still link to provider storage, with null. */
const nullUncopiedAssets = onJson((body) => {
  const { assets } = body;
  if (!Array.isArray(assets)) return body;
  return { ...body, assets: assets.map((asset) => (JSON.stringify(asset).includes(providerPath) ? null : asset)) };
});
const replaceBytesByLink = onText((text) =>
  text.replace(/"bytes_base64":"[^"]*"/, '"url":"https://assets.example.com/a.png"'),
);
/** Replaces the bytes of a video with a placeholder. */
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
      when: (request) => imageModels.test(readRequest.modelId(request)),
    }),
  ]),
  ...group({ id: 'assets', on: 'runModel', status: 200 }, [
    fault('copy.failure-fails-the-run', ['MR-AST-32', 'MR-AST-28'], replyWithError(502, 'provider_error'), {
      also: ['MR-RUN-56'],
      reply: (reply) => hasAssets(reply) && readReply.text(reply).includes(providerPath),
    }),
    fault('copy.failed-one-left-out', ['MR-AST-28', 'MR-AST-29'], nullUncopiedAssets, { also: ['MR-RUN-23'] }),
    fault('inline.replaced-by-a-link', ['MR-AST-01', 'MR-AST-26'], replaceBytesByLink),
    fault('inline-video.lost', ['MR-AST-22'], replaceClip),
    fault('direct-write.unsigned', ['MR-AST-23'], removeSignature, { also: ['MR-AST-02'] }),
  ]),
  ...group({ id: 'assets.link', on: 'openAsset' }, [
    fault('needs-a-credential', ['MR-AST-02'], set.status(401), { also: ['MR-AST-23'], when: caller.hasNoCredential }),
  ]),
];
