import { isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { Decorator, Fault } from './decorator.ts';
import { type Answer, parseBody, refusal, rewriteAnswer, withBody } from './making/answer-rewrite.ts';
import { modelIdOf } from './making/operation-match.ts';
import { whenTold } from './making/told-run.ts';

const service = '/__assets/service/';
const provider = '/__assets/provider/';

function changeText(answer: Answer, change: (text: string) => string): Answer {
  if (!/json/.test(answer.headers.get('content-type') ?? '')) return answer;
  return { ...answer, body: new TextEncoder().encode(change(new TextDecoder().decode(answer.body))) };
}

/** Changes the body of results of such models. */
function resultsOf(models: RegExp, change: (text: string, origin: string) => string): Decorator {
  return rewriteAnswer({ on: ['runModel', 'collectRequest'], status: 200 }, (answer, { request }) =>
    models.test(modelIdOf(request)) ? changeText(answer, (text) => change(text, new URL(request.url).origin)) : answer,
  );
}

/** The member of that name is left where its provider put it. */
function leaves(member: RegExp): (text: string) => string {
  return (text) => text.replace(member, (found) => found.replace(service, provider));
}

const hasAssets = ({ input }: { input: Record<string, JsonValue> }): boolean => Array.isArray(input['assets']);

/** Answers to links, which belong to neither API. */
function links(change: (response: Response, request: Request) => Response): Decorator {
  return (app) => async (request) => {
    const response = await app(request);
    return new URL(request.url).pathname.startsWith('/__assets/') ? change(response, request) : response;
  };
}

type Left = { id: string; models: RegExp; member: RegExp; requirements: readonly string[]; what: string };
const left: readonly Left[] = [
  {
    id: 'image',
    models: /^image-provider\//,
    member: /"images":\[\{"url":"[^"]*"/,
    requirements: ['MR-AST-04'],
    what: 'An image of the image-generation provider',
  },
  {
    id: 'later-image',
    models: /^image-provider\//,
    member: /\},\{"url":"[^"]*"/,
    requirements: ['MR-AST-04'],
    what: 'The second image of the image-generation provider',
  },
  {
    id: 'draft-cache',
    models: /^image-provider\//,
    member: /"draft_cache":\{"url":"[^"]*"/,
    requirements: ['MR-AST-05'],
    what: 'A draft cache',
  },
  {
    id: 'video',
    models: /^video-provider\//,
    member: /"video":\{"url":"[^"]*"/,
    requirements: ['MR-AST-07'],
    what: 'A video of the first video provider',
  },
  {
    id: 'last-frame',
    models: /^video-provider\//,
    member: /"last_frame":\{"url":"[^"]*"/,
    requirements: ['MR-AST-08'],
    what: 'A last frame',
  },
  {
    id: 'video-two',
    models: /^video-provider-two\//,
    member: /"url":"[^"]*"/,
    requirements: ['MR-AST-10'],
    what: 'A video of the second video provider',
  },
  {
    id: 'image-of-both',
    models: /^image-video-provider\//,
    member: /"images":\["[^"]*"/,
    requirements: ['MR-AST-12'],
    what: 'The first image of the image-and-video provider',
  },
  {
    id: 'fourth-image',
    models: /^image-video-provider\//,
    member: /,"[^",]*"\]/,
    requirements: ['MR-AST-12'],
    what: 'The last image of the image-and-video provider',
  },
  {
    id: 'video-of-both',
    models: /^image-video-provider\//,
    member: /"video":\{"url":"[^"]*"/,
    requirements: ['MR-AST-13'],
    what: 'A video of the image-and-video provider',
  },
];

const leftFaults: readonly Fault[] = left.map(({ id, models, member, requirements, what }) => ({
  id: `assets.${id}.left-with-the-provider`,
  requirements,
  description: `${what} keeps the link of its provider.`,
  decorate: resultsOf(models, leaves(member)),
}));

