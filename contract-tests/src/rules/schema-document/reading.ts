import { NotApplicable, SetupFailure } from '../../contract/endings.ts';
import { readHeader } from '../../contract/evidence.ts';
import { finding, notApplicable } from '../../contract/finding.ts';
import { modelPath } from '../../contract/requests.ts';
import { ruleIn } from '../../contract/rule.ts';
import { type Answer, type CallOptions, scenario, type Values } from '../../contract/scenario.ts';
import { authentication, type Condition, credential, state } from '../../requires.ts';
import { billed, inTurn, otherModelPath, submitted, unknownSiblingPath } from '../calls.ts';
import * as expect from '../expect.ts';
import { unknownModelRule } from '../not-found.ts';

const rule = ruleIn('schema-document');

/** Reads the document of any model, even if none is usable. */
const document = scenario({}, async ({ schema, discovery: { models, listed } }) => {
  const usable = models.authored ?? models.unauthored ?? models.binary;
  const path = usable?.path ?? listed.filter((id) => id.includes('/')).map(modelPath)[0];
  if (path === undefined) throw new NotApplicable('the catalog lists no models');
  return { read: await schema({ path }) };
});

/** Returns the entity tag of a document; ends the scenario as `setup-failed` if it has none. */
function readTag(read: Answer): string {
  const tag = readHeader(read, 'etag')?.trim();
  if (tag === undefined) throw new SetupFailure(`step "${read.step}" returned no ETag`);
  return tag;
}

export const ifNoneMatch = (tag: string) => ({ headers: [['If-None-Match', tag]] }) as const satisfies CallOptions;

/** Reads the document of one model twice, and that of a second model twice: at last with the entity tag of the first. */
const twoModels = scenario({ requires: [state] }, async (server) => {
  const { schema, authored } = server;
  const path = otherModelPath(server);
  const read = await schema(authored);
  const same = await schema(authored);
  const other = await schema({ path });
  return { read, same, other, foreignTag: await schema({ path }, ifNoneMatch(readTag(read))) };
});

