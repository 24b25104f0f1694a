import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { type Answer, memberOf, responseOf } from '../../answer.ts';
import type { ProbeContext } from '../../context.ts';
import type { Draft, Verdict } from '../../finding.ts';
import type { CredentialUse, Evidence, Probe } from '../../probe.ts';
import { finding, requireMember, requireStatus } from '../../require.ts';
import { defineRule, type Rule, type RuleDeclaration } from '../../rule.ts';
import { allOf, hasCapability, hasCredential, hasJob, type JobName, notOn } from '../../target.ts';
import { requireSameBytes } from '../vocabulary/byte-comparison.ts';
import { exactly } from '../vocabulary/matchers.ts';
import { readJob, unknownJob, workflowOf } from './steps.ts';

const family = 'workflow';
const state = hasCapability('state');

const read =
  (...names: readonly JobName[]) =>
  (context: ProbeContext): Probe => ({ steps: names.map((name) => readJob(name, context)) });
const readBoth = read('save', 'api');
const readTwice = (context: ProbeContext): Probe => ({
  steps: [
    ...readBoth(context).steps,
    workflowOf('save-again', context.job('save')),
    workflowOf('api-again', context.job('api')),
  ],
});

/** A rule on what one of the two shapes holds; a job of the other format says nothing of it. */
function shapeRule(
  format: 'save' | 'api',
  rule: Pick<RuleDeclaration, 'id' | 'requirements'> & {
    judge: (workflow: JsonObject, answer: Answer) => readonly Draft[];
  },
): Rule {
  return defineRule({
    id: rule.id,
    family,
    requirements: rule.requirements,
    needs: ['workflow.job.holds-a-workflow-object', 'workflow.job.names-its-format'],
    api: 'workflow',
    appliesTo: allOf(state, hasJob('save', 'api')),
    probe: readBoth,
    judge: (evidence): Verdict => {
      const answer = responseOf(evidence, format);
      const workflow = memberOf(answer, '/workflow');
      // A graph without nodes is a graph too, of which nothing can be seen.
      if (memberOf(answer, '/format') !== format || !isJsonObject(workflow) || Object.keys(workflow).length === 0)
        return { kind: 'not-observable', because: `the job gave no workflow of format ${format}` };
      return rule.judge(workflow, answer);
    },
  });
}

function wrong(answer: Answer, pointer: string, said: { expected: string; actual: string }): readonly Draft[] {
  return [finding('value-unexpected', { step: answer.step, pointer: `/workflow${pointer}` }, said)];
}

function nodesIn(workflow: JsonObject): readonly JsonObject[] {
  const nodes = workflow['nodes'];
  return Array.isArray(nodes) ? nodes.filter(isJsonObject) : [];
}

/** Types of nodes that the editor alone knows: notes, and the pairs that carry a value past the wires. */
const isNote = (type: JsonValue | undefined): boolean => /note/i.test(String(type));
const isSetOrGet = (type: JsonValue | undefined): boolean => /^(?:set|get)_?node$/i.test(String(type));

/** Every node of a prompt graph, by its id. */
function promptNodes(workflow: JsonObject): readonly (readonly [id: string, node: JsonValue])[] {
  return Object.entries(workflow);
}

function isPromptNode(node: JsonValue): boolean {
  return isJsonObject(node) && typeof node['class_type'] === 'string' && isJsonObject(node['inputs']);
}

/** A wire of a prompt graph: `[id of a node, index of its output]`. */
function danglingWires(workflow: JsonObject): readonly string[] {
  return promptNodes(workflow).flatMap(([id, node]) => {
    const inputs = isJsonObject(node) && isJsonObject(node['inputs']) ? node['inputs'] : {};
    return Object.entries(inputs).flatMap(([name, value]) => {
      const source = Array.isArray(value) && value.length === 2 && Number.isInteger(value[1]) ? value[0] : undefined;
      return typeof source === 'string' && !Object.hasOwn(workflow, source) ? [`${id}.${name}`] : [];
    });
  });
}

