import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { usualCauses } from '../../contract/concerns.ts';
import { NotApplicable } from '../../contract/endings.ts';
import { type FoundMember, findMembers, parseExactly, readMember } from '../../contract/evidence.ts';
import { type CheckResult, finding, notApplicable } from '../../contract/finding.ts';
import { ruleIn } from '../../contract/rule.ts';
import { type Answer, type FreeContext, scenario, type TargetContext } from '../../contract/scenario.ts';
import { graphs, type JobName, job, state } from '../../requires.ts';
import * as expect from '../expect.ts';

const rule = ruleIn('workflow');

/** Returns a job id that no target has. */
export function findUnknownJob({ values }: TargetContext): string {
  return values.uuid('00000000-0000-4000-8000-00000000dead');
}

const bothJobs = scenario({ api: 'workflow', requires: job('save', 'api') }, async (server) => ({
  save: await server.jobWorkflow(server.job('save')),
  api: await server.jobWorkflow(server.job('api')),
}));

const readOnce = (name: JobName) =>
  scenario({ api: 'workflow', requires: [state, ...job(name)] }, async (server) => ({
    job: await server.jobWorkflow(server.job(name)),
  }));

export const singleJobs = {
  save: readOnce('save'),
  api: readOnce('api'),
  foreign: readOnce('foreign'),
  expired: readOnce('expired'),
  unreadable: readOnce('unreadable'),
  deleted: readOnce('deleted'),
};

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

const isFormat = expect.matching('save or api', (format) => format === 'save' || format === 'api');

/** Reads each job twice, then with the other job's format in the query. */
const repeatedReads = scenario({ api: 'workflow', requires: [state, ...job('save', 'api')] }, async (server) => {
  const read = async (name: JobName, otherFormat: JobName) => ({
    first: await server.jobWorkflow(server.job(name)),
    again: await server.jobWorkflow(server.job(name)),
    asking: await server.jobWorkflow(server.job(name), { query: `?format=${otherFormat}` }),
  });
  return { save: await read('save', 'api'), api: await read('api', 'save') };
});

const formatRule = ruleIn('workflow', { needs: ['workflow.job.names-its-format'] });

export const workflowJobRules = [
  rule('workflow.job.answers-with-json', bothJobs, {
    sentence: 'Reading the workflow of a job returns 200 with JSON.',
    requirements: ['WX-JWF-04'],
    requiredOf: ['mock', 'sandbox'],
    check: ({ save, api }) => expect.on([save, api], expect.status(200, expect.jsonType, expect.json)),
  }),
  rule('workflow.job.names-its-format', bothJobs, {
    // Repeats passive.workflow.body, because the rules about one format depend on this member.
    sentence: 'A workflow response contains its format, save or api.',
    requirements: ['WX-JWF-09', 'WX-JWF-10'],
    needs: ['workflow.job.answers-with-json'],
    requiredOf: ['mock', 'sandbox'],
    check: ({ save, api }) => expect.on([save, api], expect.member('/format', isFormat)),
  }),
  formatRule('workflow.job.pinned-gives-save', singleJobs.save, {
    sentence: 'The workflow of a job that is pinned to a readable version has the save format.',
    requirements: ['WX-JWF-11', 'WX-JWF-23', 'WX-JWF-25'],
    check: ({ job }) => expect.on(job, expect.member('/format', 'save')),
  }),
  formatRule('workflow.job.submitted-gives-api', singleJobs.api, {
    sentence: 'The workflow of a job that was submitted as a prompt has the api format.',
    requirements: ['WX-JWF-23', 'WX-JWF-25', 'WX-JWF-27'],
    check: ({ job }) => expect.on(job, expect.member('/format', 'api')),
  }),
  formatRule('workflow.job.format-is-not-the-callers-choice', repeatedReads, {
    usualCause: 'the format is read from the request',
    sentence: 'The caller cannot choose the format of a workflow.',
    requirements: ['WX-JWF-23', 'WX-JWF-24'],
    check: ({ save, api }) => {
      const served = [save, api].filter(({ asking }) => asking.status === 200);
      if (served.length === 0) return notApplicable('a query with a format is refused');
      return served.flatMap(({ first, asking }) => expect.on(asking, expect.sameMember('/format', first)));
    },
  }),
  rule('workflow.job.is-the-same-at-every-read', repeatedReads, {
    sentence: 'A job has the same workflow each time it is read.',
    requirements: ['WX-JWF-07', 'WX-RTN-06', 'WX-GEN-06'],
    needs: ['workflow.job.answers-with-json'],
    check: ({ save, api }) =>
      [save, api].flatMap(({ first, again }) => {
        const [expected, actual] = [first, again].map((answer) => readMember(answer, '/workflow'));
        const at = { step: again.step, pointer: '/workflow' };
        return isDeepStrictEqual(actual, expected)
          ? []
          : [finding('values-differ', at, expect.jsonText(expected), expect.jsonText(actual))];
      }),
  }),
  // If the caller may not read the pinned workflow, the response has the executed graph; only `format` shows this
  // (WX-JWF-32).
  rule('workflow.unreadable.falls-back-to-api', singleJobs.unreadable, {
    sentence: 'The workflow of a job that is pinned to a version that the caller cannot read has the api format.',
    requirements: ['WX-JWF-30', 'WX-JWF-32'],
    check: ({ job }) => expect.on(job, expect.status(200, expect.member('/format', 'api'))),
  }),
  rule('workflow.deleted.falls-back-to-api', singleJobs.deleted, {
    sentence: 'The workflow of a job that is pinned to a deleted workflow has the api format.',
    requirements: ['WX-JWF-31', 'WX-JWF-32'],
    check: ({ job }) => expect.on(job, expect.status(200, expect.member('/format', 'api'))),
  }),
];

