import { isJsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { NotApplicable } from '../../contract/endings.ts';
import { allResponses, readHeader, readMember, readResponse, type StepResponse } from '../../contract/evidence.ts';
import { finding, notApplicable, observed } from '../../contract/finding.ts';
import type { Evidence, Probe, Step } from '../../contract/probe.ts';
import { defineFamily, type Shown } from '../../contract/rule.ts';
import type { ApiName } from '../../contract/target.ts';
import { state, validation } from '../../requires.ts';
import * as expect from '../builders/expect.ts';
import * as send from '../builders/send.ts';
import { hasMembers } from '../passive/bodies.ts';
import { modelIn } from '../schema-document/inputs.ts';
import { readDocument } from '../schema-document/reading.ts';
import { unknownJob } from '../workflow/jobs.ts';
import { type BrokenInput, breakInput, type FieldKind } from './broken-fields.ts';

/** Calls that no operation describes. None of them has a body, and none can run or change anything. */
const listRouterCalls = ({ authored }: ProbeContext): readonly string[] => [
  'GET /v2',
  'GET /v2/no-such-path',
  'GET /v2/models/',
  'GET /v2/models/only-a-provider',
  `GET ${authored.path}/no-such-tail`,
  `GET ${authored.path}/requests`,
  `GET ${authored.path}/requests/${send.unknownRequestId}/no-such-tail`,
  `GET ${authored.path}/requests/${send.unknownRequestId}/cancel`,
  `PUT ${authored.path}/requests/${send.unknownRequestId}/status`,
  'PATCH /v2/models',
  `PUT ${authored.path}/openapi.json`,
  'GET /v2/models/%ff/%fe',
  'GET /v2/models/..%2f..%2fetc/passwd',
  `GET /v2/${'long/'.repeat(200)}path`,
];

const workflowCalls: readonly string[] = [
  'GET /api/v2',
  'GET /api/v2/no-such-path',
  `GET /api/v2/jobs/${unknownJob}/no-such-tail`,
  `PATCH /api/v2/jobs/${unknownJob}/workflow`,
  'GET /api/v2/jobs//workflow',
  'GET /api/v2/jobs/%ff/workflow',
  'GET /api/v2/jobs/..%2f..%2fetc/workflow',
];

/** The answer to such calls is open (OP-029). The passive rules check the content of an error. */
const noted = (api: ApiName, list: (context: ProbeContext) => readonly string[]): Shown => ({
  probe: (context) =>
    list(context).map((call) => {
      const [method = '', to = ''] = call.split(' ');
      return send.step(call.slice(0, 80), { api, method, to });
    }),
  check: (evidence) => {
    const statuses = allResponses(evidence).map(({ status }) => status);
    return observed(`calls that are not described get ${[...new Set(statuses)].sort().join(', ')} (OP-029)`);
  },
});

const ownId = 'an-id-of-the-caller';

export const errorEnvelopeRules = defineFamily({ requiredOf: ['mock', 'sandbox', 'live'] })({
  'errors.envelope.has-detail-and-type': {
    // Repeats passive.body.error, because its calls bring the passive rules a mock's examples of errors.
    sentence: 'An error of the router is a JSON object with detail and error_type.',
    requirements: ['MR-ERR-01', 'MR-ERR-02', 'MR-ERR-05'],
    // Free refusals of several operations, for several reasons; `prefer` selects the mock's example.
    probe: (context) => {
      const { path, input } = context.authored;
      // A validating mock waits for ever on a body that is cut off.
      const body = context.kind === 'mock' ? send.jsonBody(input) : send.malformedBody;
      return [
        send.list('bad-cursor', '?cursor=not-a-cursor', { prefer: 400 }),
        send.step('unknown-model', send.get('router', `${path}-that-is-unknown`, { prefer: 404 })),
        send.step('malformed-body', send.post(path, { ...body, prefer: 400 }), { mayBeLeftOut: true }),
        send.step(
          'unknown-request',
          send.get('router', `${path}/requests/${send.unknownRequestId}/status`, { prefer: 404 }),
        ),
        send.list('no-credential', '', { credentials: [] }),
      ];
    },
    check: (evidence) => {
      const refused = allResponses(evidence).filter(({ status }) => status >= 400 && status !== 422);
      if (refused.length === 0) return notApplicable('nothing was refused');
      return refused.flatMap(expect.members({ '/detail': expect.text, '/error_type': expect.text }));
    },
  },
  'errors.request-id.is-not-taken-from-the-caller': {
    sentence: "The request id of an answer is the router's own, whatever the caller sends.",
    requirements: ['MR-HDR-03'],
    requires: [state],
    requiredOf: ['sandbox', 'live'],
    probe: ({ headers }) => [send.list('sent', '', { headers: [[headers.requestId, ownId]] })],
    check: (evidence, { headers }) => {
      if (readHeader(readResponse(evidence, 'sent'), headers.requestId) !== ownId) return [];
      const at = { step: 'sent', header: headers.requestId };
      return [finding('value-unexpected', at, 'an id made by the server', ownId)];
    },
  },
});

export const unlistedCallRules = defineFamily({ requiredOf: ['sandbox', 'live'] })({
  'errors.unlisted.paths-and-methods': {
    sentence: 'What paths and methods that the router does not list get is noted.',
    observes: true,
    requirements: ['MR-ERR-03'],
    ...noted('router', listRouterCalls),
  },
  'errors.unlisted.workflow-paths-and-methods': {
    sentence: 'What paths and methods that the workflow API does not list get is noted.',
    observes: true,
    requirements: ['WX-ERR-04'],
    api: 'workflow',
    ...noted('workflow', () => workflowCalls),
  },
});

function refusing(context: ProbeContext, value: unknown, tail = ''): Probe {
  const request = send.post(context.authored.path + tail, { ...send.jsonBody(value), prefer: 422 });
  return [send.step('invalid', request, { mustAnswer: [422] })];
}

const invalid = (context: ProbeContext): Probe =>
  refusing(context, context.kind === 'mock' ? context.authored.input : send.requireInvalidInput(context.authored));

function listEntries(response: StepResponse): readonly JsonValue[] {
  const detail = readMember(response, '/detail');
  return Array.isArray(detail) ? detail : [];
}

const expectEntries: expect.Expectation = (response) => {
  const shape = expect.member('/detail', expect.array)(response);
  if (shape.length > 0 || listEntries(response).length > 0) return shape;
  return expect.wrongAt(response.step, '/detail', 'an entry', 'none');
};

function breakTwo(context: ProbeContext): BrokenInput {
  const broken = breakInput(context.authored, 'two at the top');
  if (broken === undefined) throw new NotApplicable('the model has no two fields that can be broken by themselves');
  return broken;
}

/** An entry whose `loc` contains this path. A prefix such as `body`, a name of a schema between, and an end inside the wrong value are allowed. */
const expectPath =
  (wanted: readonly (string | number)[]): expect.Expectation =>
  (response) => {
    const locs = listEntries(response).flatMap((entry) =>
      isJsonObject(entry) && Array.isArray(entry['loc']) ? [entry['loc']] : [],
    );
    const isIn = (loc: readonly JsonValue[]): boolean =>
      loc.reduce((found: number, part) => (part === wanted[found] ? found + 1 : found), 0) === wanted.length;
    const expected = `a loc with ${JSON.stringify(wanted)} in this order`;
    return locs.some(isIn) ? [] : expect.wrongAt(response.step, '/detail', expected, JSON.stringify(locs));
  };

const namesBothFields: expect.FindingsCheck = (evidence, context) =>
  expect.on('invalid', ...breakTwo(context).paths.map(expectPath))(evidence, context);

const documentsAtMost = 60;

function brokenField(evidence: Evidence, context: ProbeContext, kind: FieldKind) {
  for (const id of context.runnable.slice(0, documentsAtMost)) {
    const model = modelIn(evidence, id, context);
    // Without an input that its schema refuses the router checks none.
    const broken = model?.invalidInput === undefined ? undefined : breakInput(model, kind);
    if (model !== undefined && broken !== undefined) return { ...broken, path: model.path };
  }
  return undefined;
}

/** Reads schema documents until one has such a field, then runs its model with that field wrong: its entry has the parts of the path to it. */
const brokenLocation = (kind: FieldKind): Shown => ({
  probe: (context) => {
    const reads = context.runnable.slice(0, documentsAtMost).map((id, index): Step => {
      const { request, ...read } = readDocument(`read ${id}`, { path: send.modelPath(id) });
      const isFound = (earlier: Evidence): boolean =>
        earlier.length < index || brokenField(earlier, context, kind) !== undefined;
      return { ...read, request: (earlier) => (isFound(earlier) ? undefined : request(earlier)) };
    });
    const run = (earlier: Evidence) => {
      const field = brokenField(earlier, context, kind);
      return field && send.post(field.path, send.jsonBody(field.input));
    };
    return [...reads, send.step('invalid', run, { mustAnswer: [422] })];
  },
  check: (evidence, context) => {
    const field = brokenField(evidence, context, kind);
    if (field === undefined) return notApplicable(`no model read has a field ${kind} that can be broken by itself`);
    return expect.on('invalid', ...field.paths.map(expectPath))(evidence, context);
  },
});

const shapeRules = defineFamily({ requiredOf: ['mock', 'sandbox', 'live'], probe: invalid })({
  'errors.validation.lists-its-entries': {
    sentence: 'The detail of a 422 is a list of entries.',
    requirements: ['MR-ERR-10'],
    check: expect.on('invalid', expectEntries),
  },
  'errors.validation.entries-have-their-members': {
    // Repeats passive.body.validation, because the rules on paths mean nothing without these members.
    sentence: 'Each entry of a 422 has loc, msg and type.',
    requirements: ['MR-ERR-12', 'MR-ERR-15', 'MR-ERR-16'],
    needs: ['errors.validation.lists-its-entries'],
    check: expect.on('invalid', hasMembers(/^\/detail\/\d+(?:\/(?:loc|msg|type)\b.*)?$/)),
  },
});

const pathRules = defineFamily({
  requires: [validation],
  requiredOf: ['sandbox', 'live'],
  needs: ['errors.validation.entries-have-their-members'],
})({
  'errors.validation.names-each-failing-field': {
    sentence: 'A 422 of a run has an entry for each field that fails.',
    requirements: ['MR-ERR-11'],
    needs: ['errors.validation.lists-its-entries'],
    probe: (context) => refusing(context, breakTwo(context).input),
    check: namesBothFields,
  },
  'errors.validation.names-each-failing-field-of-a-submission': {
    sentence: 'A 422 of a submission has an entry for each field that fails.',
    requirements: ['MR-ERR-11', 'MR-ERR-10', 'MR-SUB-09'],
    needs: ['errors.validation.lists-its-entries'],
    probe: (context) => refusing(context, breakTwo(context).input, '/requests'),
    check: expect.all(expect.on('invalid', expectEntries), namesBothFields),
  },
  'errors.validation.loc-leads-from-outside-in': {
    sentence: 'The loc of an entry leads from the body to the failing field, outermost first.',
    requirements: ['MR-ERR-13'],
    ...brokenLocation('in an object'),
  },
  'errors.validation.loc-counts-array-elements': {
    sentence: 'The loc of an entry names an array element by its index, counted from 0.',
    requirements: ['MR-ERR-14'],
    ...brokenLocation('in an array'),
  },
  'errors.validation.loc-leads-to-the-broken-field': {
    sentence: 'The loc of an entry leads to a field at the top of the input, in a part of its own.',
    requirements: ['MR-ERR-12', 'MR-ERR-13'],
    ...brokenLocation('at the top'),
  },
});

export const errorValidationRules = [...shapeRules, ...pathRules];
