import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../../../../specs/src/index.ts';
import { type FoundMember, findMembers, readMember } from '../../contract/evidence.ts';
import { type CheckResult, finding, notApplicable } from '../../contract/finding.ts';
import { ruleIn } from '../../contract/rule.ts';
import { type Answer, type FreeContext, scenario, type TargetContext } from '../../contract/scenario.ts';
import { type JobName, job, state } from '../../requires.ts';
import * as expect from '../expect.ts';

const rule = ruleIn('workflow');

/** An id that no target has a job with. */
export function findUnknownJob({ values }: TargetContext): string {
  return values.uuid('00000000-0000-4000-8000-00000000dead');
}

/** One job of each format. */
export const bothJobs = scenario({ api: 'workflow', requires: job('save', 'api') }, async (server) => ({
  save: await server.jobWorkflow(server.job('save')),
  api: await server.jobWorkflow(server.job('api')),
}));

const readOnce = (name: JobName) =>
  scenario({ api: 'workflow', requires: [state, ...job(name)] }, async (server) => ({
    job: await server.jobWorkflow(server.job(name)),
  }));

/** Scenarios that each read one job. */
export const singleJobs = {
  save: readOnce('save'),
  api: readOnce('api'),
  foreign: readOnce('foreign'),
  expired: readOnce('expired'),
  unreadable: readOnce('unreadable'),
  deleted: readOnce('deleted'),
};

/** Reads a job without a credential, which only an open deployment allows (OP-250). */
export function readAnonymously({ jobWorkflow, job }: FreeContext): Promise<Answer> {
  return jobWorkflow(job('api'), { credentials: [] });
}

/** Runs the check if the deployment authenticates callers. On an open deployment, no credential is wrong. */
export function unlessOpen(anonymous: Answer, check: () => CheckResult): CheckResult {
  return anonymous.status === 200 ? notApplicable('the API serves calls without a credential') : check();
}

/** Finds members of the original submission in a response. Inputs of nodes may have any name. */
export function findExtraData(body: JsonValue | undefined): readonly FoundMember[] {
  const found = findMembers(body, (name) => name === 'extra_data');
  return found.filter(({ pointer }) => !pointer.includes('/inputs/'));
}

const isFormat = expect.matching('save or api', (format) => format === 'save' || format === 'api');

const ofBothJobs = { api: 'workflow', requires: [state, ...job('save', 'api')] } as const;

/** Reads each job also with the other job's format in the query. */
const withOtherFormat = scenario(ofBothJobs, async ({ jobWorkflow, job }) => {
  const read = async (name: JobName, otherFormat: string) => ({
    plain: await jobWorkflow(job(name)),
    asking: await jobWorkflow(job(name), { query: `?format=${otherFormat}` }),
  });
  return { save: await read('save', 'api'), api: await read('api', 'save') };
});

const readTwice = scenario(ofBothJobs, async ({ jobWorkflow, job }) => {
  const read = async (name: JobName) => ({ first: await jobWorkflow(job(name)), again: await jobWorkflow(job(name)) });
  return [await read('save'), await read('api')];
});

/** Compares the values; their formatting may differ. */
const sameWorkflow =
  (as: Answer): expect.Expectation =>
  (response) => {
    const [again, first] = [readMember(response, '/workflow'), readMember(as, '/workflow')];
    if (isDeepStrictEqual(again, first)) return [];
    const at = { step: response.step, pointer: '/workflow' };
    return [finding('values-differ', at, expect.jsonText(first), expect.jsonText(again))];
  };

const formatRule = ruleIn('workflow', { needs: ['workflow.job.names-its-format'] });

export const workflowJobRules = [
  rule('workflow.job.answers-with-json', bothJobs, {
    sentence: 'Reading the workflow behind a job returns 200 with JSON.',
    requirements: ['WX-JWF-04'],
    requiredOf: ['mock', 'sandbox'],
    check: ({ save, api }) => expect.on([save, api], expect.status(200, expect.jsonType, expect.json)),
  }),
  rule('workflow.job.names-its-format', bothJobs, {
    // Repeats passive.workflow.body, because the rules about one format depend on it.
    sentence: 'A workflow names its format, save or api.',
    requirements: ['WX-JWF-09', 'WX-JWF-10'],
    needs: ['workflow.job.answers-with-json'],
    requiredOf: ['mock', 'sandbox'],
    check: ({ save, api }) => expect.on([save, api], expect.member('/format', isFormat)),
  }),
  formatRule('workflow.job.pinned-gives-save', singleJobs.save, {
    sentence: 'A job pinned to a readable version gives the save format.',
    requirements: ['WX-JWF-11', 'WX-JWF-23', 'WX-JWF-25'],
    check: ({ job }) => expect.on(job, expect.member('/format', 'save')),
  }),
  formatRule('workflow.job.submitted-gives-api', singleJobs.api, {
    sentence: 'A job submitted as a prompt gives the api format.',
    requirements: ['WX-JWF-23', 'WX-JWF-25', 'WX-JWF-27'],
    check: ({ job }) => expect.on(job, expect.member('/format', 'api')),
  }),
  formatRule('workflow.job.format-is-not-the-callers-choice', withOtherFormat, {
    usualCause: 'the format is read from the request',
    sentence: 'The caller cannot choose the format.',
    requirements: ['WX-JWF-23', 'WX-JWF-24'],
    check: ({ save, api }) => {
      const served = [save, api].filter(({ asking }) => asking.status === 200);
      if (served.length === 0) return notApplicable('a query with a format is refused');
      return served.flatMap(({ plain, asking }) => expect.on(asking, expect.sameMember('/format', plain)));
    },
  }),
  rule('workflow.job.is-the-same-at-every-read', readTwice, {
    sentence: 'A job gives the same workflow at every read.',
    requirements: ['WX-JWF-07', 'WX-RTN-06', 'WX-GEN-06'],
    needs: ['workflow.job.answers-with-json'],
    check: (reads) => reads.flatMap(({ first, again }) => expect.on(again, sameWorkflow(first))),
  }),
  // The executed graph replaces a workflow that the caller may not read, which no other member shows (WX-JWF-32).
  rule('workflow.unreadable.falls-back-to-api', singleJobs.unreadable, {
    sentence: 'A job pinned to a version that the caller cannot read gives the api format.',
    requirements: ['WX-JWF-30', 'WX-JWF-32'],
    check: ({ job }) => expect.on(job, expect.status(200, expect.member('/format', 'api'))),
  }),
  rule('workflow.deleted.falls-back-to-api', singleJobs.deleted, {
    sentence: 'A job pinned to a workflow that was deleted gives the api format.',
    requirements: ['WX-JWF-31', 'WX-JWF-32'],
    check: ({ job }) => expect.on(job, expect.status(200, expect.member('/format', 'api'))),
  }),
];
