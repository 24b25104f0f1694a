import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../../../specs/src/index.ts';
import { usualCauses } from '../../contract/concerns.ts';
import { decodeBody, findMembers, readHeader, readMember } from '../../contract/evidence.ts';
import { type Finding, finding, observed } from '../../contract/finding.ts';
import { decodeSegment, encodeText } from '../../contract/requests.ts';
import { ruleIn } from '../../contract/rule.ts';
import { type Answer, type ResponsesOf, scenario, type Values } from '../../contract/scenario.ts';
import { credential, job, state } from '../../requires.ts';
import { inTurn } from '../calls.ts';
import * as expect from '../expect.ts';
import { findUnknownJob, readAnonymously, singleJobs, unlessOpen } from './jobs.ts';
import { expectCode, ofUnknownJob } from './refusals.ts';

const rule = ruleIn('workflow');

const everyMissing = scenario({ api: 'workflow', requires: [state, ...job('foreign', 'expired')] }, async (server) => ({
  unknown: await server.jobWorkflow(findUnknownJob(server)),
  foreign: await server.jobWorkflow(server.job('foreign')),
  expired: await server.jobWorkflow(server.job('expired')),
}));

const listOddIds = ({ text, number }: Values): Readonly<Record<string, string>> => ({
  'a word': text('no-such-job'),
  'a number': String(number(7, 1, 9_999)),
  quotes: `' or '${text('1')}'='${text('1')}`,
  'letters beyond ASCII': `${text('j')}\u00f6b-\u{1f3ad}`,
  'a percent sign': `${number(100, 1, 999)}%`,
  'spaces and dots': '.. ..',
  'two thousand characters': text('j').padEnd(2_000, 'j'),
});

const odd = scenario({ api: 'workflow', requires: [state] }, ({ jobWorkflow, values }) =>
  inTurn(Object.entries(listOddIds(values)), ([name, id]) => jobWorkflow(encodeText(id), { name })),
);

/** Describes a rejection without the job's id, for comparison. */
function describeRefusal(answer: Answer, jobId: string): string {
  const body = JSON.stringify(readMember(answer, '/error')) ?? decodeBody(answer);
  const text = body.replaceAll(decodeSegment(jobId), '<id>');
  return `${answer.status} ${readHeader(answer, 'content-type') ?? ''} ${text}`;
}

/** The owner reads first, so that a cache that ignores the caller would return the workflows. */
const afterOwner = scenario(
  { api: 'workflow', requires: [state, ...credential('workflow', 'other'), ...job('save', 'api', 'foreign')] },
  async (server) => {
    const [save, api] = [server.job('save'), server.job('api')];
    return {
      anonymous: await readAnonymously(server),
      own: [await server.jobWorkflow(save), await server.jobWorkflow(api)],
      ofOther: [await server.jobWorkflow(save, { as: 'other' }), await server.jobWorkflow(api, { as: 'other' })],
      foreign: await server.jobWorkflow(server.job('foreign')),
    };
  },
);

/** Reads the workflow of each job, and the job itself, whose route is undocumented (OP-054, OP-263). */
const lookups = scenario(
  { api: 'workflow', requires: [state, ...job('api', 'save', 'foreign', 'expired')] },
  async (server) => {
    const names = ['api', 'save', 'foreign', 'expired'] as const;
    const lookups = await inTurn(names, async (name) => {
      const id = server.job(name);
      const workflow = await server.jobWorkflow(id);
      return { workflow, record: await server.send({ api: 'workflow', method: 'GET', to: `/api/v2/jobs/${id}` }) };
    });
    return { lookups };
  },
);

type Lookup = ResponsesOf<typeof lookups>['lookups'][number];

/** Expects the job to exist if its workflow does, and a record without the workflow, so that polling stays cheap (WX-JWF-33). */
function checkLookup({ workflow, record }: Lookup): readonly Finding[] {
  const isFound = ({ status }: Answer): boolean => status === 200 || status === 404;
  if (workflow.status !== record.status && isFound(workflow) && isFound(record)) {
    const expected = `${workflow.status}, as the workflow`;
    return [finding('values-differ', { step: record.step }, expected, String(record.status))];
  }
  const graph = readMember(workflow, '/workflow');
  if (workflow.status !== 200 || !isJsonObject(graph) || Object.keys(graph).length === 0) return [];
  const found = findMembers(readMember(record, ''), (_, member) => isDeepStrictEqual(member, graph));
  return found.flatMap(({ pointer }) =>
    expect.wrongAt(record.step, pointer, 'no workflow in the record of a job', 'the workflow'),
  );
}

