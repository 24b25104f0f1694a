import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { usualCauses } from '../../contract/concerns.ts';
import { NotApplicable } from '../../contract/endings.ts';
import { type FoundMember, findMembers, parseExactly, readMember } from '../../contract/evidence.ts';
import { type CheckResult, finding, notApplicable } from '../../contract/finding.ts';
import { type Rule, type RuleId, ruleIn } from '../../contract/rule.ts';
import { type Answer, type FreeContext, scenario, type TargetContext } from '../../contract/scenario.ts';
import { graphs, type JobName, job, state } from '../../requires.ts';
import * as expect from '../expect.ts';

const rule = ruleIn('workflow');

export function findUnknownJob({ values }: TargetContext): string {
  return values.uuid('00000000-0000-4000-8000-00000000dead');
}

const bothJobs = scenario({ api: 'workflow', requires: job('save', 'api') }, async (server) => ({
  save: await server.jobWorkflow(server.job('save')),
  api: await server.jobWorkflow(server.job('api')),
}));

export const readJob = (name: JobName) =>
  scenario({ api: 'workflow', requires: [state, ...job(name)] }, async (server) => ({
    job: await server.jobWorkflow(server.job(name)),
  }));

/** Ends the scenario on a deployment that serves anonymous calls, because it also accepts wrong credentials (OP-250). */
export async function skipIfOpen({ jobWorkflow, job }: FreeContext): Promise<void> {
  const anonymous = await jobWorkflow(job('api'), { credentials: [] });
  if (anonymous.status === 200) throw new NotApplicable('the API serves calls without a credential');
}

/** Finds `extra_data` in a response, except in the inputs of nodes, which may have any name. */
export function findExtraData(body: JsonValue | undefined): readonly FoundMember[] {
  const found = findMembers(body, (name) => name === 'extra_data');
  return found.filter(({ pointer }) => !pointer.includes('/inputs/'));
}

/** Reads each job twice, then with the other job's format in the query. */
const repeatedReads = scenario({ api: 'workflow', requires: [state, ...job('save', 'api')] }, async (server) => {
  const read = async (name: JobName, otherFormat: JobName) => ({
    first: await server.jobWorkflow(server.job(name)),
    again: await server.jobWorkflow(server.job(name)),
    asking: await server.jobWorkflow(server.job(name), { query: `?format=${otherFormat}` }),
  });
  return { save: await read('save', 'api'), api: await read('api', 'save') };
});

const needs = ['workflow.job.answers-with-json'];

/** Node classes that only exist in the editor: notes, and set/get pairs that pass values without a connection. */
const editorClasses: readonly string[] = ['Note', 'MarkdownNote', 'SetNode', 'GetNode'];

/** Describes how a graph differs from the shape of its format; undefined if it doesn't. Its content is undocumented (OP-059). */
function findShapeProblem(format: JsonValue | undefined, graph: JsonObject): string | undefined {
  const classes = Object.values(graph)
    .map((node) => (isJsonObject(node) ? node['class_type'] : undefined))
    .filter((one) => typeof one === 'string');
  if (format === 'api')
    return classes.length === 0 ? 'no node with a class_type' : classes.find((one) => editorClasses.includes(one));
  const nodes = Array.isArray(graph['nodes']) ? graph['nodes'].filter(isJsonObject) : [];
  if (nodes.length === 0) return classes.length > 0 ? 'a prompt graph' : undefined;
  return nodes.some(({ pos }) => isNested(pos)) ? undefined : 'nodes without positions';
}

const expectShape: expect.Expectation = (answer) => {
  const graph = readMember(answer, '/workflow');
  // A workflow without nodes is allowed.
  if (!isJsonObject(graph) || Object.keys(graph).length === 0) return [];
  const actual = findShapeProblem(readMember(answer, '/format'), graph);
  return actual === undefined ? [] : expect.wrongAt(answer.step, '/workflow', 'a graph of this format', actual);
};

