import { isDeepStrictEqual } from 'node:util';
import { canonicalText, isJsonObject } from '../../../../specs/src/index.ts';
import { usualCauses } from '../../contract/concerns.ts';
import { findMembers, readHeader, readMember } from '../../contract/evidence.ts';
import { type Finding, finding, observed } from '../../contract/finding.ts';
import { decodeSegment, encodeText } from '../../contract/requests.ts';
import { ruleIn } from '../../contract/rule.ts';
import { type Answer, type ResponsesOf, scenario, type Values } from '../../contract/scenario.ts';
import { authentication, type CredentialName, credential, job, state } from '../../requires.ts';
import { inTurn } from '../calls.ts';
import * as expect from '../expect.ts';
import { findUnknownJob, readJob, skipIfOpen } from './jobs.ts';

const rule = ruleIn('workflow');

export const expectCode = (status: number, code: string): expect.Expectation =>
  expect.status(status, expect.member('/error/code', code));

/** Reads an unknown job, so that no configured job is needed. A mock returns its example error. */
const unknownJob = scenario({ api: 'workflow' }, async (server) => ({
  unknown: await server.jobWorkflow(findUnknownJob(server), { prefer: 404 }),
}));

const readAs = (who: CredentialName<'workflow'>) =>
  scenario({ api: 'workflow', requires: [...credential('workflow', who), ...job('api')] }, async (server) => {
    await skipIfOpen(server);
    return { read: await server.jobWorkflow(server.job('api'), { as: who }) };
  });

const withoutToken = scenario({ api: 'workflow', requires: [authentication, ...job('api')] }, async (server) => {
  const named = (['api', 'save'] as const).filter(server.hasJob).map((name) => [name, server.job(name)] as const);
  return inTurn([...named, ['unknown', findUnknownJob(server)] as const], ([name, id]) =>
    server.jobWorkflow(id, { name: `${name} job`, credentials: [] }),
  );
});

/** Malformed bearer credentials. They are not secret, and no target accepts them. */
const malformedCredentials = {
  'the Basic scheme': `Basic ${btoa('switchyard:wrong-credential')}`,
  'a token without a scheme': 'switchyard-wrong-credential',
  'a scheme without a token': 'Bearer',
  'undefined as token': 'Bearer undefined',
};

const withWrongToken = scenario({ api: 'workflow', requires: [authentication, ...job('api')] }, async (server) => {
  await skipIfOpen(server);
  const wrong = await server.jobWorkflow(server.job('api'), { name: 'an unknown token', as: 'wrong' });
  const others = await inTurn(Object.entries(malformedCredentials), ([name, value]) =>
    server.jobWorkflow(server.job('api'), { name, credentials: [], headers: [['Authorization', value]] }),
  );
  return [wrong, ...others];
});

const accessRule = ruleIn('workflow', { concern: 'access' });
const errorRule = ruleIn('workflow', { concern: 'errors' });

/** Reads the same jobs three times in different orders, so that a change over time isn't mistaken for a difference between jobs. */
const limitedInTurns = scenario(
  { api: 'workflow', requires: [...credential('workflow', 'rateLimited'), ...job('api', 'foreign')] },
  async (server) => {
    const read = (id: string) => server.jobWorkflow(id, { as: 'rateLimited' });
    const own = () => read(server.job('api'));
    const foreign = () => read(server.job('foreign'));
    const unknown = () => read(findUnknownJob(server));
    const first = { own: await own(), foreign: await foreign(), unknown: await unknown() };
    const second = { foreign: await foreign(), unknown: await unknown(), own: await own() };
    const third = { unknown: await unknown(), own: await own(), foreign: await foreign() };
    return { first, second, third };
  },
);

function describeBody(answer: Answer): string {
  const { context } = answer;
  const error = canonicalText(readMember(answer, '/error') ?? null);
  const ids = [context.job('api'), context.job('foreign'), findUnknownJob(context)].map(decodeSegment);
  return ids.reduce((text, id) => text.replaceAll(id, '<id>'), error).replace(/\d+/g, '<n>');
}

