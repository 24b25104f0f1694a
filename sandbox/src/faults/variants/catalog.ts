import type { ServerRequest } from '../../http/messages.ts';
import { all, onJson, onRequest, read, set, withJson, withState } from '../builders/changes.ts';
import { type Change, group, only, type Variant, variant } from '../builders/fault.ts';
import { sent, withQuery } from '../builders/requests.ts';
import { changeData, changeEntries, countingCursors, cursorsAs } from '../catalog.ts';

const readCursor = (request: ServerRequest): string => sent.query(request).get('cursor') ?? '';

const lastMarker = 'there-is-one-more-page';
/** Adds an empty page after the last one. */
const emptyAtTheEnd: Change = (app) => async (request) => {
  const isLast = readCursor(request) === lastMarker;
  const reply = await app(isLast ? withQuery(request, { cursor: undefined }) : request);
  const page = read.object(reply);
  if (page['data'] === undefined) return reply;
  if (isLast) return withJson(reply, { data: [], has_more: false, limit: page['limit'] ?? 20 });
  return page['has_more'] === false ? withJson(reply, { ...page, has_more: true, next_cursor: lastMarker }) : reply;
};

const emptyMarker = 'after-the-empty-page.';
/** Adds an empty page with `has_more` before each page (MR-CAT-25). */
const emptyBeforeEach: Change = (app) => async (request) => {
  const cursor = readCursor(request);
  const rest = cursor.slice(emptyMarker.length);
  if (cursor === emptyMarker) return app(withQuery(request, { cursor: undefined }));
  if (cursor.startsWith(emptyMarker)) return app(withQuery(request, { cursor: rest }));
  const reply = await app(request);
  const empty = { ...read.object(reply), data: [], has_more: true, next_cursor: emptyMarker + cursor };
  return reply.status === 200 ? withJson(reply, empty) : reply;
};

/** Alternates between the shortest and the longest cursors, with characters that a URL must escape. */
const shortAndLongCursors = cursorsAs(({ cursor, count }) =>
  count % 2 === 0 ? String.fromCharCode(0x4e00 + count) : `${cursor}=/+&?# é`.padEnd(512, '=~'),
);

/** Leaves the last model out of the first pages, as if it were added during the first listings. It can be run all the time. */
const growing = withState(() => {
  let pages = 0;
  return changeData((data, { has_more: hasMore }) => {
    pages += 1;
    return pages <= 8 && hasMore === false ? data.slice(0, -1) : data;
  });
});

function applyLimit(limit: string | null): number {
  const asked = Number(limit ?? 20);
  return asked > 0 ? Math.min(asked, 100) : 20;
}

/** Returns half of the requested entries per page, but reports the full limit. */
const shortPages: Change = all(
  onRequest((request) =>
    withQuery(request, { limit: String(Math.ceil(applyLimit(sent.query(request).get('limit')) / 2)) }),
  ),
  only(
    { status: 200 },
    onJson((page, { request }) => ({ ...page, limit: applyLimit(sent.query(request).get('limit')) })),
  ),
);

const charge = { charges_on_policy_rejection: 'by_agreement' };
const unknownCharge = all(
  only({ on: 'readModel' }, set.member('billing', charge)),
  only(
    { on: 'listModels' },
    changeEntries((entry) => ({ ...entry, billing: charge })),
  ),
);

const withSchemaUrl = onJson((detail) => ({
  ...detail,
  input_schema_url: `HTTPS://schemas.example.test/v2/models/${String(detail['id'])}/openapi.json?version=4`,
}));
const cursorForLater = onJson((page) => (page['has_more'] === false ? { ...page, next_cursor: 'later' } : page));
const inOtherOrder = changeData((data) => data.toReversed());
const textSelectsDefault = onRequest((request) =>
  Number.isNaN(Number(sent.query(request).get('limit'))) ? withQuery(request, { limit: undefined }) : request,
);

export const catalogVariants: readonly Variant[] = [
  ...group({ id: 'catalog', on: 'listModels' }, [
    variant('page.empty-at-the-end', emptyAtTheEnd),
    variant('page.empty-with-more', emptyBeforeEach),
    variant('page.in-other-order', inOtherOrder, { status: 200 }),
    variant('page.short-with-more', shortPages),
    variant('page.grows-meanwhile', growing, { status: 200 }),
    variant('cursor.of-any-length', shortAndLongCursors),
    variant('cursor.of-row-ids', countingCursors),
    variant('cursor.on-the-last-page', cursorForLater, { status: 200 }),
    variant('limit.text-selects-default', textSelectsDefault),
  ]),
  ...group({ id: 'catalog.entry', on: ['listModels', 'readModel'], status: 200 }, [
    variant('unknown-charge-word', unknownCharge),
  ]),
  ...group({ id: 'model.schema-url', on: 'readModel', status: 200 }, [variant('present', withSchemaUrl)]),
];