/** Returns the pointer to the first difference from the expected value. The served value may have additional members. */
function findDifference(expected: unknown, served: unknown, pointer = ''): string | undefined {
  if (!isNested(expected) || !isNested(served) || Array.isArray(expected) !== Array.isArray(served)) {
    return Object.is(expected, served) ? undefined : pointer;
  }
  for (const name of Object.keys(expected)) {
    const difference = findDifference(Reflect.get(expected, name), Reflect.get(served, name), `${pointer}/${name}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Compares values, because a number or string can be written in several ways. A needed rule checks the format. */
function checkVerbatim(answer: Answer, graph: string): CheckResult {
  const served = readMember(answer, '/workflow');
  // A workflow without nodes is allowed, but doesn't show that graphs are preserved.
  if (isNested(served) && Object.keys(served).length === 0) return notApplicable('the job has an empty workflow');
  const expected = parseExactly(new TextEncoder().encode(graph));
  const pointer = findDifference(expected, Reflect.get(Object(parseExactly(answer.body)), 'workflow'));
  if (pointer === undefined) return [];
  const at = { step: answer.step, pointer: `/workflow${pointer}` };
  return [finding('values-differ', at, 'the graph unchanged', expect.jsonText(readMember(answer, at.pointer)))];
}

/** A graph that is returned unchanged meets all requirements about its shape. */
const shapeRequirements = [
  ...['WX-JWF-05', 'WX-JWF-07', 'WX-JWF-11', 'WX-JWF-12', 'WX-JWF-13', 'WX-JWF-14'],
  ...['WX-JWF-15', 'WX-JWF-16', 'WX-JWF-17', 'WX-JWF-18', 'WX-JWF-19'],
];

type KindOfJob = {
  readonly name: Exclude<JobName, 'foreign' | 'expired' | 'failing'>;
  readonly id: RuleId;
  readonly words: string;
  readonly format: 'save' | 'api';
  readonly requirements: readonly string[];
};
/** If the caller may not read the pinned workflow, the response has the executed graph; only `format` shows this (WX-JWF-32). */
const kindsOfJobs: readonly KindOfJob[] = [
  {
    name: 'save',
    id: 'workflow.job.pinned-gives-save',
    words: 'a job that is pinned to a readable version',
    format: 'save',
    requirements: ['WX-JWF-11', 'WX-JWF-23', 'WX-JWF-25'],
  },
  {
    name: 'api',
    id: 'workflow.job.submitted-gives-api',
    words: 'a job that was submitted as a prompt',
    format: 'api',
    requirements: ['WX-JWF-23', 'WX-JWF-25', 'WX-JWF-27'],
  },
  {
    name: 'unreadable',
    id: 'workflow.unreadable.falls-back-to-api',
    words: 'a job that is pinned to a version that the caller cannot read',
    format: 'api',
    requirements: ['WX-JWF-30', 'WX-JWF-32'],
  },
  {
    name: 'deleted',
    id: 'workflow.deleted.falls-back-to-api',
    words: 'a job that is pinned to a deleted workflow',
    format: 'api',
    requirements: ['WX-JWF-31', 'WX-JWF-32'],
  },
];

function kindRules({ name, id, words, format, requirements }: KindOfJob): readonly Rule[] {
  const read = readJob(name);
  return [
    rule(id, read, {
      sentence: `The workflow of ${words} has the ${format} format.`,
      requirements,
      needs,
      check: ({ job }) => expect.on(job, expect.status(200, expect.member('/format', format))),
    }),
    rule(`workflow.verbatim.${name}`, read, {
      usualCause: usualCauses.graphs,
      sentence: `The workflow of ${words} is returned with every member unchanged.`,
      requirements: [...shapeRequirements, ...requirements],
      requires: [graphs],
      needs: [id],
      check: ({ job }, context) => {
        const graph = context.graph(name);
        return graph === undefined
          ? notApplicable(`the graph of the job ${name} is not configured`)
          : checkVerbatim(job, graph);
      },
    }),
  ];
}

export const workflowJobRules = [
  rule('workflow.job.answers-with-json', bothJobs, {
    sentence: 'Reading the workflow of a job with a bearer token returns 200 with JSON.',
    requirements: ['WX-JWF-04', 'WX-AUT-01'],
    requiredOf: ['mock', 'sandbox'],
    check: ({ save, api }) => expect.on([save, api], expect.status(200, expect.jsonType, expect.json)),
  }),
  ...kindsOfJobs.flatMap(kindRules),
  rule('workflow.job.has-the-shape-of-its-format', bothJobs, {
    sentence: 'A workflow in the save format has nodes with positions; one in the api format has expanded nodes.',
    requirements: ['WX-JWF-11', 'WX-JWF-12', 'WX-JWF-15', 'WX-JWF-16', 'WX-JWF-17', 'WX-JWF-18'],
    reading: 'OP-059',
    needs,
    requires: [state],
    check: ({ save, api }) => {
      const shaped = [save, api].filter(
        (answer) => readMember(answer, '/format') === (answer === save ? 'save' : 'api'),
      );
      return expect.on(shaped, expectShape);
    },
  }),
  rule('workflow.job.format-is-not-the-callers-choice', repeatedReads, {
    usualCause: 'the format is read from the request',
    sentence: 'A format in the query does not change the format of a returned workflow.',
    requirements: ['WX-JWF-23', 'WX-JWF-24'],
    needs,
    check: ({ save, api }) => {
      const served = [save, api].filter(({ asking }) => asking.status === 200);
      if (served.length === 0) return notApplicable('a query with a format is rejected');
      return served.flatMap(({ first, asking }) => expect.on(asking, expect.sameMember('/format', first)));
    },
  }),
  rule('workflow.job.is-the-same-at-every-read', repeatedReads, {
    sentence: 'A job has the same workflow each time it is read.',
    requirements: ['WX-JWF-07', 'WX-RTN-06', 'WX-GEN-06'],
    needs,
    check: ({ save, api }) =>
      [save, api].flatMap(({ first, again }) => expect.on(again, expect.sameMember('/workflow', first))),
  }),
];