const shapes: readonly Rule[] = [
  shapeRule('save', {
    id: 'workflow.save.has-the-canvas-layout',
    requirements: ['WX-JWF-12', 'WX-JWF-11'],
    judge: (workflow, answer) => {
      const nodes = nodesIn(workflow);
      const isPlaced = ({ pos }: JsonObject): boolean => Array.isArray(pos) || isJsonObject(pos);
      if (nodes.length > 0 && nodes.every(isPlaced) && Array.isArray(workflow['links'])) return [];
      return wrong(answer, '/nodes', {
        expected: 'nodes with their places, and links',
        actual: `${nodes.length} nodes`,
      });
    },
  }),
  shapeRule('save', {
    id: 'workflow.save.keeps-notes',
    requirements: ['WX-JWF-13'],
    judge: (workflow, answer) =>
      nodesIn(workflow).some(({ type }) => isNote(type))
        ? []
        : wrong(answer, '/nodes', { expected: 'the note nodes of the editor', actual: 'none' }),
  }),
  shapeRule('save', {
    id: 'workflow.save.keeps-set-and-get',
    requirements: ['WX-JWF-14'],
    judge: (workflow, answer) =>
      nodesIn(workflow).filter(({ type }) => isSetOrGet(type)).length >= 2
        ? []
        : wrong(answer, '/nodes', { expected: 'set and get nodes, not expanded', actual: 'none' }),
  }),
  shapeRule('api', {
    id: 'workflow.api.is-a-prompt-graph',
    requirements: ['WX-JWF-15', 'WX-JWF-18'],
    judge: (workflow, answer) => {
      const nodes = promptNodes(workflow).filter(([, node]) => isJsonObject(node) && 'class_type' in node);
      const odd = nodes.filter(([, node]) => !isPromptNode(node));
      if (nodes.length > 0 && odd.length === 0) return [];
      const actual = nodes.length === 0 ? 'no node' : odd.map(([id]) => id).join(', ');
      return wrong(answer, '', { expected: 'nodes with a class_type and inputs by their ids', actual });
    },
  }),
  shapeRule('api', {
    id: 'workflow.api.has-nothing-of-the-editor',
    requirements: ['WX-JWF-16', 'WX-JWF-17'],
    judge: (workflow, answer) => {
      const left = promptNodes(workflow).filter(([, node]) => {
        const type = isJsonObject(node) ? node['class_type'] : undefined;
        return isNote(type) || isSetOrGet(type) || (isJsonObject(node) && 'pos' in node);
      });
      if (left.length === 0) return [];
      return wrong(answer, '', {
        expected: 'no note, set or get node, no place',
        actual: left.map(([id]) => id).join(', '),
      });
    },
  }),
  shapeRule('api', {
    id: 'workflow.api.is-wired-to-the-end',
    requirements: ['WX-JWF-17', 'WX-JWF-15'],
    judge: (workflow, answer) => {
      const dangling = danglingWires(workflow);
      return dangling.length === 0
        ? []
        : wrong(answer, '', { expected: 'wires between nodes of the graph', actual: dangling.join(', ') });
    },
  }),
];

function sameTwice(evidence: Evidence): readonly Draft[] {
  return (['save', 'api'] as const).flatMap((name) =>
    requireSameBytes(responseOf(evidence, `${name}-again`), responseOf(evidence, name)),
  );
}

const verbatim = defineRule({
  id: 'workflow.job.is-the-same-at-every-read',
  family,
  requirements: ['WX-JWF-07', 'WX-RTN-06', 'WX-GEN-06'],
  needs: ['workflow.job.answers-with-json'],
  api: 'workflow',
  appliesTo: allOf(state, hasJob('save', 'api')),
  probe: readTwice,
  judge: sameTwice,
});

/** What the caller can no longer read is replaced by what ran, and nothing else shows (WX-JWF-32). */
const fallbacks: readonly Rule[] = (['unreadable', 'deleted'] as const).map((name) =>
  defineRule({
    id: `workflow.${name}.falls-back-to-api`,
    family,
    requirements: [name === 'unreadable' ? 'WX-JWF-30' : 'WX-JWF-31', 'WX-JWF-32'],
    api: 'workflow',
    appliesTo: allOf(state, hasJob(name)),
    probe: read(name),
    judge: (evidence) => {
      const answer = responseOf(evidence, name);
      const status = requireStatus(answer, 200);
      return status.length > 0 ? status : requireMember(answer, '/format', exactly('api'));
    },
  }),
);

const limited: readonly CredentialUse[] = [{ as: 'bearer', who: 'rateLimited' }];
const beforeTheJob = defineRule({
  id: 'workflow.rate-limit.comes-before-the-job',
  family,
  requirements: ['WX-OPE-07', 'WX-OPE-08'],
  needs: ['workflow.rate-limit.is-429'],
  api: 'workflow',
  appliesTo: allOf(state, hasCredential('workflow', 'rateLimited'), hasJob('foreign')),
  probe: (context) => ({
    steps: [
      readJob('foreign', context, { credentials: limited }),
      workflowOf('unknown', unknownJob, { credentials: limited }),
    ],
  }),
  judge: (evidence) => {
    const seen = ['foreign', 'unknown'].map((name) => responseOf(evidence, name));
    const wrongly = seen.flatMap((answer) => requireStatus(answer, 429, 404));
    if (wrongly.length > 0) return wrongly;
    return {
      kind: 'observed',
      observation: `a foreign job is answered ${seen[0]?.status}, an unknown one ${seen[1]?.status}`,
    };
  },
});

/** A job past its retention takes its workflow along, whatever the workflow was pinned to. */
const lifetimes = defineRule({
  id: 'workflow.expired.has-no-workflow-left',
  family,
  requirements: ['WX-RTN-05', 'WX-RTN-06'],
  api: 'workflow',
  appliesTo: allOf(state, hasJob('expired', 'save'), notOn('mock', 'any id is answered there')),
  probe: read('save', 'expired'),
  judge: (evidence) => [
    ...requireStatus(responseOf(evidence, 'save'), 200),
    ...requireStatus(responseOf(evidence, 'expired'), 404),
  ],
});

export const workflowShapeRules: readonly Rule[] = [...shapes, verbatim, ...fallbacks, beforeTheJob, lifetimes];
