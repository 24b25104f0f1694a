import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import {
  decodeBody,
  type FoundMember,
  findMembers,
  readMember,
  readResponse,
  type StepResponse,
} from '../../contract/evidence.ts';
import { type FindingLocation, finding } from '../../contract/finding.ts';
import type { Evidence, Probe, Step } from '../../contract/probe.ts';
import { type Check, defineFamily, type Family } from '../../contract/rule.ts';
import { get, type RequestParts, step } from '../../contract/steps.ts';
import { type JobName, job, state } from '../../requires.ts';
import * as expect from '../builders/expect.ts';

/** No target knows it. */
export const unknownJob = '00000000-0000-4000-8000-00000000dead';

/** `jobId` as it stands in a path. */
export function readById(name: string, jobId: string, parts: RequestParts = {}, query = ''): Step {
  return step(name, get('workflow', `/api/v2/jobs/${jobId}/workflow${query}`, parts));
}

export function readJob(name: JobName, context: ProbeContext, parts: RequestParts = {}): Step {
  return readById(name, context.job(name), parts);
}

export const readJobs =
  (...names: readonly JobName[]) =>
  (context: ProbeContext): Probe =>
    names.map((name) => readJob(name, context));

export const workflow: Family = { api: 'workflow' };
const jobs = ['save', 'api'] as const satisfies readonly JobName[];

const anonymous = 'without a credential';

/** A call that only an open deployment serves (OP-250). */
export function askedOpenly(context: ProbeContext): Step {
  return readById(anonymous, context.job('api'), { credentials: [] });
}

/** On a deployment that serves anybody, no credential is wrong; `askedOpenly` has to be among the steps. */
export function unlessOpen(check: Check): Check {
  const isOpen = (evidence: Evidence): boolean => readResponse(evidence, anonymous).status === 200;
  return expect.unless(isOpen, 'the API serves calls without a credential', check);
}

/** Every secret of a sandbox's fixtures starts like this, so that extra_data shows under another name too. */
const sandboxSecret = 'sk-sandbox-';

/** Members of a submission that is in an answer; the author of a node names its inputs. */
export function findExtraData(body: JsonValue | undefined): readonly FoundMember[] {
  const found = findMembers(body, (name) => name === 'extra_data');
  return found.filter(({ pointer }) => !pointer.includes('/inputs/'));
}

/** The content of the member is never repeated in a finding (WX-JWF-19). */
const expectNoExtraData: expect.Expectation = (response, { kind }) => {
  const { step } = response;
  const isGraph = readMember(response, '/format') === 'api';
  const leaked = (at: FindingLocation) => finding('secret-echoed', at, 'no extra_data', 'present');
  const found = isGraph ? findExtraData(readMember(response, '')) : [];
  if (found.length > 0) return found.map(({ pointer }) => leaked({ step, pointer }));
  const isLeaked = kind === 'sandbox' && decodeBody(response).includes(sandboxSecret);
  return isLeaked ? [leaked({ step })] : [];
};

/** The same value; how it is written is the server's own. */
const expectSameWorkflow =
  (as: string): expect.Expectation =>
  (response, _, evidence) => {
    const [again, first] = [response, readResponse(evidence, as)].map((one) => readMember(one, '/workflow'));
    if (isDeepStrictEqual(again, first)) return [];
    const at = { step: response.step, pointer: '/workflow' };
    return [finding('values-differ', at, expect.jsonText(first), expect.jsonText(again))];
  };

const isServed = ({ status }: StepResponse): boolean => status === 200;
const otherFormat = { save: 'api', api: 'save' } as const;

