import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { memberOf, responseOf } from '../../definitions/evidence.ts';
import { excerpt, type Finding, finding, notApplicable } from '../../definitions/finding.ts';
import { type Check, defineFamily, type Rule } from '../../definitions/rule.ts';
import { allOf, hasGraphs, hasJob, hasState, type JobName } from '../../definitions/target.ts';
import { wrongValue } from '../builders/expectations.ts';
import { namesFormat, readJobs, workflow } from './jobs.ts';

type Format = 'save' | 'api';

/** A check of the graph of one format; a job of the other format shows nothing of it. `problemOf`: what it has instead. */
const checkGraph =
  (format: Format, expected: string, problemOf: (graph: JsonObject) => string | undefined): Check =>
  (evidence) => {
    const response = responseOf(evidence, format);
    const graph = memberOf(response, '/workflow');
    // A graph without nodes is allowed too, and shows nothing.
    if (memberOf(response, '/format') !== format || !isJsonObject(graph) || Object.keys(graph).length === 0)
      return notApplicable(`the job gave no workflow of format ${format}`);
    const actual = problemOf(graph);
    return actual === undefined
      ? []
      : wrongValue(format, format === 'save' ? '/workflow/nodes' : '/workflow', expected, actual);
  };

function canvasNodes(graph: JsonObject): readonly JsonObject[] {
  const nodes = graph['nodes'];
  return Array.isArray(nodes) ? nodes.filter(isJsonObject) : [];
}

/** Types of nodes that only the editor knows: notes, and pairs that carry a value past the wires. */
const isNote = (type: JsonValue | undefined): boolean => /note/i.test(String(type));
const isSetOrGet = (type: JsonValue | undefined): boolean => /^(?:set|get)_?node$/i.test(String(type));

function canvasProblem(graph: JsonObject): string | undefined {
  const nodes = canvasNodes(graph);
  const arePlaced = nodes.every(({ pos }) => Array.isArray(pos) || isJsonObject(pos));
  if (nodes.length > 0 && arePlaced && Array.isArray(graph['links'])) return undefined;
  return `${nodes.length} nodes`;
}

function isPromptNode(node: JsonValue): boolean {
  return isJsonObject(node) && typeof node['class_type'] === 'string' && isJsonObject(node['inputs']);
}

function promptProblem(graph: JsonObject): string | undefined {
  const nodes = Object.entries(graph).filter(([, node]) => isJsonObject(node) && 'class_type' in node);
  const odd = nodes.filter(([, node]) => !isPromptNode(node));
  if (nodes.length > 0 && odd.length === 0) return undefined;
  return nodes.length === 0 ? 'no node' : odd.map(([id]) => id).join(', ');
}

function editorProblem(graph: JsonObject): string | undefined {
  const left = Object.entries(graph).filter(([, node]) => {
    const type = isJsonObject(node) ? node['class_type'] : undefined;
    return isNote(type) || isSetOrGet(type) || (isJsonObject(node) && 'pos' in node);
  });
  return left.length === 0 ? undefined : left.map(([id]) => id).join(', ');
}

/** A wire of a prompt graph is `[id of a node, index of its output]`. */
function wireProblem(graph: JsonObject): string | undefined {
  const dangling = Object.entries(graph).flatMap(([id, node]) => {
    const inputs = isJsonObject(node) && isJsonObject(node['inputs']) ? node['inputs'] : {};
    return Object.entries(inputs).flatMap(([name, value]) => {
      const source = Array.isArray(value) && value.length === 2 && Number.isInteger(value[1]) ? value[0] : undefined;
      return typeof source === 'string' && !Object.hasOwn(graph, source) ? [`${id}.${name}`] : [];
    });
  });
  return dangling.length === 0 ? undefined : dangling.join(', ');
}

