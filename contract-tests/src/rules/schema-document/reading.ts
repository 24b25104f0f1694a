import { SetupFailure } from '../../contract/endings.ts';
import { readHeader } from '../../contract/evidence.ts';
import { ruleIn } from '../../contract/rule.ts';
import { type Answer, type CallOptions, scenario, type Values } from '../../contract/scenario.ts';
import { authentication, type Condition, credential, state } from '../../requires.ts';
import { inTurn, unknownSiblingPath } from '../calls.ts';
import * as expect from '../expect.ts';

const rule = ruleIn('schema-document');

/** Returns the entity tag of a document; ends the scenario as `setup-failed` if it has none. */
function readTag(read: Answer): string {
  const tag = readHeader(read, 'etag')?.trim();
  if (tag === undefined) throw new SetupFailure(`step "${read.step}" returned no ETag`);
  return tag;
}

export const ifNoneMatch = (tag: string) => ({ headers: [['If-None-Match', tag]] }) as const satisfies CallOptions;

/** Reads the authored model's document, then again with each of the options made from its tag. */
const readAgain = (
  listOptions: (tag: string, values: Values) => readonly CallOptions[],
  requires: readonly Condition[] = [],
) =>
  scenario({ requires: [state, ...requires] }, async ({ schema, authored, values }) => {
    const read = await schema(authored);
    const options = listOptions(readTag(read), values);
    return { read, again: await inTurn(options, (one) => schema(authored, one)) };
  });

const current = readAgain((tag) => [tag, tag, tag].map(ifNoneMatch));
/** Tags that the server never sent. Some are similar to its tag, because strong tags must match in every character. */
const stale = readAgain((tag, { text }) =>
  [
    tag.replace(/"$/, `-${text('stale')}"`),
    ...[swapCase(tag)].filter((one) => one !== tag),
    ...(tag.length > 3 ? [`${tag.slice(0, -2)}"`] : []),
    `${tag.slice(0, -1)}0"`,
  ].map(ifNoneMatch),
);
const withoutAccess = readAgain((tag) => [{ ...ifNoneMatch(tag), as: 'noAccess' }], credential('router', 'noAccess'));

function swapCase(tag: string): string {
  return tag.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

/** Requests compression like most clients. A proxy that compresses the document may change its tag or weaken it. */
const compressedTwice = scenario({ requires: [state] }, async ({ schema, authored }) => {
  const gzip = ['Accept-Encoding', 'gzip'] as const;
  const compressed = await schema(authored, { headers: [gzip] });
  const tag = readHeader(compressed, 'etag')?.trim();
  if (tag === undefined) return { compressed, again: undefined };
  return { compressed, again: await schema(authored, { headers: [gzip, ['If-None-Match', tag]] }) };
});

const revalidationRule = ruleIn('schema-document', { requiredOf: ['sandbox', 'live'] });

/** Sends `If-None-Match` to other routes: `*`, the tag of the model's document, and the listing's own tag, if any. */
const otherRoutes = scenario({ requires: [state] }, async ({ schema, listModels, model, authored }) => {
  const tag = readTag(await schema(authored));
  const listTag = readHeader(await listModels(), 'etag')?.trim();
  const tags = ['*', tag, ...(listTag === undefined ? [] : [listTag])];
  const lists = await inTurn(tags, (one) => listModels('', ifNoneMatch(one)));
  return { lists, details: [await model(authored, ifNoneMatch('*')), await model(authored, ifNoneMatch(tag))] };
});

const withoutCredential = scenario({ requires: [state, authentication] }, async (server) => {
  const { schema, authored } = server;
  const read = await schema(authored);
  return {
    read,
    anonymous: await schema(authored, { ...ifNoneMatch(readTag(read)), credentials: [] }),
    wrongKey: await schema(authored, { ...ifNoneMatch('*'), as: 'wrong' }),
    unknownModel: await schema({ path: unknownSiblingPath(server) }, ifNoneMatch('*')),
  };
});

const conditionalRule = ruleIn('schema-document', { needs: ['schema-document.not-modified.answers-the-same-tag'] });

export const schemaReadingRules = [
  revalidationRule('schema-document.not-modified.answers-the-same-tag', current, {
    sentence: 'Each request with the current entity tag in If-None-Match gets 304 with that tag and without a body.',
    requirements: ['MR-SCH-12', 'MR-SCH-13', 'MR-SCH-15'],
    check: ({ read, again }) =>
      expect.on(again, expect.status(304, expect.emptyBody, expect.header('ETag', readTag(read)))),
  }),
  revalidationRule('schema-document.compressed.is-revalidated', compressedTwice, {
    sentence: 'A compressed schema document has a strong entity tag, and a request with that tag gets 304.',
    requirements: ['MR-SCH-08', 'MR-SCH-12', 'MR-HDR-23'],
    needs: ['schema-document.not-modified.answers-the-same-tag'],
    check: ({ compressed, again }) => [
      ...expect.on(compressed, expect.status(200, expect.header('ETag', expect.strongEntityTag))),
      ...(again === undefined ? [] : expect.on(again, expect.status(304))),
    ],
  }),
  revalidationRule('schema-document.modified.answers-a-stale-tag', stale, {
    sentence: 'A request with any other entity tag gets 200 and the document, even if the tag is similar.',
    requirements: ['MR-SCH-12', 'MR-SCH-09'],
    check: ({ read, again }) => expect.on(again, expect.status(200, expect.sameBytes(read))),
  }),
  rule('schema-document.conditional.concerns-no-other-route', otherRoutes, {
    sentence: 'If-None-Match has no effect on routes other than schema documents.',
    requirements: ['MR-SCH-23'],
    requiredOf: ['sandbox', 'live'],
    check: ({ lists, details }) => expect.on([...lists, ...details], expect.status(200)),
  }),
  conditionalRule('schema-document.conditional.unlocks-nothing', withoutCredential, {
    concern: 'access',
    sentence: 'A call without a valid credential gets 401, not 304, even with the current entity tag.',
    requirements: ['MR-SCH-18', 'MR-AUT-01', 'MR-AUT-06', 'MR-AUT-07', 'MR-SCH-20'],
    check: ({ anonymous, wrongKey, unknownModel }) => [
      ...expect.on([anonymous, wrongKey], expect.status(401)),
      ...expect.on(unknownModel, expect.status(404)),
    ],
  }),
  rule('schema-document.conditional.unlocks-nothing-for-the-barred', withoutAccess, {
    concern: 'access',
    sentence: 'A caller without access gets 403, not 304, even with the current entity tag.',
    requirements: ['MR-SCH-19', 'MR-AUT-08'],
    // A target may let this caller read documents. The needed rule is then not applicable, and neither is this one.
    needs: ['authentication.no-access.is-forbidden.schema-document'],
    check: ({ again }) => expect.on(again, expect.status(403)),
  }),
];
