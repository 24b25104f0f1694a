import type { JsonValue } from '../../../specs/src/index.ts';
import { compileSchema, createSampler, formatPointer, isJsonObject, readSchema } from '../../../specs/src/index.ts';
import type { DiscoveredModel } from '../contract/discovery.ts';
import { NotApplicable } from '../contract/endings.ts';
import { readHeader, readMember } from '../contract/evidence.ts';
import { finding } from '../contract/finding.ts';
import { encodeText, modelPath } from '../contract/requests.ts';
import { ruleIn } from '../contract/rule.ts';
import { type Answer, type FreeContext, scenario } from '../contract/scenario.ts';
import { state, validation } from '../requires.ts';
import { findUnknownId, inTurn } from './calls.ts';
import * as expect from './expect.ts';
import { readModel } from './schema-document.ts';

/** Path in the format of `loc`: outermost field first, integers for indices. */
type FieldPath = readonly (string | number)[];

/** Makes `count` fields of a valid input invalid. Returns undefined if fewer wanted fields can be broken independently. */
function breakFields(
  { inputSchema, document, input }: DiscoveredModel,
  isWanted: (path: FieldPath) => boolean,
  count = 1,
): { readonly input: JsonValue; readonly paths: readonly FieldPath[] } | undefined {
  const check = compileSchema(inputSchema, { root: document, side: 'input' });
  const sample = createSampler(readSchema(document, inputSchema, 'input'));
  const isValid = (value: JsonValue): boolean => check(value).length === 0;
  const samples = (['full', 'small'] as const).map((prefer) => sample({ random: () => 0, prefer, isValid }));
  for (const valid of [input, ...samples.filter((one) => one !== undefined)]) {
    const paths: FieldPath[] = [];
    for (const path of listLeaves(valid).slice(0, 100).filter(isWanted)) {
      const pointers = check(breakAt(valid, path)).map(({ pointer }) => pointer);
      const ownPointer = formatPointer(path.map(String));
      if (pointers.length > 0 && pointers.every((pointer) => pointer === ownPointer)) paths.push(path);
      if (paths.length === count) return { input: paths.reduce(breakAt, valid), paths };
    }
  }
  return undefined;
}

function listLeaves(value: JsonValue, path: FieldPath = []): readonly FieldPath[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => listLeaves(one, [...path, index]));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, one]) => listLeaves(one, [...path, name]));
  return [path];
}

function breakAt(value: JsonValue, [first, ...rest]: FieldPath): JsonValue {
  if (first === undefined) return { not_a_scalar: true };
  if (Array.isArray(value)) return value.map((one, index) => (index === first ? breakAt(one, rest) : one));
  return isJsonObject(value) ? { ...value, [first]: breakAt(value[first] ?? null, rest) } : value;
}

const rule = ruleIn('errors', { requiredOf: ['sandbox', 'live'] });

const callerRequestId = scenario({ requires: [state] }, async ({ listModels, headers, values }) => ({
  sent: await listModels('', { headers: [[headers.requestId, values.text('an-id-of-the-caller')]] }),
}));

/** Paths and methods that no operation describes. Calls to them have no body, and cannot run or change anything. */
function sendUndocumented(server: FreeContext): Promise<readonly Answer[]> {
  const { authored, values } = server;
  const request = `${authored.path}/requests/${findUnknownId(server)}`;
  const unknown = values.text('no-such-tail');
  const calls = [
    ['GET', `/v2/${unknown}`],
    ['GET', `/v2/models/${values.text('only-a-provider')}`],
    ['GET', `${authored.path}/${unknown}`],
    ['GET', `${request}/cancel`],
    ['PUT', `${request}/status`],
    ['PATCH', '/v2/models'],
    ['GET', '/v2/models/%ff/%fe'],
    ['GET', '/v2/models/..%2f..%2fetc/passwd'],
    ['GET', `/v2/${`${values.text('long')}/`.repeat(200)}path`],
  ] as const;
  return inTurn(calls, ([method, to]) =>
    server.send({ api: 'router', method, to }, { name: `${method} ${to}`.slice(0, 80) }),
  );
}

/** Sends calls whose response the documents don't define. */
const openCalls = scenario({ requires: [state] }, async (server) => {
  const { listModels, schema, onRequest, authored, values } = server;
  const first = await listModels('?limit=1');
  const cursor = readMember(first, '/next_cursor');
  const useCursor = () => listModels(`?limit=1&cursor=${encodeText(String(cursor))}`);
  const tag = readHeader(await schema(authored), 'etag')?.trim() ?? '"none"';
  const withTag = (tags: string) => schema(authored, { headers: [['If-None-Match', tags]] });
  return {
    textLimit: await listModels(`?limit=${values.text('many')}`),
    unknownParameter: await listModels(`?limit=1&${values.text('no_such_parameter')}=1`),
    ...(typeof cursor === 'string' && { cursor: await useCursor(), sameCursor: await useCursor() }),
    weakTag: await withTag(`W/${tag}`),
    anyTag: await withTag('*'),
    listOfTags: await withTag(`"${values.text('another')}", ${tag}`),
    cancelOfMalformedId: await onRequest('cancel', authored.path, 'NOT-A-UUID'),
    undocumented: await sendUndocumented(server),
  };
});