export const schemaReadingRules = [
  rule('schema-document.read.is-a-json-object', document, {
    // Repeats passive.body.schema-document, because the rules about tags depend on a document.
    sentence: 'The schema document of a model is a JSON object.',
    requirements: ['MR-SCH-04'],
    requiredOf: ['mock', 'sandbox', 'live'],
    check: ({ read }) => expect.on(read, expect.status(200, expect.member('', expect.object))),
  }),
  rule('schema-document.etag.is-strong', document, {
    // Repeats passive.header.entity-tag, because conditional requests depend on a strong tag.
    sentence: 'A schema document has a strong entity tag.',
    requirements: ['MR-SCH-06', 'MR-SCH-08', 'MR-HDR-23'],
    requiredOf: ['mock', 'sandbox', 'live'],
    needs: ['schema-document.read.is-a-json-object'],
    check: ({ read }) => expect.on(read, expect.header('ETag', expect.strongEntityTag)),
  }),
  rule('schema-document.etag.follows-the-bytes', twoModels, {
    sentence: 'Schema documents have the same entity tag if and only if their bytes are equal.',
    requirements: ['MR-SCH-09'],
    needs: ['schema-document.etag.is-strong'],
    check: ({ read, same, other }) =>
      [same, other].flatMap((response) => {
        const [first = 'absent', tag = 'absent'] = [read, response].map((one) => readHeader(one, 'etag'));
        const isSame = expect.hasSameBytes(read, response);
        if ((first === tag) === isSame) return [];
        const expected = isSame
          ? 'the same tag, because the bytes are equal'
          : 'a different tag, because the bytes differ';
        return [finding('values-differ', { step: response.step, header: 'ETag' }, expected, `${first} and ${tag}`)];
      }),
  }),
  unknownModelRule('schema-document', 'The schema document of', 'GET', '/openapi.json', 'MR-SCH-20'),
];

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
const unusual = readAgain((tag, { text }) => [`W/${tag}`, '*', `"${text('another')}", ${tag}`].map(ifNoneMatch));
/** Tags that the server never sent. Some are similar to its tag, because strong tags must match in every character. */
const stale = readAgain((tag, { text }) =>
  [
    tag.replace(/"$/, `-${text('stale')}"`),
    ...[swapCase(tag)].filter((one) => one !== tag),
    ...(tag.length > 3 ? [`${tag.slice(0, -2)}"`] : []),
    `${tag.slice(0, -1)}0"`,
  ].map(ifNoneMatch),
);
const underToken = readAgain((tag) => [{ ...ifNoneMatch(tag), credentials: [{ as: 'bearer', who: 'main' }] }]);
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

const revalidationRule = ruleIn('schema-document', {
  requiredOf: ['sandbox', 'live'],
  needs: ['schema-document.etag.is-strong'],
});

/** Sends `If-None-Match` to other routes: `*`, the tag of the model's document, and the listing's own tag, if any. */
const otherRoutes = scenario({ requires: [state] }, async ({ schema, listModels, model, authored }) => {
  const tag = readTag(await schema(authored));
  const listTag = readHeader(await listModels(), 'etag')?.trim();
  const tags = ['*', tag, ...(listTag === undefined ? [] : [listTag])];
  const lists = await inTurn(tags, (one) => listModels('', ifNoneMatch(one)));
  return { lists, details: [await model(authored, ifNoneMatch('*')), await model(authored, ifNoneMatch(tag))] };
});

const queueRoutes = scenario(billed, async (server) => {
  const submit = await submitted(server, 'plain request');
  const status = await server.status(submit, ifNoneMatch('*'));
  return { submit, status, collect: await server.collect(submit, ifNoneMatch('*')) };
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

export const schemaConditionalRules = [
  revalidationRule('schema-document.not-modified.answers-the-same-tag', current, {
    sentence: 'Each request with the current entity tag in If-None-Match gets 304 without a body.',
    requirements: ['MR-SCH-12', 'MR-SCH-13'],
    check: ({ again }) => expect.on(again, expect.status(304, expect.emptyBody)),
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
  revalidationRule('schema-document.not-modified.repeats-the-tag', current, {
    sentence: 'A 304 repeats the entity tag.',
    requirements: ['MR-SCH-15'],
    needs: ['schema-document.not-modified.answers-the-same-tag'],
    check: ({ read, again }) => {
      const tag = readHeader(read, 'etag') ?? '';
      return expect.on(again, expect.header('ETag', { expected: tag, is: (value) => value === tag }));
    },
  }),
  revalidationRule('schema-document.modified.answers-a-stale-tag', stale, {
    sentence: 'A request with any other entity tag gets 200 and the document, even if the tag is similar.',
    requirements: ['MR-SCH-12', 'MR-SCH-09'],
    check: ({ read, again }) => expect.on(again, expect.status(200, expect.sameBytes(read))),
  }),
  revalidationRule('schema-document.conditional.weak-tag-and-star', unusual, {
    sentence: 'The responses to a weak entity tag and to * in If-None-Match are recorded, not judged.',
    observes: true,
    requirements: ['MR-SCH-12'],
    check: ({ again }) => {
      const [weak, star, list] = again.map(({ status }) => status);
      return expect.recordObservation(again, `a weak tag gets ${weak}, * gets ${star}, a list ${list} (OP-028)`);
    },
  }),
  conditionalRule('schema-document.modified.answers-the-tag-of-another-model', twoModels, {
    sentence: "A request with the entity tag of another model's document gets 200.",
    requirements: ['MR-SCH-12', 'MR-SCH-09'],
    check: ({ read, other, foreignTag }) =>
      expect.hasSameBytes(read, other)
        ? notApplicable('both models have the same document')
        : expect.on(foreignTag, expect.status(200, expect.sameBytes(other))),
  }),
  rule('schema-document.conditional.concerns-no-other-route', otherRoutes, {
    sentence: 'If-None-Match has no effect on routes other than schema documents.',
    requirements: ['MR-SCH-23'],
    requiredOf: ['sandbox', 'live'],
    check: ({ lists, details }) => expect.on([...lists, ...details], expect.status(200)),
  }),
  rule('schema-document.conditional.concerns-no-queue-route', queueRoutes, {
    sentence: 'If-None-Match has no effect on the routes of queued requests.',
    requirements: ['MR-SCH-23'],
    check: ({ status, collect }) => expect.on([status, collect], expect.notStatus(304)),
  }),
  conditionalRule('schema-document.not-modified.under-a-token', underToken, {
    sentence: 'A request with a bearer token and the current entity tag gets 304, as with an API key.',
    requirements: ['MR-SCH-12', 'MR-AUT-04'],
    check: ({ again }) => expect.on(again, expect.status(304)),
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
