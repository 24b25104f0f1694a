import pMap from 'p-map';
import { compileSchema, createSampler, isJsonObject, type JsonObject, readSchema } from '../../../specs/src/index.ts';
import { memoize } from '../contract/cache.ts';
import { usualCauses } from '../contract/concerns.ts';
import type { DiscoveredModel } from '../contract/discovery.ts';
import { SetupFailure } from '../contract/endings.ts';
import { decodeBody, readHeader, type StepResponse } from '../contract/evidence.ts';
import { excerpt, finding } from '../contract/finding.ts';
import { modelPath } from '../contract/requests.ts';
import { ruleIn } from '../contract/rule.ts';
import {
  type Answer,
  type CallOptions,
  type FreeContext,
  type ScenarioContext,
  scenario,
  type TargetContext,
  type Values,
} from '../contract/scenario.ts';
import { authentication, type Condition, credential, hook, state, validation } from '../requires.ts';
import { parseDocument, readDiscoveredModel } from '../run/discovered-model.ts';
import { billed, inTurn, submitted, unknownSiblingPath } from './calls.ts';
import * as expect from './expect.ts';
import { startOperations } from './operations.ts';
import { listWrongValues } from './wrong-values.ts';

const rule = ruleIn('schema-document');

/** Returns the entity tag of a document; ends the scenario as `setup-failed` if it has none. */
function readTag(read: Answer): string {
  const tag = readHeader(read, 'etag')?.trim();
  if (tag === undefined) throw new SetupFailure(`step "${read.step}" returned no ETag`);
  return tag;
}

const ifNoneMatch = (tag: string) => ({ headers: [['If-None-Match', tag]] }) as const satisfies CallOptions;

