import { isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { ServerReply } from '../http/messages.ts';
import { onJson, onReply, onText, refuse, replyRow, textRow } from './builders/changes.ts';
import { type Change, type Fault, fault, group, only, rowIn } from './builders/fault.ts';
import { isJson, readText, withText } from './builders/replies.ts';
import { lacksHeader, readModelId, scripted } from './builders/requests.ts';

const service = '/__assets/service/';
const provider = '/__assets/provider/';

/** Changes the body of results of models whose ids match. */
const changeResults = (models: RegExp, change: (text: string) => string): Change =>
  only({ status: 200, when: (request) => models.test(readModelId(request)) }, onText(change));

/** Leaves the asset in this member with its provider. */
const leavesIn = (models: RegExp, member: RegExp): Change =>
  changeResults(models, (text) => text.replace(member, (found) => found.replace(service, provider)));

const image = /^image-provider\//;
const video = /^video-provider\//;
const both = /^image-video-provider\//;
const videoTwo = /^video-provider-two\//;

/** A row: the provider keeps this asset. */
const keeps = (name: string, requirement: string, what: string, change: Change) =>
  fault(`${name}.left-with-the-provider`, requirement, what, change);

const imageModels = /^(?:video-provider\/frame|image-provider-two\/.*)$/;

/** Changes the assets in a result. */
const changeAssets = (change: (assets: readonly JsonValue[]) => JsonValue[]): Change =>
  onJson((body) => (Array.isArray(body['assets']) ? { ...body, assets: change(body['assets']) } : body));

const assetsFault = rowIn(changeAssets);

const copiedUnlistedImages = onReply((reply, { request }) => {
  if (reply.status !== 200 || !imageModels.test(readModelId(request)) || !isJson(reply)) return reply;
  const copied = `${request.origin}${service}`;
  return withText(reply, readText(reply).replace(/https:\/\/assets\.example\.com\/[^"]*\//, copied));
});

const unlisted = 'MR-AST-19 MR-AST-20 MR-AST-26';
const copyFailsRun = refuse(502, 'provider_error');
const noCredential: ServerReply = { status: 401, headers: { 'Content-Type': 'text/plain' }, body: 'no' };
const deadLinks = onText((text) => text.replaceAll(service, `${service}0`));
const asStorageAddress = onText((text) => text.replace(/"gcsUri":"[^"]*"/, '"gcsUri":"gs://service-storage/clip.mp4"'));
const unsigned = onText((text) => text.replace(/("gcsUri":"[^"?]*)\?[^"]*"/, '$1"'));

const forAWeek = onText((text) => text.replaceAll(/(\/__assets\/service\/[^"?]*\?)/g, '$1X-Amz-Expires=604800&'));
const leftOut = changeAssets((assets) => assets.map((one, index) => (index === 2 ? null : one)));

export const assetFaults: readonly Fault[] = [
  ...group({ id: 'assets', on: ['runModel', 'collectRequest'], subject: 'The provider keeps' }, [
    keeps('image', 'MR-AST-04', 'an image', leavesIn(image, /"images":\[\{"url":"[^"]*"/)),
    keeps('later-image', 'MR-AST-04', 'the second image', leavesIn(image, /\},\{"url":"[^"]*"/)),
    keeps('draft-cache', 'MR-AST-05', 'a draft cache', leavesIn(image, /"draft_cache":\{"url":"[^"]*"/)),
    keeps('video', 'MR-AST-07', 'a video', leavesIn(video, /"video":\{"url":"[^"]*"/)),
    keeps('last-frame', 'MR-AST-08', 'a last frame', leavesIn(video, /"last_frame":\{"url":"[^"]*"/)),
    keeps('video-two', 'MR-AST-10', 'a video of the second video provider', leavesIn(videoTwo, /"url":"[^"]*"/)),
    keeps('image-of-both', 'MR-AST-12', 'the first image of the mixed provider', leavesIn(both, /"images":\["[^"]*"/)),
    keeps('fourth-image', 'MR-AST-12', 'the fourth image of the mixed provider', leavesIn(both, /,"[^",]*"\]/)),
    keeps('video-of-both', 'MR-AST-13', 'a video of the mixed provider', leavesIn(both, /"video":\{"url":"[^"]*"/)),
  ]),
  ...group({ id: 'assets', on: ['runModel', 'collectRequest'] }, [
    fault('link.valid-for-a-week', 'MR-AST-06 MR-AST-09 MR-AST-11 MR-AST-14', 'Links are signed for a week', forAWeek),
    fault('image-models.copied-as-well', unlisted, 'Images of unlisted models are copied', copiedUnlistedImages),
    fault('queue.links-of-the-queue-lead-nowhere', 'MR-AST-02', 'Links of a collected result are dead', deadLinks, {
      on: ['collectRequest'],
      status: 200,
      alsoViolates: 'MR-COL-06',
    }),
  ]),
  ...group({ id: 'assets', on: ['runModel'], when: scripted(({ input }) => Array.isArray(input['assets'])) }, [
    fault('copy.failure-fails-the-run', 'MR-AST-32 MR-AST-28', 'A failed copy fails the run', copyFailsRun, {
      when: scripted(({ input }) => JSON.stringify(input).includes('failed_copy')),
      alsoViolates: 'MR-RUN-56',
    }),
    textRow('copy.never-made', 'MR-AST-02', 'No asset is copied', (text) => text.replaceAll(service, provider), {
      alsoViolates: 'MR-AST-05 MR-AST-08 MR-AST-23',
    }),
    assetsFault('copy.failed-one-hidden', 'MR-AST-29', 'An asset whose copy failed has a service link', (assets) =>
      assets.map((one, index) =>
        index === 2 && isJsonObject(one) ? { ...one, url: String(one['url']).replace(provider, service) } : one,
      ),
    ),
    fault('copy.failed-one-left-out', 'MR-AST-28 MR-AST-29', 'An asset whose copy failed is left out', leftOut, {
      alsoViolates: 'MR-RUN-23',
    }),
    textRow('inline.replaced-by-a-link', 'MR-AST-01 MR-AST-26', 'Inline bytes are replaced by a link', (text) =>
      text.replace(/"bytes_base64":"[^"]*"/, '"url":"https://assets.example.com/a.png"'),
    ),
    textRow('inline-video.lost', 'MR-AST-22', 'An inline clip is not base64', (text) =>
      text.replace(/"bytesBase64Encoded":"[^"]*"/, '"bytesBase64Encoded":"<clip>"'),
    ),
    fault('direct-write.as-storage-address', 'MR-AST-23', 'A stored clip has a storage address', asStorageAddress),
    fault('direct-write.unsigned', 'MR-AST-23', 'The link to a stored clip is not signed', unsigned, {
      alsoViolates: 'MR-AST-02',
    }),
  ]),
  ...group({ id: 'assets.link', on: ['openAsset'], when: lacksHeader('x-api-key'), subject: 'A link of the service' }, [
    replyRow('needs-a-credential', 'MR-AST-02', 'opens with a credential only', () => noCredential, {
      alsoViolates: 'MR-AST-23',
    }),
  ]),
  ...group({ id: 'assets.link', on: ['openAsset'], status: 200, subject: 'A link of the service' }, [
    replyRow('opens-a-page', 'MR-AST-02', 'opens a page about the asset', (reply) => ({
      ...reply,
      headers: { 'Content-Type': 'text/html' },
      body: '<html>',
    })),
    replyRow('wrong-type', 'MR-AST-02', 'gives an asset without its media type', (reply) => ({
      ...reply,
      headers: { 'Content-Type': 'application/octet-stream' },
    })),
  ]),
];
