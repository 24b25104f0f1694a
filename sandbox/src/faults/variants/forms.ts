import type { JsonValue } from '../../../../specs/src/index.ts';
import { droppedParams } from '../../http/messages.ts';
import {
  all,
  changeHeader,
  is,
  mapObjects,
  onJson,
  onReply,
  onRequest,
  onText,
  read,
  withJson,
  without,
  withState,
} from '../builders/changes.ts';
import { type Change, group, only, posts, routerOperations, type Variant, variant } from '../builders/fault.ts';
import { asRead, withHeaders, withTarget } from '../builders/requests.ts';

/** Uses undocumented paths in URLs. The documented paths work as well. */
const ownPaths = all(
  onRequest((request) => withTarget(request, (target) => target.replace('/v2/queued/', '/v2/models/'))),
  onText((text) => text.replace(/(?<=_url":"[^"]*)\/v2\/models\//g, '/v2/queued/')),
);

/** Alternates between entity tags of one character and long ones, and maps them to the original tags. */
const shortAndLongTags = withState(() => {
  const own = new Map<string, string>();
  const restore = (sent: string): string => sent.replace(/"[^"]*"/g, (tag) => own.get(tag) ?? tag);
  return all(
    onRequest((request) =>
      withHeaders(request, {
        'if-none-match': request.headers['if-none-match'] && restore(request.headers['if-none-match']),
      }),
    ),
    changeHeader('ETag', (tag = '') => {
      const name = own.size % 2 === 0 ? String.fromCharCode(0x23 + own.size) : `sha512:build/7+,${tag.slice(1, -1)}`;
      const known = [...own].find(([, one]) => one === tag)?.[0] ?? `"${name}"`;
      own.set(known, tag);
      return known;
    }),
  );
});

const reword = (sentence: JsonValue): string =>
  `Nicht \\u00fcbertragbar: [${String(sentence).split(' ')[0]}], denn \\"der Anbieter\\" kennt es nicht, a, b.`;
const changeDropped = (change: (value: string) => string): Change =>
  changeHeader(droppedParams, (value) => value && change(value));
const otherEntry = {
  msg: 'Das muß größer sein: "data" in /a/b',
  type: 'image_too_small',
  ctx: { min: { width: 64 } },
  input: null,
  url: 'about:blank',
};
const otherEntries = onJson(({ detail, ...body }) => ({
  ...body,
  detail: Array.isArray(detail) ? mapObjects(detail.toReversed(), (entry) => ({ ...entry, ...otherEntry })) : null,
}));

/** Shows the current state of the request in a replayed submission. */
const upToDate = onReply(async (reply, { request, app }) => {
  const { pathname: target } = new URL(String(read.object(reply)['status_url']));
  const now = await app(asRead(request, target));
  return now.status === 200 ? withJson(reply, without(read.object(now), 'error_type')) : reply;
});

/** Uses a different parameter name for the expiry of signed links. */
const otherwiseSigned = all(
  onRequest((request) => withTarget(request, (target) => target.replace('?until=', '?expires='))),
  only(
    { on: ['runModel', 'collectRequest'] },
    onText((text) => text.replaceAll('?expires=', '?until=')),
  ),
);

const originInCapitals = onText((text) =>
  text.replace(/(?<=_url":")[^/]+\/\/[^/]+/g, (origin) => origin.toUpperCase()),
);
const otherSentences = changeDropped((value) => {
  const sentences: JsonValue[] = JSON.parse(value);
  return `[${sentences.map((one) => `"${reword(one)}"`).join(' , ')}]`;
});
const spendOfMillions = all(
  ...['Limit', 'Current', 'Remaining'].map((part) =>
    changeHeader(`X-Committed-Spend-${part}`, (cents) => cents && `${cents}000000`),
  ),
);

export const formVariants: readonly Variant[] = [
  ...group({ id: 'queue', on: [...routerOperations, 'unlisted'] }, [
    variant('urls.in-capitals', originInCapitals),
    variant('urls.below-another-path', ownPaths),
  ]),
  ...group({ id: 'idempotency.submission', on: 'submitRequest', status: 201 }, [
    variant('up-to-date', upToDate, { reply: is.replay }),
  ]),
  ...group({ id: 'headers.etag', on: 'readSchemaDocument', status: [200, 304] }, [
    variant('of-any-length', shortAndLongTags),
  ]),
  ...group({ id: 'headers', on: routerOperations }, [
    variant('dropped-params.other-words', otherSentences),
    variant('dropped-params.encoded-twice', changeDropped(JSON.stringify)),
    variant('spend.of-millions', spendOfMillions),
  ]),
  ...group({ id: 'errors.validation', on: posts, status: 422 }, [variant('reworded', otherEntries)]),
  ...group({ id: 'assets.links', on: ['runModel', 'collectRequest', 'openAsset'] }, [
    variant('otherwise-signed', otherwiseSigned),
  ]),
];
