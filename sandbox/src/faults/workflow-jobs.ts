import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { extraDataCanary, sandboxJobs } from '../state/jobs.ts';
import { bodyRow, counted, onJson, onMember, onText, set } from './builders/changes.ts';
import { type Change, type Fault, fault, group } from './builders/fault.ts';
import { isJson, mapObjects, readObject, withJson, without } from './builders/replies.ts';
import { isOfJob, readQuery } from './builders/requests.ts';

const found = { on: ['readJobWorkflow'], status: 200 } as const;
const leak: JsonObject = { credential: extraDataCanary };

const verbatim = [
  { name: 'save', requirement: 'WX-JWF-11' },
  { name: 'api', requirement: 'WX-JWF-15' },
  { name: 'unreadable', requirement: 'WX-JWF-30' },
  { name: 'deleted', requirement: 'WX-JWF-31' },
] as const;

/** Changes the workflow of jobs in one format. */
export const changeWorkflow = (format: 'save' | 'api', change: (workflow: JsonObject) => JsonValue): Change =>
  onJson((body) => {
    const { workflow } = body;
    return body['format'] === format && isJsonObject(workflow) ? { ...body, workflow: change(workflow) } : body;
  });

const changeNodes = (change: (nodes: readonly JsonObject[]) => readonly JsonObject[]): Change =>
  changeWorkflow('save', (workflow) => {
    const nodes = Array.isArray(workflow['nodes']) ? workflow['nodes'].filter(isJsonObject) : [];
    return { ...workflow, nodes: [...change(nodes)] };
  });

/** Keeps the nodes of a saved workflow whose type does not match. */
const withoutNodes = (type: RegExp): Change =>
  changeNodes((nodes) => nodes.filter((node) => !type.test(String(node['type']))));

const addPrompt = (id: string, node: JsonObject): Change =>
  changeWorkflow('api', (workflow) => ({ ...workflow, [id]: node }));

const notFound = set.text('{"error": {"code": "not_found", "message": "There is no such job."}}', 404);

const withoutSource = changeWorkflow('api', (workflow) => {
  const isKept = (id: string): boolean => asObject(workflow[id])['class_type'] !== 'EmptyLatent';
  return Object.fromEntries(Object.entries(workflow).filter(([id]) => isKept(id)));
});

const withoutClasses = changeWorkflow('api', (workflow) => {
  const nodes = mapObjects(Object.values(workflow), ({ class_type: type = '', ...node }) => ({ ...node, type }));
  return Object.fromEntries(Object.keys(workflow).map((id, index) => [id, nodes[index] ?? null]));
});

const numbered = counted(
  (reply) => (isJson(reply) ? '' : undefined),
  (reply, times) => {
    const { workflow, ...rest } = readObject(reply);
    return withJson(reply, {
      ...rest,
      workflow: isJsonObject(workflow) ? { ...workflow, read: times } : (workflow ?? null),
    });
  },
);

const withoutAccents = onText((text) => text.replaceAll('é', 'e'));

const withoutPlaces = changeNodes((nodes) => nodes.map((node) => without(node, 'pos')));
const withoutLinks = changeWorkflow('save', (workflow) => without(workflow, 'links'));
const asSaved = changeWorkflow('api', (workflow) => ({ nodes: Object.values(workflow), links: [] }));

export const workflowJobFaults: readonly Fault[] = [
  ...group({ id: 'workflow.job', ...found, subject: 'The reply about a job' }, [
    fault('always-api', 'WX-JWF-25', set.member('format', 'api')),
    fault('always-save', 'WX-JWF-25 WX-JWF-27 also WX-JWF-32', set.member('format', 'save')),
    bodyRow('format-as-asked', 'WX-JWF-24', (body, { request }) => ({
      ...body,
      format: readQuery(request).get('format') ?? body['format'] ?? '',
    })),
    fault('extra-data-on-top', 'WX-JWF-19', set.member('extra_data', leak)),
    fault('extra-data-inside', 'WX-JWF-19', onMember('workflow', { extra_data: leak })),
    fault('extra-data-renamed', 'WX-JWF-19', set.member('submission', { meta: leak })),
    fault('written-anew-each-time', 'WX-JWF-07', numbered),
    fault(
      'seeds-rounded',
      'WX-JWF-07 WX-JWF-11 WX-JWF-15 WX-JWF-30 WX-JWF-31',
      onText((text) => JSON.stringify(JSON.parse(text))),
    ),
  ]),
  ...group({ id: 'workflow', ...found }, [
    ...verbatim.map(({ name, requirement }) =>
      fault(`${name}.letters-lost`, `WX-JWF-07 ${requirement}`, withoutAccents, { when: isOfJob(sandboxJobs[name]) }),
    ),
  ]),
  ...group({ id: 'workflow.save', ...found, subject: 'A saved workflow' }, [
    fault('layout-lost', 'WX-JWF-12 WX-JWF-11', withoutPlaces),
    fault('links-lost', 'WX-JWF-12 WX-JWF-11', withoutLinks),
    fault('notes-lost', 'WX-JWF-13', withoutNodes(/note/i)),
    fault('set-and-get-expanded', 'WX-JWF-14', withoutNodes(/^[SG]etNode$/)),
  ]),
  ...group({ id: 'workflow.api', ...found, subject: 'A prompt graph' }, [
    fault('in-the-other-shape', 'WX-JWF-15 WX-JWF-18', asSaved),
    fault('types-lost', 'WX-JWF-18', withoutClasses),
    fault('notes-kept', 'WX-JWF-16', addPrompt('99', { class_type: 'Note', inputs: { text: 'Keep the seed.' } })),
    fault('get-not-expanded', 'WX-JWF-17', addPrompt('98', { class_type: 'GetNode', inputs: {} })),
    fault('source-left-out', 'WX-JWF-17 WX-JWF-15', withoutSource),
  ]),
  ...group({ id: 'workflow.fallback', on: ['readJobWorkflow'], subject: 'A pinned job' }, [
    fault('unreadable-is-404', 'WX-JWF-30 WX-JWF-32', notFound, { when: isOfJob(sandboxJobs.unreadable) }),
    fault('deleted-is-404', 'WX-JWF-31 WX-JWF-32', notFound, { when: isOfJob(sandboxJobs.deleted) }),
    fault('still-called-save', 'WX-JWF-30 WX-JWF-31', set.member('format', 'save'), {
      status: 200,
      when: isOfJob(sandboxJobs.unreadable, sandboxJobs.deleted),
    }),
  ]),
];