/** Runs and submits an input with two invalid fields. */
const twoInvalidFields = scenario({ requires: [validation] }, async (server) => {
  const { authored, must } = server;
  const broken = breakFields(authored, ({ length }) => length === 1, 2);
  if (broken === undefined)
    throw new NotApplicable('the model does not have two fields that can each be made invalid on their own');
  const model = { ...authored, input: broken.input };
  return {
    run: await must(server.run(model, { rejected: true }), 422),
    submit: await must(server.submit(model, { rejected: true }), 422),
    paths: broken.paths,
  };
});

/** Runs a model with an invalid field inside an object or, if a model has one, inside an array. */
const invalidNestedField = scenario({ requires: [validation] }, async (server) => {
  let found: { readonly path: string; readonly broken: NonNullable<ReturnType<typeof breakFields>> } | undefined;
  for (const id of server.runnable.slice(0, 60)) {
    const model = readModel(id, await server.schema({ path: modelPath(id) }), server);
    // If the schema rejects no input, the router validates nothing.
    if (model?.invalidInput === undefined) continue;
    const inArray = breakFields(model, (path) => path.some(Number.isInteger));
    const broken = inArray ?? (found === undefined ? breakFields(model, ({ length }) => length > 1) : undefined);
    if (broken !== undefined) found = { path: model.path, broken };
    if (inArray !== undefined) break;
  }
  if (found === undefined)
    throw new NotApplicable('no model that was read has a nested field that can be made invalid');
  const { path, broken } = found;
  return {
    invalid: await server.must(server.run({ path, input: broken.input }, { rejected: true }), 422),
    paths: broken.paths,
  };
});

const expectEntries = expect.member(
  '/detail',
  expect.matching('an array of entries', (detail) => Array.isArray(detail) && detail.length > 0),
);

/** Expects a `loc` with these segments in order. Other segments may be in between, such as `body` or a schema name. */
const expectPath =
  (wanted: FieldPath): expect.Expectation =>
  (response) => {
    const detail = readMember(response, '/detail');
    const entries = Array.isArray(detail) ? detail : [];
    const locs = entries.flatMap((entry) => (isJsonObject(entry) && Array.isArray(entry['loc']) ? [entry['loc']] : []));
    const isIn = (loc: readonly JsonValue[]): boolean =>
      loc.reduce((found: number, segment) => (segment === wanted[found] ? found + 1 : found), 0) === wanted.length;
    const expected = `a loc that contains ${JSON.stringify(wanted)} in this order`;
    return locs.some(isIn) ? [] : expect.wrongAt(response.step, '/detail', expected, JSON.stringify(locs));
  };

export const errorRules = [
  rule('errors.request-id.is-not-taken-from-the-caller', callerRequestId, {
    sentence: 'The router generates the request id itself and ignores an id that the caller sends.',
    requirements: ['MR-HDR-03'],
    check: ({ sent }, { headers, values }) => {
      const id = readHeader(sent, headers.requestId) ?? '';
      const at = { step: sent.step, header: headers.requestId };
      const isTaken = id === values.text('an-id-of-the-caller');
      return isTaken ? [finding('value-unexpected', at, 'an id generated by the server', id)] : [];
    },
  }),
  rule('errors.validation.names-each-failing-field', twoInvalidFields, {
    sentence: 'A 422 has an entry for each invalid field.',
    requirements: ['MR-ERR-10', 'MR-ERR-11', 'MR-SUB-09'],
    check: ({ run, submit, paths }) => expect.on([run, submit], expectEntries, ...paths.map(expectPath)),
  }),
  rule('errors.validation.loc-is-the-path-to-the-field', invalidNestedField, {
    sentence: 'The loc of an entry is the path to the invalid field, outermost member first, indices from 0.',
    requirements: ['MR-ERR-12', 'MR-ERR-13', 'MR-ERR-14'],
    check: ({ invalid, paths }) => expect.on(invalid, ...paths.map(expectPath)),
  }),
  rule('errors.open-calls.break-nothing', openCalls, {
    sentence: 'The responses to calls of the router that the documents leave open are recorded, not judged.',
    observes: true,
    requirements: ['MR-ERR-03', 'MR-CAT-12', 'MR-CAT-17', 'MR-CAT-22', 'MR-SCH-12', 'MR-CAN-15'],
    // OP-028 to OP-030, OP-037. Passive rules check the errors for paths and methods that no operation describes.
    check: ({ undocumented: _, ...answers }) => {
      const seen = Object.entries(answers).map(([name, { status }]) => `${name} gets ${status}`);
      return expect.recordObservation(Object.values(answers), seen.join('; '));
    },
  }),
];
