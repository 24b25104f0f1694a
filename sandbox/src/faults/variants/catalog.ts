import type { ServerRequest } from '../../http/messages.ts';
import { all, onJson, onRequest, set, withState } from '../builders/changes.ts';
import { type Change, only, type Variant, variants } from '../builders/fault.ts';
import { readObject, withJson } from '../builders/replies.ts';
import { readQuery, withQuery } from '../builders/requests.ts';
import { changeEntries, countingCursors, cursorsAs } from '../catalog.ts';

const readCursor = (request: ServerRequest): string => readQuery(request).get('cursor') ?? '';

const lastMarker = 'there-is-one-more-page';
/** A page without entries follows the last one. */
const emptyAtTheEnd: Change = (app) => async (request) => {
  const isLast = readCursor(request) === lastMarker;
  const reply = await app(isLast ? withQuery(request, { cursor: undefined }) : request);
  const page = readObject(reply);
  if (page['data'] === undefined) return reply;
  if (isLast) return withJson(reply, { data: [], has_more: false, limit: page['limit'] ?? 20 });
  return page['has_more'] === false ? withJson(reply, { ...page, has_more: true, next_cursor: lastMarker }) : reply;
};

const emptyMarker = 'after-the-empty-page.';
/** Before each page comes an empty one that has more (MR-CAT-25). */
const emptyBeforeEach: Change = (app) => async (request) => {
  const cursor = readCursor(request);
  const rest = cursor.slice(emptyMarker.length);
  if (cursor === emptyMarker) return app(withQuery(request, { cursor: undefined }));
  if (cursor.startsWith(emptyMarker)) return app(withQuery(request, { cursor: rest }));
  const reply = await app(request);
  const empty = { ...readObject(reply), data: [], has_more: true, next_cursor: emptyMarker + cursor };
  return reply.status === 200 ? withJson(reply, empty) : reply;
};

/** As long as they may be, with characters that a URL has to escape. */
const longCursors = cursorsAs(({ cursor }) => `${cursor}=/+&?# é`.padEnd(512, '=~'));

/** The last model of the catalog is added while the first traversals are under way; it can be run from the beginning. */
const growing: Change = withState(() => {
  let pages = 0;
  return onJson((page) => {
    pages += 1;
    const { data } = page;
    return pages <= 8 && page['has_more'] === false && Array.isArray(data)
      ? { ...page, data: data.slice(0, -1) }
      : page;
  });
});

function applyLimit(limit: string | null): number {
  const asked = Number(limit ?? 20);
  return asked > 0 ? Math.min(asked, 100) : 20;
}

/** Pages hold half of what was asked for, and still report the limit applied. */
const shortPages: Change = all(
  onRequest((request) =>
    withQuery(request, { limit: String(Math.ceil(applyLimit(readQuery(request).get('limit')) / 2)) }),
  ),
  only(
    { status: 200 },
    onJson((page, { request }) => ({ ...page, limit: applyLimit(readQuery(request).get('limit')) })),
  ),
);

const unknownCharge = { charges_on_policy_rejection: 'by_agreement' };

const withSchemaUrl = onJson((detail) => ({
  ...detail,
  input_schema_url: `HTTPS://schemas.example.test/v2/models/${String(detail['id'])}/openapi.json?version=4`,
}));
const cursorForLater = onJson((page) => (page['has_more'] === false ? { ...page, next_cursor: 'later' } : page));

export const catalogVariants: readonly Variant[] = [
  ...variants({ id: 'catalog', on: ['listModels'] })({
    'page.empty-at-the-end': emptyAtTheEnd,
    'page.empty-with-more': emptyBeforeEach,
    'page.in-other-order': only(
      { status: 200 },
      onJson((page) => (Array.isArray(page['data']) ? { ...page, data: page['data'].toReversed() } : page)),
    ),
    'page.short-with-more': shortPages,
    'cursor.of-512-characters': longCursors,
    'cursor.of-row-ids': countingCursors,
    'cursor.of-one-character': cursorsAs(({ count }) => String.fromCharCode(0x4e00 + count)),
    'page.grows-meanwhile': only({ status: 200 }, growing),
    'cursor.on-the-last-page': only({ status: 200 }, cursorForLater),
    'limit.text-selects-default': onRequest((request) =>
      Number.isNaN(Number(readQuery(request).get('limit'))) ? withQuery(request, { limit: undefined }) : request,
    ),
  }),
  ...variants({ id: 'catalog.entry', on: ['listModels', 'readModel'], status: 200 })({
    'unknown-charge-word': all(
      only({ on: ['readModel'] }, set.member('billing', unknownCharge)),
      only(
        { on: ['listModels'] },
        changeEntries((entry) => ({ ...entry, billing: unknownCharge })),
      ),
    ),
  }),
  ...variants({ id: 'model.schema-url', on: ['readModel'], status: 200 })({ present: withSchemaUrl }),
];
