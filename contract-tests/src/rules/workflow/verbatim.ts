import type { JsonValue } from '../../../../specs/src/index.ts';
import { memberOf, responseOf } from '../../answer.ts';
import type { Draft } from '../../finding.ts';
import type { Evidence } from '../../probe.ts';
import { excerpt, finding } from '../../require.ts';
import { defineRule, type Rule } from '../../rule.ts';
import { allOf, hasCapability, hasGraphs, hasJob, type JobName } from '../../target.ts';
import { readJob } from './steps.ts';

const api = 'workflow';

/** Where something of the known value is missing or another; what is there besides is a free form's own affair. */
function partingOf(known: unknown, served: unknown, pointer = ''): string | undefined {
  if (!isNest(known) || !isNest(served) || Array.isArray(known) !== Array.isArray(served)) {
    return Object.is(known, served) ? undefined : pointer;
  }
  for (const name of Object.keys(known)) {
    const parting = partingOf(Reflect.get(known, name), Reflect.get(served, name), `${pointer}/${name}`);
    if (parting !== undefined) return parting;
  }
  return undefined;
}

function isNest(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function formatOf(name: JobName): string {
  return name === 'save' ? 'save' : 'api';
}

/** By value: how numbers and letters are written is left to whoever writes JSON. */
function requireVerbatim(evidence: Evidence, name: JobName, graph: string | undefined): readonly Draft[] {
  const answer = responseOf(evidence, name);
  const served = memberOf(answer, '/workflow');
  // That it is an object, in the format of the job, is said elsewhere; that it holds anything is said nowhere.
  if (
    graph === undefined ||
    !isNest(served) ||
    Object.keys(served).length === 0 ||
    memberOf(answer, '/format') !== formatOf(name)
  )
    return [];
  const parting = partingOf(JSON.parse(graph), served);
  if (parting === undefined) return [];
  const said = {
    expected: 'the graph verbatim',
    actual: excerpt(JSON.stringify(valueAt(served, parting)) ?? 'absent'),
  };
  return [finding('values-differ', { step: name, pointer: `/workflow${parting}` }, said)];
}

function valueAt(value: unknown, pointer: string): JsonValue | undefined {
  const steps = pointer.split('/').slice(1);
  // Only what JSON.parse made is walked through.
  return steps.reduce<unknown>((inner, name) => (isNest(inner) ? Reflect.get(inner, name) : undefined), value) as
    | JsonValue
    | undefined;
}

/** A graph that comes back as it was given has all that each shape asks for. */
const ofShapes = [
  ...['WX-JWF-05', 'WX-JWF-07', 'WX-JWF-11', 'WX-JWF-12', 'WX-JWF-13', 'WX-JWF-14'],
  ...['WX-JWF-15', 'WX-JWF-16', 'WX-JWF-17', 'WX-JWF-18', 'WX-JWF-19'],
];
const shapes = [
  { name: 'save', requirements: ofShapes },
  { name: 'api', requirements: ofShapes },
  { name: 'unreadable', requirements: [...ofShapes, 'WX-JWF-30'] },
  { name: 'deleted', requirements: [...ofShapes, 'WX-JWF-31'] },
] as const;

export const workflowVerbatimRules: readonly Rule[] = shapes.map(({ name, requirements }) =>
  defineRule({
    id: `workflow.verbatim.${name}`,
    family: 'workflow',
    requirements,
    api,
    appliesTo: allOf(hasCapability('state'), hasGraphs, hasJob(name)),
    probe: (context) => ({ steps: [readJob(name, context)] }),
    judge: (evidence, context) => requireVerbatim(evidence, name, context.graph(name)),
  }),
);
