import { isJsonObject, type JsonObject } from '../../../../specs/src/index.ts';
import type { Answer } from '../../contract/answer.ts';
import { usualCauses } from '../../contract/concerns.ts';
import { parseExactly, readMember } from '../../contract/evidence.ts';
import { type CheckResult, finding, notApplicable } from '../../contract/finding.ts';
import { ruleIn } from '../../contract/rule.ts';
import { graphs, state } from '../../requires.ts';
import * as expect from '../expect.ts';
import { bothJobs, singleJobs } from './jobs.ts';

const rule = ruleIn('workflow');

/** Expects a graph without the problem. A response in the other format, or without nodes, which is allowed, shows nothing. */
function checkGraph(
  answer: Answer,
  format: 'save' | 'api',
  expected: string,
  findProblem: (graph: JsonObject) => string | undefined,
): CheckResult {
  const graph = readMember(answer, '/workflow');
  if (readMember(answer, '/format') !== format || !isJsonObject(graph) || Object.keys(graph).length === 0)
    return notApplicable(`the job gave no workflow of format ${format}`);
  const actual = findProblem(graph);
  return actual === undefined ? [] : expect.wrongAt(answer.step, '/workflow', expected, actual);
}

/** Returns the nodes of a prompt graph: the members that name their class. */
function promptNodes(graph: JsonObject): readonly (readonly [id: string, node: JsonObject])[] {
  return Object.entries(graph).flatMap(([id, node]) =>
    isJsonObject(node) && typeof node['class_type'] === 'string' ? [[id, node] as const] : [],
  );
}

// Only checks which of the two shapes a workflow has, because its content is undocumented (OP-059).
function canvasProblem(graph: JsonObject): string | undefined {
  const nodes = Array.isArray(graph['nodes']) ? graph['nodes'].filter(isJsonObject) : [];
  if (nodes.length === 0) return promptNodes(graph).length > 0 ? 'a prompt graph' : undefined;
  return nodes.some(({ pos }) => Array.isArray(pos) || isJsonObject(pos)) ? undefined : 'nodes without any place';
}

/** Node classes that only exist in the editor: notes, and pairs that pass values without a connection. */
const editorClasses: ReadonlySet<unknown> = new Set(['Note', 'MarkdownNote', 'SetNode', 'GetNode']);

const shapeRule = ruleIn('workflow', {
  reading: 'OP-059',
  needs: ['workflow.job.names-its-format'],
  requires: [state],
});

/** Returns the pointer to the first difference from the known value. The served value may have additional members. */
function findDifference(known: unknown, served: unknown, pointer = ''): string | undefined {
  if (!isNested(known) || !isNested(served) || Array.isArray(known) !== Array.isArray(served)) {
    return Object.is(known, served) ? undefined : pointer;
  }
  for (const name of Object.keys(known)) {
    const difference = findDifference(Reflect.get(known, name), Reflect.get(served, name), `${pointer}/${name}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Compares values, because numbers and strings may be written differently. The needed rule checks the format. */
function checkVerbatim(answer: Answer, graph: string): CheckResult {
  const served = readMember(answer, '/workflow');
  // A workflow without nodes is allowed, but doesn't show that graphs are preserved.
  if (isNested(served) && Object.keys(served).length === 0) return notApplicable('the job gave an empty workflow');
  const known = parseExactly(new TextEncoder().encode(graph));
  const pointer = findDifference(known, Reflect.get(Object(parseExactly(answer.body)), 'workflow'));
  if (pointer === undefined) return [];
  const at = { step: answer.step, pointer: `/workflow${pointer}` };
  return [finding('values-differ', at, 'the graph verbatim', expect.jsonText(readMember(answer, at.pointer)))];
}

/** A graph that is returned unchanged meets all requirements about its shape. */
const shapeRequirements = [
  ...['WX-JWF-05', 'WX-JWF-07', 'WX-JWF-11', 'WX-JWF-12', 'WX-JWF-13', 'WX-JWF-14'],
  ...['WX-JWF-15', 'WX-JWF-16', 'WX-JWF-17', 'WX-JWF-18', 'WX-JWF-19'],
];

const verbatim = [
  { name: 'save', needed: 'workflow.job.pinned-gives-save', further: [] },
  { name: 'api', needed: 'workflow.job.submitted-gives-api', further: [] },
  { name: 'unreadable', needed: 'workflow.unreadable.falls-back-to-api', further: ['WX-JWF-30'] },
  { name: 'deleted', needed: 'workflow.deleted.falls-back-to-api', further: ['WX-JWF-31'] },
] as const;

const verbatimRules = verbatim.map(({ name, needed, further }) =>
  rule(`workflow.verbatim.${name}`, singleJobs[name], {
    usualCause: usualCauses.graphs,
    sentence: `The workflow of the job is returned verbatim, with every member as it was stored (${name}).`,
    requirements: [...shapeRequirements, ...further],
    requires: [graphs],
    needs: [needed],
    check: ({ job }, context) => {
      const graph = context.graph(name);
      return graph === undefined
        ? notApplicable(`the graph of the job ${name} is not given`)
        : checkVerbatim(job, graph);
    },
  }),
);

export const workflowGraphRules = [
  shapeRule('workflow.save.has-the-canvas-layout', bothJobs, {
    sentence: 'A workflow in the save format has the layout of its nodes on the canvas.',
    requirements: ['WX-JWF-12', 'WX-JWF-11'],
    check: ({ save }) =>
      checkGraph(save, 'save', 'a workflow as the editor saved it, with places of its nodes', canvasProblem),
  }),
  shapeRule('workflow.api.is-a-prompt-graph', bothJobs, {
    sentence: 'A workflow in the api format maps node ids to nodes with class_type and inputs.',
    requirements: ['WX-JWF-15', 'WX-JWF-18'],
    check: ({ api }) =>
      checkGraph(api, 'api', 'nodes with a class_type by their ids', (graph) =>
        promptNodes(graph).length > 0 ? undefined : 'no node that names its class',
      ),
  }),
  shapeRule('workflow.api.has-nothing-of-the-editor', bothJobs, {
    sentence: 'A workflow in the api format has no nodes of the editor.',
    requirements: ['WX-JWF-16', 'WX-JWF-17'],
    check: ({ api }) =>
      checkGraph(api, 'api', 'no note, set or get node', (graph) => {
        const ofEditor = promptNodes(graph).filter(([, node]) => editorClasses.has(node['class_type']));
        return ofEditor.map(([id]) => id).join(', ') || undefined;
      }),
  }),
  ...verbatimRules,
];