/** Reads the authored model's document, and then again with each of the call options that `listOptions` returns for its tag. */
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
/** Sends tags that the server never sent. Some are similar to its tag, because strong tags must match in every character. */
const stale = readAgain((tag, { text }) =>
  [
    tag.replace(/"$/, `-${text('stale')}"`),
    ...(tag.length > 3 ? [`${tag.slice(0, -2)}"`] : []),
    `${tag.slice(0, -1)}0"`,
  ].map(ifNoneMatch),
);
const withoutAccess = readAgain((tag) => [{ ...ifNoneMatch(tag), as: 'noAccess' }], credential('router', 'noAccess'));

/** Requests a compressed document, because a proxy that compresses it may change its tag or make it weak. */
const compressedReads = scenario({ requires: [state] }, async ({ schema, authored }) => {
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

const queueRoutes = scenario(billed, async (server) => {
  const submit = await submitted(server, 'plain request');
  return { submit, status: await server.status(submit, ifNoneMatch('*')) };
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
    sentence: 'A request for a schema document with its current entity tag gets 304 with that tag and without a body.',
    requirements: ['MR-SCH-12', 'MR-SCH-13', 'MR-SCH-15'],
    check: ({ read, again }) =>
      expect.on(again, expect.status(304, expect.emptyBody, expect.header('ETag', readTag(read)))),
  }),
  revalidationRule('schema-document.compressed.is-revalidated', compressedReads, {
    sentence: 'A compressed schema document has a strong entity tag, and a request with that tag gets 304.',
    requirements: ['MR-SCH-08', 'MR-SCH-12', 'MR-HDR-23'],
    needs: ['schema-document.not-modified.answers-the-same-tag'],
    check: ({ compressed, again }) => [
      ...expect.on(compressed, expect.status(200, expect.header('ETag', expect.strongEntityTag))),
      ...(again === undefined ? [] : expect.on(again, expect.status(304))),
    ],
  }),
  revalidationRule('schema-document.modified.answers-a-stale-tag', stale, {
    sentence: 'A request for a schema document with an old or similar entity tag gets 200 and the document.',
    requirements: ['MR-SCH-12', 'MR-SCH-09'],
    check: ({ read, again }) => expect.on(again, expect.status(200, expect.sameBytes(read))),
  }),
  rule('schema-document.conditional.concerns-no-other-route', otherRoutes, {
    sentence: 'If-None-Match has no effect on routes other than schema documents.',
    requirements: ['MR-SCH-23'],
    requiredOf: ['sandbox', 'live'],
    check: ({ lists, details }) => expect.on([...lists, ...details], expect.status(200)),
  }),
  rule('schema-document.conditional.concerns-no-queue-route', queueRoutes, {
    sentence: 'If-None-Match has no effect on the status of a queued request.',
    requirements: ['MR-SCH-23'],
    check: ({ status }) => expect.on(status, expect.notStatus(304)),
  }),
  conditionalRule('schema-document.conditional.unlocks-nothing', withoutCredential, {
    concern: 'access',
    sentence: 'A request for a schema document without a valid credential gets 401, even with the current entity tag.',
    requirements: ['MR-SCH-18', 'MR-AUT-01', 'MR-AUT-06', 'MR-AUT-07', 'MR-SCH-20'],
    check: ({ anonymous, wrongKey, unknownModel }) => [
      ...expect.on([anonymous, wrongKey], expect.status(401)),
      ...expect.on(unknownModel, expect.status(404)),
    ],
  }),
  rule('schema-document.conditional.unlocks-nothing-for-the-barred', withoutAccess, {
    concern: 'access',
    sentence: 'A caller without access to a schema document gets 403, even with its current entity tag.',
    requirements: ['MR-SCH-19', 'MR-AUT-08'],
    // A target may let this caller read documents. The needed rule is then not applicable, and neither is this one.
    needs: ['authentication.no-access.is-forbidden.schema-document'],
    check: ({ again }) => expect.on(again, expect.status(403)),
  }),
];

const modelRule = ruleIn('schema-document', { perModel: true, concern: 'inputs', usualCause: usualCauses.inputs });

const maxModels = 40;
const maxConcurrentReads = 8;

/** Responses by model id; undefined if there was no budget, time or input for the call. */
type Answers = Record<string, Answer | undefined>;

async function readDocuments({ schema }: FreeContext, ids: readonly string[]) {
  const read = async (id: string) => [id, await schema({ path: modelPath(id) })] as const;
  return Object.fromEntries(await pMap(ids, read, { concurrency: maxConcurrentReads }));
}

export function readModel(id: string, response: StepResponse, { specs }: TargetContext): DiscoveredModel | undefined {
  const document = parseDocument(response);
  if (document.kind === 'malformed') return undefined;
  const reading = readDiscoveredModel(id, document.value, specs.settings.brand);
  return reading.kind === 'usable' ? reading.model : undefined;
}

/** Returns the input without optional members; undefined if all members are required. */
function minimalInput({ input, inputSchema, document }: DiscoveredModel): JsonObject | undefined {
  const check = compileSchema(inputSchema, { root: document, side: 'input' });
  const minimal = Object.keys(input).reduce((kept: JsonObject, name) => {
    const { [name]: _, ...fewer } = kept;
    return check(fewer).length === 0 ? fewer : kept;
  }, input);
  return Object.keys(minimal).length < Object.keys(input).length ? minimal : undefined;
}

/** Reads each model's document twice, then runs the model with valid inputs. */
const eachModel = scenario({ cost: 'billed', requires: hook('outcomes') }, async (server) => {
  const { discovery } = server;
  const ids = discovery.isPart ? discovery.listed : discovery.listed.slice(0, maxModels);
  const read = await readDocuments(server, ids);
  const again: Answers = {};
  const readAgain = async ([id, document]: readonly [string, Answer]): Promise<void> => {
    const tag = readHeader(document, 'etag')?.trim();
    if (tag !== undefined) again[id] = await server.schema({ path: modelPath(id) }, ifNoneMatch(tag));
  };
  await pMap(Object.entries(read), readAgain, { concurrency: maxConcurrentReads });
  const run: Answers = {};
  const minimal: Answers = {};
  // Use the same inputs as other rules, and configured inputs if available.
  const discovered = Object.values(discovery.models);
  // Sequential, because the number of calls in flight is limited.
  for (const [id, document] of Object.entries(read)) {
    const model = discovered.find((one) => one.id === id) ?? readModel(id, document, server);
    if (model === undefined) continue;
    const runWith = async (input: JsonObject | undefined, options?: CallOptions) =>
      input && server.ifPossible(() => server.run({ path: modelPath(id), input }, options));
    run[id] = await runWith(model.input, { share: 'plain' });
    minimal[id] = await runWith(minimalInput(model));
  }
  return { read, again, run, minimal };
});

const expectAccepted =
  (expected: string): expect.Expectation =>
  ({ status, step, body }) =>
    status === 422 ? [finding('status-unexpected', { step }, expected, excerpt(decodeBody({ body })))] : [];

// These rules run every model of the catalog, not only those of the test hooks.
export const schemaInputRules = [
  rule('schema-document.not-modified.for-each-model', eachModel, {
    perModel: true,
    sentence: 'For each model, a request for the schema document with its current entity tag gets 304.',
    requirements: ['MR-SCH-12'],
    needs: ['schema-document.not-modified.answers-the-same-tag'],
    check: ({ again }) => expect.on(Object.values(again), expect.status(304)),
  }),
  modelRule('schema-document.content.is-what-inputs-are-judged-by', eachModel, {
    sentence: 'An input that the schema document accepts is accepted by the model.',
    requirements: ['MR-SCH-25', 'MR-SCH-26', 'MR-SCH-27'],
    check: ({ run }) =>
      expect.on(Object.values(run), expectAccepted('an accepted input (the schema document allows it)')),
  }),
  modelRule('schema-document.content.asks-for-all-that-is-required', eachModel, {
    sentence: 'The schema document requires every member that the model requires in an input.',
    requirements: ['MR-SCH-27', 'MR-SCH-31', 'MR-SCH-26'],
    reading: 'OP-103',
    check: ({ minimal }, { headers }) =>
      expect.on(
        Object.values(minimal),
        expect.where(
          // A provider may be stricter than the document; its status is then reported.
          (response) => readHeader(response, headers.upstreamStatus) === undefined,
          expectAccepted('an accepted input (the schema document requires no other members)'),
        ),
      ),
  }),
];

/** Returns one invalid input per keyword: a valid input changed so that it only violates that keyword, if possible. */
export const findWrongInputs = memoize(
  ({ input, inputSchema, document }: DiscoveredModel): ReadonlyMap<string, JsonObject> => {
    const check = compileSchema(inputSchema, { root: document });
    const wrong = listWrongValues(inputSchema, document);
    // A full sample contains nested values that the usual input may lack.
    const sample = createSampler(readSchema(document, inputSchema, 'input'));
    const full = sample({ random: () => 0.5, prefer: 'full', isValid: (value) => check(value).length === 0 });
    const found = new Map<string, JsonObject>();
    for (const valid of [input, full ?? input]) {
      for (const { change } of wrong) {
        const candidate = change(valid);
        const broken = new Set(isJsonObject(candidate) ? check(candidate).map(({ keyword }) => keyword) : []);
        const [keyword = ''] = broken;
        if (isJsonObject(candidate) && broken.size === 1 && !found.has(keyword)) found.set(keyword, candidate);
      }
    }
    return found;
  },
);

const keywords = [
  ...['enum', 'maximum', 'minimum', 'exclusiveMinimum', 'maxLength', 'minLength'],
  ...['pattern', 'maxItems', 'minItems', 'additionalProperties'],
];
const modelsPerKeyword = 2;

const documents = scenario({ requires: [state, validation] }, async (server) => ({
  read: await readDocuments(server, server.runnable.slice(0, maxModels)),
}));

/** Lists the runnable models whose schema rejects some input. The router rejects no input of a model without an authored schema. */
async function listValidatingModels(server: ScenarioContext): Promise<readonly DiscoveredModel[]> {
  const { read } = await server.shared(documents);
  return Object.entries(read)
    .flatMap(([id, document]) => readModel(id, document, server) ?? [])
    .filter(({ invalidInput }) => invalidInput !== undefined);
}

/**
 * Runs or submits one or two models for each keyword, with an input that only violates that keyword, and then each model
 * with an input that violates its schema in any way.
 */
const sendInvalidInputs = (operation: 'run' | 'submit') =>
  scenario({ cost: 'billed', requires: [state, validation] }, async (server) => {
    const models = await listValidatingModels(server);
    const byKeyword = keywords.flatMap((keyword) => {
      const wrong = models.map((model) => ({ model, flaw: keyword, input: findWrongInputs(model).get(keyword) }));
      return wrong.filter(({ input }) => input !== undefined).slice(0, modelsPerKeyword);
    });
    const ofEachModel = models.map((model) => ({ model, flaw: true as const, input: model.invalidInput }));
    return inTurn([...byKeyword, ...ofEachModel], ({ model: { id, path }, flaw, input }) => {
      const purpose = { name: `invalid ${flaw === true ? 'input' : flaw} of ${id}`, rejected: flaw };
      return server.ifPossible(() => server[operation]({ path, input }, purpose));
    });
  });

// 403: the queue may reject models that return bytes.
const statuses = { run: [422], submit: [422, 403] } as const;
const requirements = {
  run: ['MR-SCH-27', 'MR-RUN-49', 'MR-STC-11', 'MR-CTG-03'],
  submit: ['MR-SUB-07', 'MR-SUB-08', 'MR-SUB-09'],
} as const;

export const schemaConstraintRules = startOperations.map(({ name, noun }) =>
  rule(`schema-document.constraints.${name}`, sendInvalidInputs(name), {
    usualCause: usualCauses.inputs,
    sentence: `For each model, a ${noun} with an input that violates the schema document is rejected with 422.`,
    requirements: requirements[name],
    check: (answers) => expect.on(answers, expect.status(statuses[name])),
  }),
);