const shapeRules = defineFamily(
  {
    ...workflow,
    needs: [namesFormat],
    appliesTo: allOf(hasState, hasJob('save', 'api')),
    probe: readJobs('save', 'api'),
  },
  [
    {
      id: 'workflow.save.has-the-canvas-layout',
      requirements: ['WX-JWF-12', 'WX-JWF-11'],
      check: checkGraph('save', 'nodes with their places, and links', canvasProblem),
    },
    {
      id: 'workflow.save.keeps-notes',
      requirements: ['WX-JWF-13'],
      check: checkGraph('save', 'the note nodes of the editor', (graph) =>
        canvasNodes(graph).some(({ type }) => isNote(type)) ? undefined : 'none',
      ),
    },
    {
      id: 'workflow.save.keeps-set-and-get',
      requirements: ['WX-JWF-14'],
      check: checkGraph('save', 'set and get nodes, not expanded', (graph) =>
        canvasNodes(graph).filter(({ type }) => isSetOrGet(type)).length >= 2 ? undefined : 'none',
      ),
    },
    {
      id: 'workflow.api.is-a-prompt-graph',
      requirements: ['WX-JWF-15', 'WX-JWF-18'],
      check: checkGraph('api', 'nodes with a class_type and inputs by their ids', promptProblem),
    },
    {
      id: 'workflow.api.has-nothing-of-the-editor',
      requirements: ['WX-JWF-16', 'WX-JWF-17'],
      check: checkGraph('api', 'no note, set or get node, no place', editorProblem),
    },
    {
      id: 'workflow.api.is-wired-to-the-end',
      requirements: ['WX-JWF-17', 'WX-JWF-15'],
      check: checkGraph('api', 'wires between nodes of the graph', wireProblem),
    },
  ],
);

/** The pointer to the first difference from the known value; members that it lacks are allowed. */
function differenceOf(known: unknown, served: unknown, pointer = ''): string | undefined {
  if (!isNested(known) || !isNested(served) || Array.isArray(known) !== Array.isArray(served)) {
    return Object.is(known, served) ? undefined : pointer;
  }
  for (const name of Object.keys(known)) {
    const difference = differenceOf(Reflect.get(known, name), Reflect.get(served, name), `${pointer}/${name}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Compares values: the notation of numbers and letters is the server's own. */
const checkVerbatim =
  (job: JobName): Check =>
  (evidence, context): readonly Finding[] => {
    const response = responseOf(evidence, job);
    const [graph, served] = [context.graph(job), memberOf(response, '/workflow')];
    const format: Format = job === 'save' ? 'save' : 'api';
    // Other rules check that it is an object in the format of the job; it may be empty.
    const isComparable = isNested(served) && Object.keys(served).length > 0 && memberOf(response, '/format') === format;
    const pointer = graph === undefined || !isComparable ? undefined : differenceOf(JSON.parse(graph), served);
    if (pointer === undefined) return [];
    const at = { step: job, pointer: `/workflow${pointer}` };
    const value = memberOf(response, at.pointer);
    const actual = value === undefined ? 'absent' : excerpt(JSON.stringify(value));
    return [finding('values-differ', at, 'the graph verbatim', actual)];
  };

/** A graph that comes back as it was given has all that each shape requires. */
const ofShapes = [
  ...['WX-JWF-05', 'WX-JWF-07', 'WX-JWF-11', 'WX-JWF-12', 'WX-JWF-13', 'WX-JWF-14'],
  ...['WX-JWF-15', 'WX-JWF-16', 'WX-JWF-17', 'WX-JWF-18', 'WX-JWF-19'],
];
const graphs: readonly { readonly job: JobName; readonly requirements: readonly string[] }[] = [
  { job: 'save', requirements: ofShapes },
  { job: 'api', requirements: ofShapes },
  { job: 'unreadable', requirements: [...ofShapes, 'WX-JWF-30'] },
  { job: 'deleted', requirements: [...ofShapes, 'WX-JWF-31'] },
];

const verbatimRules = defineFamily(
  workflow,
  graphs.map(({ job, requirements }) => ({
    id: `workflow.verbatim.${job}`,
    requirements,
    appliesTo: allOf(hasState, hasGraphs, hasJob(job)),
    probe: readJobs(job),
    check: checkVerbatim(job),
  })),
);

export const workflowGraphRules: readonly Rule[] = [...shapeRules, ...verbatimRules];