/** Returns the names of all headers, and the value of Retry-After. */
function describeHeaders(answer: Answer): string {
  const names = new Set(answer.headers.map(([name]) => name.toLowerCase()).filter((name) => name !== 'date'));
  return `${[...names].toSorted().join(' ')}; Retry-After ${readHeader(answer, 'Retry-After') ?? 'absent'}`;
}

export const workflowRefusalRules = [
  accessRule('workflow.wrong-token.is-unauthorized', withWrongToken, {
    sentence: 'A wrong or malformed token is rejected with 401 unauthorized.',
    requirements: ['WX-AUT-07', 'WX-OPE-01', 'WX-COD-10'],
    check: (answers) => expect.on(answers, expectCode(401, 'unauthorized')),
  }),
  accessRule('workflow.no-access.is-forbidden', readAs('forbidden'), {
    sentence: 'A caller without access is rejected with 403 forbidden.',
    requirements: ['WX-AUT-08', 'WX-OPE-02', 'WX-COD-11'],
    partReading: 'OP-070',
    // A caller who may read no job may also get a 404; 401 is for missing or invalid credentials.
    check: ({ read }) =>
      expect.on(read, expect.status([403, 404]), expect.withReading('OP-070', expectCode(403, 'forbidden'))),
  }),
  errorRule('workflow.rate-limit.is-429', readAs('rateLimited'), {
    sentence: 'A caller over the rate limit gets 429 rate_limited.',
    requirements: ['WX-OPE-04', 'WX-COD-14', 'WX-LIM-02'],
    check: ({ read }) => expect.on(read, expectCode(429, 'rate_limited')),
  }),
  accessRule('workflow.none.is-unauthorized-or-served', withoutToken, {
    sentence: 'Reading any job without a token returns 401, unless the deployment has no authentication.',
    requirements: ['WX-AUT-07', 'WX-AUT-04', 'WX-OPE-01', 'WX-COD-10'],
    // OP-250: a self-hosted deployment may serve calls without a token; any other must reject them.
    check: (answers, { workflowAuthentication: setting }) => {
      const first = answers.slice(0, 1);
      if (setting === 'open') return expect.on(first, expect.status(200));
      const isServed = setting === undefined && expect.hasSucceeded(first[0]);
      return isServed ? [] : expect.on(answers, expectCode(401, 'unauthorized'));
    },
  }),
  accessRule('workflow.rate-limit.reveals-no-job', limitedInTurns, {
    sentence:
      'For a caller over the rate limit, the responses for unknown jobs and for jobs of other callers are the same.',
    requirements: ['WX-OPE-07', 'WX-OPE-08', 'WX-OPE-09'],
    needs: ['workflow.rate-limit.is-429'],
    // Callers know the ids of their own jobs. A 429 only for jobs of other callers would reveal that those jobs exist.
    check: ({ first, second, third }) => {
      const rounds = [first, second, third];
      const isLimited = rounds.flatMap((round) => Object.values(round)).every(({ status }) => status === 429);
      const jobs = isLimited ? (['own', 'foreign', 'unknown'] as const) : (['foreign', 'unknown'] as const);
      const describes = isLimited ? [describeBody, describeHeaders] : [({ status }: Answer) => String(status)];
      return [
        ...expect.on([first.foreign, first.unknown], expect.status([429, 404])),
        ...describes.flatMap((describe) => {
          const seen = jobs.map((one) => new Set(rounds.map((round) => describe(round[one]))));
          const [expected = '', ...others] = new Set(seen.flatMap((texts) => [...texts]));
          // Texts that also differ from round to round don't depend on the job.
          if (others.length === 0 || seen.some(({ size }) => size > 1)) return [];
          return [finding('values-differ', { step: first.foreign.step }, expected, others.join(' | '))];
        }),
      ];
    },
  }),
];

const drawUnusualJobIds = ({ text, number }: Values): Readonly<Record<string, string>> => ({
  'a word': text('no-such-job'),
  'a number': String(number(7, 1, 9_999)),
  quotes: `' or '${text('1')}'='${text('1')}`,
  'letters beyond ASCII': `${text('j')}\u00f6b-\u{1f3ad}`,
  'a percent sign': `${number(100, 1, 999)}%`,
  'spaces and dots': '.. ..',
  'two thousand characters': text('j').padEnd(2_000, 'j'),
});