const jobRules = defineFamily({
  ...workflow,
  needs: ['workflow.job.answers-with-json'],
  requires: job(...jobs),
  requiredOf: ['mock', 'sandbox'],
  probe: readJobs(...jobs),
})({
  'workflow.job.answers-with-json': {
    sentence: 'Reading the workflow behind a job answers 200 with JSON.',
    requirements: ['WX-JWF-04'],
    check: expect.on(jobs, expect.status(200, expect.jsonType, expect.json)),
  },
  'workflow.job.names-its-format': {
    // Repeats passive.workflow.body, because rules on one format mean nothing without it.
    sentence: 'The answer names its format, save or api.',
    requirements: ['WX-JWF-09', 'WX-JWF-10'],
    check: expect.on(
      jobs,
      expect.member('/format', { expected: 'save or api', is: (one) => jobs.some((job) => job === one) }),
    ),
  },
  'workflow.job.never-holds-extra-data': {
    concern: 'access',
    sentence: 'A workflow in the api format never holds extra_data.',
    requirements: ['WX-JWF-19'],
    check: expect.on(jobs, expectNoExtraData),
  },
});

/** The executed graph replaces a workflow that the caller can no longer read, without another sign of it (WX-JWF-32). */
const fallsBack = (name: JobName) => ({
  needs: [],
  requires: [state, ...job(name)],
  ...expect.answers(readJobs(name), expect.status(200, expect.member('/format', 'api'))),
});

const formatRules = defineFamily({
  ...workflow,
  needs: ['workflow.job.names-its-format'],
  requires: [state, ...job(...jobs)],
})({
  'workflow.job.pinned-gives-save': {
    sentence: 'A job pinned to a readable version gives the save format.',
    requirements: ['WX-JWF-11', 'WX-JWF-23', 'WX-JWF-25'],
    requires: [state, ...job('save')],
    ...expect.answers(readJobs('save'), expect.member('/format', 'save')),
  },
  'workflow.job.submitted-gives-api': {
    sentence: 'A job submitted as a prompt gives the api format.',
    requirements: ['WX-JWF-23', 'WX-JWF-25', 'WX-JWF-27'],
    requires: [state, ...job('api')],
    ...expect.answers(readJobs('api'), expect.member('/format', 'api')),
  },
  'workflow.job.format-is-not-the-callers-choice': {
    sentence: 'The caller cannot choose the format.',
    requirements: ['WX-JWF-23', 'WX-JWF-24'],
    probe: (context) =>
      jobs.flatMap((name) => [
        readJob(name, context),
        readById(`${name}-asking`, context.job(name), {}, `?format=${otherFormat[name]}`),
      ]),
    check: expect.all(
      ...jobs.map((name) => expect.on(`${name}-asking`, expect.where(isServed, expect.sameMember('/format', name)))),
    ),
  },
  'workflow.job.is-the-same-at-every-read': {
    sentence: 'A job gives the same workflow at every read.',
    requirements: ['WX-JWF-07', 'WX-RTN-06', 'WX-GEN-06'],
    needs: ['workflow.job.answers-with-json'],
    probe: (context) => jobs.flatMap((name) => [readJob(name, context), readById(`${name}-again`, context.job(name))]),
    check: expect.all(...jobs.map((name) => expect.on(`${name}-again`, expectSameWorkflow(name)))),
  },
  'workflow.unreadable.falls-back-to-api': {
    sentence: 'A job pinned to a version that the caller cannot read gives the api format.',
    requirements: ['WX-JWF-30', 'WX-JWF-32'],
    ...fallsBack('unreadable'),
  },
  'workflow.deleted.falls-back-to-api': {
    sentence: 'A job pinned to a workflow that was deleted gives the api format.',
    requirements: ['WX-JWF-31', 'WX-JWF-32'],
    ...fallsBack('deleted'),
  },
  'workflow.expired.has-no-workflow-left': {
    sentence: 'A job after its retention has no workflow left.',
    requirements: ['WX-RTN-05', 'WX-RTN-06'],
    needs: [],
    requires: [state, ...job('expired', 'save')],
    probe: readJobs('save', 'expired'),
    check: expect.all(expect.on('save', expect.status(200)), expect.on('expired', expect.status(404))),
  },
});

export const workflowJobRules = [...jobRules, ...formatRules];
