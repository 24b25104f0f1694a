import { isJsonObject, type JsonObject } from '../../../../specs/src/index.ts';
import { parseExactly, readMember, readResponse } from '../../contract/evidence.ts';
import { finding, notApplicable } from '../../contract/finding.ts';
import { type Check, defineFamily, type NamedMember, splitWords } from '../../contract/rule.ts';
import { graphs, type JobName, job, state } from '../../requires.ts';
import * as expect from '../builders/expect.ts';
import { readJobs, workflow } from './jobs.ts';

/** A check of the graph of one format; a job of the other format shows nothing of it. `problemOf`: what it has instead. */
const checkGraph =
  (format: 'save' | 'api', expected: string, findProblem: (graph: JsonObject) => string | undefined): Check =>
  (evidence) => {
    const response = readResponse(evidence, format);
    const graph = readMember(response, '/workflow');
    // A graph without nodes is allowed too, and shows nothing.
    if (readMember(response, '/format') !== format || !isJsonObject(graph) || Object.keys(graph).length === 0)
      return notApplicable(`the job gave no workflow of format ${format}`);
    const actual = findProblem(graph);
    return actual === undefined ? [] : expect.wrongAt(format, '/workflow', expected, actual);
  };

/** Nodes of a prompt graph: members that name their class. */
function promptNodes(graph: JsonObject): readonly (readonly [id: string, node: JsonObject])[] {
  return Object.entries(graph).flatMap(([id, node]) =>
    isJsonObject(node) && typeof node['class_type'] === 'string' ? [[id, node] as const] : [],
  );
}

// The inside of a workflow is not described (OP-059): what is checked is which of the two shapes it has.
function canvasProblem(graph: JsonObject): string | undefined {
  const nodes = Array.isArray(graph['nodes']) ? graph['nodes'].filter(isJsonObject) : [];
  if (nodes.length === 0) return promptNodes(graph).length > 0 ? 'a prompt graph' : undefined;
  return nodes.some(({ pos }) => Array.isArray(pos) || isJsonObject(pos)) ? undefined : 'nodes without any place';
}

const promptProblem = (graph: JsonObject): string | undefined =>
  promptNodes(graph).length > 0 ? undefined : 'no node that names its class';

/** Classes that only the editor knows: notes, and pairs that carry a value past the wires. */
const editorClasses: ReadonlySet<unknown> = new Set(['Note', 'MarkdownNote', 'SetNode', 'GetNode']);

function editorProblem(graph: JsonObject): string | undefined {
  const left = promptNodes(graph).flatMap(([id, node]) => (editorClasses.has(node['class_type']) ? id : []));
  return left.join(', ') || undefined;
}

const shapeRules = defineFamily({
  ...workflow,
  reading: 'OP-059',
  needs: ['workflow.job.names-its-format'],
  requires: [state, ...job('save', 'api')],
  probe: readJobs('save', 'api'),
})({
  'workflow.save.has-the-canvas-layout': {
    sentence: 'A workflow in the save format has nodes and links of the canvas.',
    requirements: ['WX-JWF-12', 'WX-JWF-11'],
    check: checkGraph('save', 'a workflow as the editor saved it, with places of its nodes', canvasProblem),
  },
  'workflow.api.is-a-prompt-graph': {
    sentence: 'A workflow in the api format maps node ids to nodes with class_type and inputs.',
    requirements: ['WX-JWF-15', 'WX-JWF-18'],
    check: checkGraph('api', 'nodes with a class_type by their ids', promptProblem),
  },
  'workflow.api.has-nothing-of-the-editor': {
    sentence: 'A workflow in the api format has nothing of the editor.',
    requirements: ['WX-JWF-16', 'WX-JWF-17'],
    check: checkGraph('api', 'no note, set or get node', editorProblem),
  },
});

/** The pointer to the first difference from the known value; members that it lacks are allowed. */
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

/** The rule that is needed checks status and format. Compares values: the notation of numbers and letters is the server's own. */
const checkVerbatim =
  (job: JobName): Check =>
  (evidence, context) => {
    const response = readResponse(evidence, job);
    const graph = context.graph(job);
    if (graph === undefined) return notApplicable(`the graph of the job ${job} is not given`);
    const served = readMember(response, '/workflow');
    // A workflow without nodes is allowed, and shows nothing of how a graph is kept.
    if (isNested(served) && Object.keys(served).length === 0) return notApplicable('the job gave an empty workflow');
    const known = parseExactly(new TextEncoder().encode(graph));
    const pointer = findDifference(known, Reflect.get(Object(parseExactly(response.body)), 'workflow'));
    if (pointer === undefined) return [];
    const at = { step: job, pointer: `/workflow${pointer}` };
    return [finding('values-differ', at, 'the graph verbatim', expect.jsonText(readMember(response, at.pointer)))];
  };

/** A graph that comes back as it was given has all that each shape requires. */
const shapeRequirements = splitWords(
  'WX-JWF-05 WX-JWF-07 WX-JWF-11 WX-JWF-12 WX-JWF-13 WX-JWF-14 WX-JWF-15 WX-JWF-16 WX-JWF-17 WX-JWF-18 WX-JWF-19',
);
const verbatim = [
  ['save', shapeRequirements, 'workflow.job.pinned-gives-save'],
  ['api', shapeRequirements, 'workflow.job.submitted-gives-api'],
  ['unreadable', [...shapeRequirements, 'WX-JWF-30'], 'workflow.unreadable.falls-back-to-api'],
  ['deleted', [...shapeRequirements, 'WX-JWF-31'], 'workflow.deleted.falls-back-to-api'],
] as const;

const verbatimRules = defineFamily(workflow)(
  verbatim.map(
    ([name, requirements, needed]): NamedMember => [
      `workflow.verbatim.${name}`,
      {
        sentence: `The workflow of the job comes verbatim, with every member as it was stored (${name}).`,
        requirements,
        requires: [state, graphs, ...job(name)],
        needs: [needed],
        probe: readJobs(name),
        check: checkVerbatim(name),
      },
    ],
  ),
);

export const workflowGraphRules = [...shapeRules, ...verbatimRules];
