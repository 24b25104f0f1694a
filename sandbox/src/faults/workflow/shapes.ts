import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { sandboxJobs } from '../../state/jobs.ts';
import type { Decorator, Fault } from '../decorator.ts';
import { rewriteAnswer, rewriteJson, type Where, withText } from '../making/answer-rewrite.ts';

const found: Where = { on: ['readJobWorkflow'], status: 200 };

function inWorkflow(format: 'save' | 'api', change: (workflow: JsonObject) => JsonValue): Decorator {
  return rewriteJson(found, (body) => {
    const { workflow } = body;
    return body['format'] === format && isJsonObject(workflow) ? { ...body, workflow: change(workflow) } : body;
  });
}

function nodes(change: (all: readonly JsonObject[]) => readonly JsonObject[]): Decorator {
  return inWorkflow('save', (workflow) => {
    const all = Array.isArray(workflow['nodes']) ? workflow['nodes'].filter(isJsonObject) : [];
    return { ...workflow, nodes: [...change(all)] };
  });
}

/** Each node of a prompt graph; undefined leaves one out. */
function prompts(change: (node: JsonObject) => JsonObject | undefined): Decorator {
  return inWorkflow('api', (workflow) =>
    Object.fromEntries(
      Object.entries(workflow).flatMap(([id, node]) => {
        const changed = isJsonObject(node) ? change(node) : node;
        return changed === undefined ? [] : [[id, changed] as const];
      }),
    ),
  );
}

function ofJob(id: string, change: Parameters<typeof rewriteAnswer>[1]): Decorator {
  return rewriteAnswer({ on: ['readJobWorkflow'] }, (answer, around) =>
    around.request.url.includes(id) ? change(answer, around) : answer,
  );
}

const notFound = '{"error": {"code": "not_found", "message": "There is no such job."}}';

export const workflowShapeFaults: readonly Fault[] = [
  {
    id: 'workflow.save.layout-lost',
    requirements: ['WX-JWF-12', 'WX-JWF-11'],
    description: 'A saved workflow lacks the places of its nodes.',
    decorate: nodes((all) => all.map(({ pos: _, ...node }) => node)),
  },
  {
    id: 'workflow.save.links-lost',
    requirements: ['WX-JWF-12', 'WX-JWF-11'],
    description: 'A saved workflow lacks its links.',
    decorate: inWorkflow('save', ({ links: _, ...workflow }) => workflow),
  },
  {
    id: 'workflow.save.notes-lost',
    requirements: ['WX-JWF-13'],
    description: 'A saved workflow lacks its notes.',
    decorate: nodes((all) => all.filter(({ type }) => !/note/i.test(String(type)))),
  },
  {
    id: 'workflow.save.set-and-get-expanded',
    requirements: ['WX-JWF-14'],
    description: 'Set and get nodes of a saved workflow are expanded.',
    decorate: nodes((all) => all.filter(({ type }) => !/^[SG]etNode$/.test(String(type)))),
  },
  {
    id: 'workflow.api.in-the-other-shape',
    requirements: ['WX-JWF-15', 'WX-JWF-18'],
    description: 'A workflow called api has nodes and links like a saved one.',
    decorate: inWorkflow('api', (workflow) => ({ nodes: Object.values(workflow), links: [] })),
  },
  {
    id: 'workflow.api.types-lost',
    requirements: ['WX-JWF-18'],
    description: 'Nodes of a prompt graph do not name their class.',
    decorate: prompts(({ class_type: type, ...node }) => ({ ...node, type: type ?? '' })),
  },
  {
    id: 'workflow.api.notes-kept',
    requirements: ['WX-JWF-16'],
    description: 'A prompt graph still holds a note.',
    decorate: inWorkflow('api', (workflow) => ({
      ...workflow,
      '99': { class_type: 'Note', inputs: { text: 'Keep the seed.' } },
    })),
  },
  {
    id: 'workflow.api.get-not-expanded',
    requirements: ['WX-JWF-17'],
    description: 'A prompt graph still holds a get node.',
    decorate: inWorkflow('api', (workflow) => ({ ...workflow, '98': { class_type: 'GetNode', inputs: {} } })),
  },
  {
    id: 'workflow.api.source-left-out',
    requirements: ['WX-JWF-17', 'WX-JWF-15'],
    description: 'A prompt graph refers to a node that it lacks.',
    decorate: prompts((node) => (node['class_type'] === 'EmptyLatent' ? undefined : node)),
  },
  {
    id: 'workflow.job.written-anew-each-time',
    requirements: ['WX-JWF-07'],
    description: 'A workflow is written anew for each read, with a time in it.',
    decorate: (app, context) => {
      let reads = 0;
      return rewriteAnswer(found, (answer) => {
        reads += 1;
        return withText(answer, `${new TextDecoder().decode(answer.body)}${' '.repeat(reads)}`);
      })(app, context);
    },
  },
  {
    id: 'workflow.fallback.unreadable-is-404',
    requirements: ['WX-JWF-30', 'WX-JWF-32'],
    description: 'A job whose version cannot be read any more is not found.',
    decorate: ofJob(sandboxJobs.unreadable, (answer) => ({ ...withText(answer, notFound), status: 404 })),
  },
  {
    id: 'workflow.fallback.deleted-is-404',
    requirements: ['WX-JWF-31', 'WX-JWF-32'],
    description: 'A job whose workflow was deleted is not found.',
    decorate: ofJob(sandboxJobs.deleted, (answer) => ({ ...withText(answer, notFound), status: 404 })),
  },
  {
    id: 'workflow.fallback.still-called-save',
    requirements: ['WX-JWF-30', 'WX-JWF-31'],
    description: 'What a pinned job falls back to is called save.',
    decorate: rewriteJson(found, (body, { request }) =>
      [sandboxJobs.unreadable, sandboxJobs.deleted].some((id) => request.url.includes(id))
        ? { ...body, format: 'save' }
        : body,
    ),
  },
  {
    id: 'workflow.rate-limit.after-the-job',
    requirements: ['WX-OPE-07', 'WX-OPE-08'],
    description: 'Beyond the rate, a job of somebody else is called forbidden.',
    decorate: ofJob(sandboxJobs.foreign, (answer) =>
      answer.status === 429
        ? { ...withText(answer, '{"error": {"code": "forbidden", "message": "Not yours."}}'), status: 403 }
        : answer,
    ),
  },
  {
    id: 'workflow.expired.workflow-outlives-its-job',
    requirements: ['WX-RTN-05', 'WX-RTN-06'],
    description: 'The workflow of an expired job can still be read.',
    decorate: (app) => (request) =>
      request.url.includes(sandboxJobs.expired)
        ? app(new Request(request.url.replace(sandboxJobs.expired, sandboxJobs.save), request))
        : app(request),
    trips: ['WX-COD-09'],
  },
];