const unusualIds = scenario({ api: 'workflow', requires: [state] }, ({ jobWorkflow, values }) =>
  inTurn(Object.entries(drawUnusualJobIds(values)), ([name, id]) => jobWorkflow(encodeText(id), { name })),
);

/** Lets the owner read first: a cache that ignores the caller would then return the workflows to the other caller. */
const afterOwner = scenario(
  { api: 'workflow', requires: [state, ...credential('workflow', 'other'), ...job('save', 'api', 'foreign')] },
  async (server) => {
    const [save, api] = [server.job('save'), server.job('api')];
    await skipIfOpen(server);
    return {
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
    const lookups = await inTurn(['api', 'save', 'foreign', 'expired'] as const, async (name) => {
      const id = server.job(name);
      const workflow = await server.jobWorkflow(id);
      const record = await server.send({ api: 'workflow', method: 'GET', to: `/api/v2/jobs/${id}` });
      return { workflow, record };
    });
    return { lookups };
  },
);

type Lookup = ResponsesOf<typeof lookups>['lookups'][number];

/**
 * Expects reads of a job and of its workflow to return 200 or 404 together. The record of a job must not contain the
 * workflow, so that polling stays cheap (WX-JWF-33).
 */
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
  rule('workflow.unknown.is-not-found', unknownJob, {
    usualCause: usualCauses.lookup,
    sentence: 'Reading an unknown job returns 404 not_found.',
    requirements: ['WX-RTN-02', 'WX-OPE-03', 'WX-COD-09'],
    requiredOf: ['mock', 'sandbox', 'live'],
    check: ({ unknown }) => expect.on(unknown, expectCode(404, 'not_found')),
  }),
  foreignRule('workflow.foreign.is-not-found', readJob('foreign'), {
    sentence: "Reading another account's job returns 404 not_found.",
    requirements: ['WX-RTN-03', 'WX-COD-09'],
    check: ({ job }) => expect.on(job, expectCode(404, 'not_found')),
  }),
  rule('workflow.expired.is-not-found', readJob('expired'), {
    usualCause: 'the retention time is not checked, or an expired job has a separate error',
    sentence: 'Reading a job after its retention time returns 404 not_found.',
    requirements: ['WX-RTN-04', 'WX-RTN-05', 'WX-RTN-06', 'WX-RTN-07', 'WX-COD-09'],
    check: ({ job }) => expect.on(job, expectCode(404, 'not_found')),
  }),
  rule('workflow.unknown.odd-ids-are-not-found', unusualIds, {
    sentence: 'A malformed job id is rejected.',
    requirements: ['WX-RTN-02', 'WX-OPE-03', 'WX-JWF-02', 'WX-COD-09'],
    reading: 'OP-057',
    requiredOf: ['sandbox', 'live'],
    // The format of ids is undocumented (OP-057), so a malformed id may get a different status than an unknown one.
    check: (answers) => expect.on(answers, expect.status([404, 400, 414, 422])),
  }),
  foreignRule('workflow.foreign.stays-so-after-its-owner-read-it', afterOwner, {
    sentence: "Reading another account's job returns 404 even after its owner has read it.",
    requirements: ['WX-RTN-03', 'WX-COD-09'],
    needs: ['workflow.job.answers-with-json'],
    check: ({ ofOther, foreign }) => expect.on([...ofOther, foreign], expect.status(404)),
  }),
  rule('workflow.lookup.finds-the-same-jobs', lookups, {
    concern: 'access',
    sentence: 'Reading a job and reading its workflow either both return 200 or both return 404.',
    requirements: ['WX-RTN-01', 'WX-RTN-03', 'WX-RTN-05', 'WX-RTN-06', 'WX-JWF-33'],
    needs: ['workflow.job.answers-with-json'],
    check: ({ lookups }) =>
      // If the API only serves workflows, the 404 for the job itself means nothing.
      lookups.every(({ record }) => record.status === 404)
        ? observed('the API serves no jobs at this path (OP-054)')
        : lookups.flatMap(checkLookup),
  }),
];