export const assetFaults: readonly Fault[] = [
  ...leftFaults,
  {
    id: 'assets.copy.failure-fails-the-run',
    requirements: ['MR-AST-32', 'MR-AST-28'],
    description: 'A copy that fails makes the run fail.',
    decorate: whenTold(
      ({ input }) => JSON.stringify(input).includes('failed_copy'),
      (answer, { context }) => refusal(answer, context, { status: 502, category: 'provider_error' }),
    ),
  },
  {
    id: 'assets.copy.never-made',
    requirements: ['MR-AST-02'],
    description: 'No asset is copied.',
    decorate: whenTold(hasAssets, (answer) => changeText(answer, (text) => text.replaceAll(service, provider))),
    trips: ['MR-AST-05', 'MR-AST-08', 'MR-AST-23'],
  },
  {
    id: 'assets.copy.failed-one-hidden',
    requirements: ['MR-AST-29'],
    description: 'An asset whose copy failed gets a link of the service all the same.',
    decorate: whenTold(hasAssets, (answer) => {
      const body = parseBody(answer);
      const assets = isJsonObject(body) ? body['assets'] : undefined;
      if (!isJsonObject(body) || !Array.isArray(assets)) return answer;
      const hidden = assets.map((one, index) =>
        index === 2 && isJsonObject(one) ? { ...one, url: String(one['url']).replace(provider, service) } : one,
      );
      return withBody(answer, { ...body, assets: hidden });
    }),
  },
  {
    id: 'assets.copy.failed-one-left-out',
    requirements: ['MR-AST-28', 'MR-AST-29'],
    description: 'An asset whose copy failed is left out.',
    decorate: whenTold(hasAssets, (answer) => {
      const body = parseBody(answer);
      const assets = isJsonObject(body) ? body['assets'] : undefined;
      if (!isJsonObject(body) || !Array.isArray(assets) || assets.length < 3) return answer;
      return withBody(answer, { ...body, assets: assets.map((one, index) => (index === 2 ? null : one)) });
    }),
    trips: ['MR-RUN-23'],
  },
  {
    id: 'assets.link.needs-a-credential',
    requirements: ['MR-AST-02'],
    description: 'A link of the service opens with a credential only.',
    decorate: links((response, request) =>
      request.headers.has('x-api-key') ? response : new Response('no', { status: 401 }),
    ),
    trips: ['MR-AST-23'],
  },
  {
    id: 'assets.link.opens-a-page',
    requirements: ['MR-AST-02'],
    description: 'A link of the service opens a page about the asset.',
    decorate: links((response) =>
      response.status === 200 ? new Response('<html>', { headers: { 'Content-Type': 'text/html' } }) : response,
    ),
  },
  {
    id: 'assets.inline.replaced-by-a-link',
    requirements: ['MR-AST-01', 'MR-AST-26'],
    description: 'Inline bytes are replaced by a link.',
    decorate: whenTold(hasAssets, (answer) =>
      changeText(answer, (text) => text.replace(/"bytes_base64":"[^"]*"/, '"url":"https://assets.example.com/a.png"')),
    ),
  },
  {
    id: 'assets.inline-video.lost',
    requirements: ['MR-AST-22'],
    description: 'An inline clip is not base64.',
    decorate: whenTold(hasAssets, (answer) =>
      changeText(answer, (text) => text.replace(/"bytesBase64Encoded":"[^"]*"/, '"bytesBase64Encoded":"<clip>"')),
    ),
  },
  {
    id: 'assets.direct-write.as-storage-address',
    requirements: ['MR-AST-23'],
    description: 'A clip in service storage is told by an address that no browser opens.',
    decorate: whenTold(hasAssets, (answer) =>
      changeText(answer, (text) => text.replace(/"gcsUri":"[^"]*"/, '"gcsUri":"gs://service-storage/clip.mp4"')),
    ),
    trips: ['MR-AST-02'],
  },
  {
    id: 'assets.direct-write.unsigned',
    requirements: ['MR-AST-23'],
    description: 'The link to a clip in service storage is not signed.',
    decorate: whenTold(hasAssets, (answer) =>
      changeText(answer, (text) => text.replace(/("gcsUri":"[^"?]*)\?[^"]*"/, '$1"')),
    ),
    trips: ['MR-AST-02'],
  },
  {
    id: 'assets.image-models.copied-as-well',
    requirements: ['MR-AST-19', 'MR-AST-20', 'MR-AST-26'],
    description: 'Images of models that no row of the table lists are copied.',
    decorate: resultsOf(/^(?:video-provider\/frame|image-provider-two\/.*)$/, (text, origin) =>
      text.replace(/https:\/\/assets\.example\.com\/[^"]*\//, origin + service),
    ),
  },
  {
    id: 'assets.link.wrong-type',
    requirements: ['MR-AST-02'],
    description: 'A link of the service gives an asset without its media type.',
    decorate: links((response) =>
      response.status === 200
        ? new Response(response.body, { headers: { 'Content-Type': 'application/octet-stream' } })
        : response,
    ),
  },
  {
    id: 'assets.queue.links-of-the-queue-lead-nowhere',
    requirements: ['MR-AST-02'],
    description: 'The links of a collected result do not open.',
    decorate: rewriteAnswer({ on: ['collectRequest'], status: 200 }, (answer) => {
      const body = parseBody(answer);
      if (!isJsonObject(body)) return answer;
      const text = new TextDecoder().decode(answer.body).replaceAll('/__assets/service/', '/__assets/service/0');
      return { ...answer, body: new TextEncoder().encode(text) };
    }),
    trips: ['MR-COL-06'],
  },
];