const foreignRule = ruleIn('workflow', { usualCause: usualCauses.lookup, concern: 'access' });

export const missingJobRules = [
  rule('workflow.unknown.is-not-found', ofUnknownJob, {
    requires: [state],
    usualCause: usualCauses.lookup,
    sentence: 'Reading an unknown job returns 404 not_found.',
    requirements: ['WX-RTN-02', 'WX-OPE-03', 'WX-COD-09'],
    requiredOf: ['sandbox', 'live'],
    check: ({ unknown }) => expect.on(unknown, expectCode(404, 'not_found')),
  }),
  foreignRule('workflow.foreign.is-not-found', singleJobs.foreign, {
    sentence: "Reading another account's job returns 404 not_found.",
    requirements: ['WX-RTN-03', 'WX-COD-09'],
    check: ({ job }) => expect.on(job, expectCode(404, 'not_found')),
  }),
  rule('workflow.expired.is-not-found', singleJobs.expired, {
    usualCause: 'the time of retention is not checked, or has an error of its own',
    sentence: 'Reading a job after its retention returns 404 not_found.',
    requirements: ['WX-RTN-04', 'WX-RTN-05', 'WX-RTN-06', 'WX-RTN-07', 'WX-COD-09'],
    check: ({ job }) => expect.on(job, expectCode(404, 'not_found')),
  }),
  rule('workflow.unknown.odd-ids-are-not-found', odd, {
    sentence: 'A malformed job id is refused.',
    requirements: ['WX-RTN-02', 'WX-OPE-03', 'WX-JWF-02', 'WX-COD-09'],
    reading: 'OP-057',
    requiredOf: ['sandbox', 'live'],
    // The format of ids is undocumented (OP-057), so a malformed id may have another status than an unknown one.
    check: (answers) => expect.on(answers, expect.status([404, 400, 414, 422])),
  }),
  rule('workflow.missing.appearance', everyMissing, {
    sentence: 'The differences between the responses to unknown, foreign and expired jobs are noted.',
    observes: true,
    requirements: ['WX-RTN-01'],
    needs: ['workflow.unknown.is-not-found', 'workflow.foreign.is-not-found', 'workflow.expired.is-not-found'],
    check: ({ unknown, foreign, expired }, context) => {
      const seen = [
        describeRefusal(unknown, findUnknownJob(context)),
        describeRefusal(foreign, context.job('foreign')),
        describeRefusal(expired, context.job('expired')),
      ];
      // Status and code are defined; the wording is not.
      const isOne = new Set(seen).size === 1;
      return observed(isOne ? 'unknown, foreign, expired jobs look the same' : `refusals differ: ${seen.join(' | ')}`);
    },
  }),
  foreignRule('workflow.foreign.stays-so-after-its-owner-read-it', afterOwner, {
    sentence: "Reading another account's job returns 404 even after its owner has read it.",
    requirements: ['WX-RTN-03', 'WX-COD-09'],
    needs: ['workflow.job.answers-with-json'],
    check: ({ anonymous, ofOther, foreign }) =>
      unlessOpen(anonymous, () => expect.on([...ofOther, foreign], expect.status(404))),
  }),
  rule('workflow.lookup.finds-the-same-jobs', lookups, {
    concern: 'access',
    sentence: 'A job is found exactly if its workflow is found.',
    requirements: ['WX-RTN-01', 'WX-RTN-03', 'WX-RTN-05', 'WX-RTN-06', 'WX-JWF-33'],
    needs: ['workflow.job.answers-with-json'],
    check: ({ lookups }) =>
      // If the API only serves workflows, the 404 for the job itself means nothing.
      lookups.every(({ record }) => record.status === 404)
        ? observed('no job is looked up at this address (OP-054)')
        : lookups.flatMap(checkLookup),
  }),
];
