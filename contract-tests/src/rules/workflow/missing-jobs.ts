import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { decodeBody, findMembers, readHeader, readMember, readResponse } from '../../contract/evidence.ts';
import { type Finding, finding, observed } from '../../contract/finding.ts';
import type { Evidence, Step } from '../../contract/probe.ts';
import { defineFamily } from '../../contract/rule.ts';
import { credential, type JobName, job, state } from '../../requires.ts';
import * as expect from '../builders/expect.ts';
import * as send from '../builders/send.ts';
import { askedOpenly, readById, readJob, readJobs, unknownJob, unlessOpen, workflow } from './jobs.ts';
import { expectCode } from './refusals.ts';

const missing = ['unknown', 'foreign', 'expired'] as const;

const oddJobs: Readonly<Record<string, string>> = {
  'a word': 'no-such-job',
  'a number': '7',
  quotes: "' or '1'='1",
  'letters beyond ASCII': 'j\u00f6b-\u{1f3ad}',
  'a percent sign': '100%',
  'spaces and dots': '.. ..',
  'two thousand characters': 'j'.repeat(2_000),
};

type Missing = (typeof missing)[number];

function pickId(name: Missing, context: ProbeContext): string {
  return name === 'unknown' ? unknownJob : context.job(name);
}

function isMissing(name: Missing) {
  return {
    requires: name === 'unknown' ? [state] : [state, ...job(name)],
    needs: [],
    ...expect.answers((context) => [readById(name, pickId(name, context))], expectCode(404, 'not_found')),
  };
}

/** Describes a refusal for comparison, without the job's id. */
function describeRefusal(evidence: Evidence, name: Missing, context: ProbeContext): string {
  const response = readResponse(evidence, name);
  const body = JSON.stringify(readMember(response, '/error')) ?? decodeBody(response);
  const text = body.replaceAll(send.decodeSegment(pickId(name, context)), '<id>');
  return `${response.status} ${readHeader(response, 'content-type') ?? ''} ${text}`;
}

const lookups = ['api', 'save', 'foreign', 'expired'] as const satisfies readonly JobName[];

const lookUp = (name: JobName, context: ProbeContext): Step =>
  send.step(`look-up-${name}`, send.get('workflow', `/api/v2/jobs/${context.job(name)}`));

/** Checks that the job exists if its workflow does; the rest of its route is not documented (OP-054, OP-263). */
function lookupFindings(evidence: Evidence, name: JobName): readonly Finding[] {
  const [ofWorkflow, ofJob] = [readResponse(evidence, name).status, readResponse(evidence, `look-up-${name}`).status];
  if (ofWorkflow === ofJob || ![ofWorkflow, ofJob].every((status) => status === 200 || status === 404)) return [];
  return [finding('values-differ', { step: `look-up-${name}` }, `${ofWorkflow}, as the workflow`, String(ofJob))];
}

/** Checks that a job's record doesn't contain the workflow, so that polling stays cheap (WX-JWF-33). */
function embeddedFindings(evidence: Evidence, name: JobName): readonly Finding[] {
  const [read, lookedUp] = [readResponse(evidence, name), readResponse(evidence, `look-up-${name}`)];
  const workflow = readMember(read, '/workflow');
  if (read.status !== 200 || !isJsonObject(workflow) || Object.keys(workflow).length === 0) return [];
  const isWorkflow = (_: string, member: JsonValue): boolean => isDeepStrictEqual(member, workflow);
  const found = findMembers(readMember(lookedUp, ''), isWorkflow);
  return found.map(({ pointer }) =>
    finding('value-unexpected', { step: lookedUp.step, pointer }, 'no workflow in the record of a job', 'the workflow'),
  );
}

const otherAccount = send.withToken('other');

export const missingJobRules = defineFamily({
  ...workflow,
  requires: [state],
  needs: ['workflow.job.answers-with-json'],
})({
  'workflow.unknown.is-not-found': {
    sentence: 'An unknown job answers 404.',
    requirements: ['WX-RTN-02', 'WX-OPE-03', 'WX-COD-09'],
    requiredOf: ['sandbox', 'live'],
    ...isMissing('unknown'),
  },
  'workflow.foreign.is-not-found': {
    concern: 'access',
    sentence: "Another account's job answers 404.",
    requirements: ['WX-RTN-03', 'WX-COD-09'],
    ...isMissing('foreign'),
  },
  'workflow.expired.is-not-found': {
    sentence: 'A job after its retention answers 404.',
    requirements: ['WX-RTN-04', 'WX-RTN-07', 'WX-COD-09'],
    ...isMissing('expired'),
  },
  'workflow.unknown.odd-ids-are-not-found': {
    sentence: 'A job id of odd form answers 404.',
    requirements: ['WX-RTN-02', 'WX-OPE-03', 'WX-JWF-02', 'WX-COD-09'],
    reading: 'OP-057',
    requiredOf: ['sandbox', 'live'],
    needs: [],
    probe: Object.entries(oddJobs).map(([name, id]) => readById(name, send.encodeText(id))),
    // The form of an id is not given (OP-057), so a malformed one may be told from an unknown one.
    check: expect.on(Object.keys(oddJobs), expect.status([404, 400, 414, 422])),
  },
  'workflow.missing.appearance': {
    sentence: 'Whether unknown, foreign and expired jobs look the same is noted.',
    observes: true,
    requirements: ['WX-RTN-01'],
    needs: missing.map((name) => `workflow.${name}.is-not-found`),
    requires: [state, ...job('foreign', 'expired')],
    probe: (context) => missing.map((name) => readById(name, pickId(name, context))),
    check: (evidence, context) => {
      const seen = missing.map((name) => describeRefusal(evidence, name, context));
      // Status and code are required; the wording is not.
      const isOne = new Set(seen).size === 1;
      return observed(isOne ? `${missing.join(', ')} jobs look the same` : `refusals differ: ${seen.join(' | ')}`);
    },
  },
  'workflow.foreign.stays-so-after-its-owner-read-it': {
    concern: 'access',
    sentence: "Another account's job answers 404 also after its owner read it.",
    requirements: ['WX-RTN-03', 'WX-COD-09'],
    requires: [state, ...credential('workflow', 'other'), ...job('save', 'api', 'foreign')],
    // The owner reads first: what a cache keeps of that is for the owner.
    probe: (context) => [
      askedOpenly(context),
      ...readJobs('save', 'api')(context),
      readById('save-of-another', context.job('save'), otherAccount),
      readById('api-of-another', context.job('api'), otherAccount),
      readJob('foreign', context),
    ],
    check: unlessOpen(expect.on(['save-of-another', 'api-of-another', 'foreign'], expect.status(404))),
  },
  'workflow.lookup.finds-the-same-jobs': {
    concern: 'access',
    sentence: 'A job is found by its owner and by nobody else, each time.',
    requirements: ['WX-RTN-01', 'WX-RTN-03', 'WX-RTN-05', 'WX-RTN-06', 'WX-JWF-33'],
    requires: [state, ...job(...lookups)],
    probe: (context) => lookups.flatMap((name) => [readJob(name, context), lookUp(name, context)]),
    check: expect.unless(
      // An address may only serve workflows of jobs; then its 404 to every lookup has no meaning.
      (evidence) => lookups.every((name) => readResponse(evidence, `look-up-${name}`).status === 404),
      observed('no job is looked up at this address (OP-054)'),
      (evidence) => lookups.flatMap((name) => [...lookupFindings(evidence, name), ...embeddedFindings(evidence, name)]),
    ),
  },
});