/**
 * Expects that `findProblem` returns nothing. Not applicable if the graph is empty, which is allowed, or the format
 * differs.
 */
function checkGraph(
  answer: Answer,
  format: 'save' | 'api',
  expected: string,
  findProblem: (graph: JsonObject) => string | undefined,
): CheckResult {
  const graph = readMember(answer, '/workflow');
  if (readMember(answer, '/format') !== format || !isJsonObject(graph) || Object.keys(graph).length === 0)
    return notApplicable(`the job has no workflow in the format ${format}`);
  const actual = findProblem(graph);
  return actual === undefined ? [] : expect.wrongAt(answer.step, '/workflow', expected, actual);
}

/** Returns the nodes of a prompt graph: the members with a `class_type`. */
function promptNodes(graph: JsonObject): readonly (readonly [id: string, node: JsonObject])[] {
  return Object.entries(graph).flatMap(([id, node]) =>
    isJsonObject(node) && typeof node['class_type'] === 'string' ? [[id, node] as const] : [],
  );
}

// Only checks which of the two shapes a workflow has, because its content is undocumented (OP-059).
function canvasProblem(graph: JsonObject): string | undefined {
  const nodes = Array.isArray(graph['nodes']) ? graph['nodes'].filter(isJsonObject) : [];
  if (nodes.length === 0) return promptNodes(graph).length > 0 ? 'a prompt graph' : undefined;
  return nodes.some(({ pos }) => Array.isArray(pos) || isJsonObject(pos)) ? undefined : 'nodes without positions';
}

/** Node classes that only exist in the editor: notes, and pairs that pass values without a connection. */
const editorClasses: ReadonlySet<unknown> = new Set(['Note', 'MarkdownNote', 'SetNode', 'GetNode']);

const shapeRule = ruleIn('workflow', {
  reading: 'OP-059',
  needs: ['workflow.job.names-its-format'],
  requires: [state],
});

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

const verbatimRules = (
  [
    { name: 'save', needed: 'workflow.job.pinned-gives-save', further: [] },
    { name: 'api', needed: 'workflow.job.submitted-gives-api', further: [] },
    { name: 'unreadable', needed: 'workflow.unreadable.falls-back-to-api', further: ['WX-JWF-30'] },
    { name: 'deleted', needed: 'workflow.deleted.falls-back-to-api', further: ['WX-JWF-31'] },
  ] as const
).map(({ name, needed, further }) =>
  rule(`workflow.verbatim.${name}`, singleJobs[name], {
    usualCause: usualCauses.graphs,
    sentence: `The workflow of the job is returned verbatim, with every member as it was stored (${name}).`,
    requirements: [...shapeRequirements, ...further],
    requires: [graphs],
    needs: [needed],
    check: ({ job }, context) => {
      const graph = context.graph(name);
      return graph === undefined
        ? notApplicable(`the graph of the job ${name} is not configured`)
        : checkVerbatim(job, graph);
    },
  }),
);

export const workflowGraphRules = [
  shapeRule('workflow.save.has-the-canvas-layout', bothJobs, {
    sentence: 'A workflow in the save format contains the positions of its nodes on the canvas.',
    requirements: ['WX-JWF-12', 'WX-JWF-11'],
    check: ({ save }) =>
      checkGraph(save, 'save', 'a workflow as the editor saved it, with the positions of its nodes', canvasProblem),
  }),
  shapeRule('workflow.api.is-a-prompt-graph', bothJobs, {
    sentence: 'A workflow in the api format maps node ids to nodes with class_type and inputs.',
    requirements: ['WX-JWF-15', 'WX-JWF-18'],
    check: ({ api }) =>
      checkGraph(api, 'api', 'node ids mapped to nodes with a class_type', (graph) =>
        promptNodes(graph).length > 0 ? undefined : 'no node with a class_type',
      ),
  }),
  shapeRule('workflow.api.has-nothing-of-the-editor', bothJobs, {
    sentence: 'A workflow in the api format has no nodes that only exist in the editor.',
    requirements: ['WX-JWF-16', 'WX-JWF-17'],
    check: ({ api }) =>
      checkGraph(api, 'api', 'no note, set or get node', (graph) => {
        const ofEditor = promptNodes(graph).filter(([, node]) => editorClasses.has(node['class_type']));
        return ofEditor.map(([id]) => id).join(', ') || undefined;
      }),
  }),
  ...verbatimRules,
];
