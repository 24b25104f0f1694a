import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Answer, type Headers, json, readBearer } from './answers.ts';
import type { BugId } from './world.ts';

export const makeWorkflowKeys = () => {
  const key = (name: string): string => `wk-${name}-${randomBytes(9).toString('hex')}`;
  return { main: key('main'), other: key('other'), forbidden: key('forbidden'), rateLimited: key('rate-limited') };
};
type Caller = keyof ReturnType<typeof makeWorkflowKeys>;

type Job = {
  readonly id: string;
  readonly owner: Caller;
  /** Pinned to a saved version of a workflow, which may be unreadable. */
  readonly pinned?: 'readable' | 'unreadable';
  readonly isExpired?: true;
  readonly isDamaged?: true;
};

export const jobs = {
  saved: { id: 'job_editor.1', owner: 'main', pinned: 'readable' },
  submitted: { id: 'night build/7 \u00e9', owner: 'main' },
  unreadableVersion: { id: 'job_editor.2', owner: 'main', pinned: 'unreadable' },
  deletedWorkflow: { id: 'job_editor.3', owner: 'main', pinned: 'unreadable' },
  foreign: { id: 'job_other.1', owner: 'other' },
  expired: { id: 'job_old.1', owner: 'main', isExpired: true },
  damaged: { id: 'job_damaged.1', owner: 'main', isDamaged: true },
} as const satisfies Record<string, Job>;

// Workflows are texts, so that responses contain them unchanged.
export const savedText = `{ "version": 0.4, "revision": 7,
  "canvas": { "zoom": 1.250, "offset": [ -312, 88.5 ] },
  "nodes": [
    { "id": 1, "type": "Note", "pos": [0, 0], "text": "Try a colder light \\u2013 \u00fcbung" },
    { "id": 2, "type": "SetNode", "pos": [40, 10], "name": "picture" },
    { "id": 9007199254740993, "type": "SaveImage", "pos": [140, 10], "hidden": null }
  ],
  "links": [[1, 2, 0, 9007199254740993, 0, "IMAGE"]], "extra": {} }`;
export const graphText = `{"4":{"class_type":"LoadImage","inputs":{"image":"harbour.png"}},
"9007199254740993":{"class_type":"SaveImage","inputs":{"images":["4",0],"quality":1.0}}}`;

type WorkflowWorld = { readonly has: (bug: BugId) => boolean; readonly keys: Readonly<Record<Caller, string>> };

export function serveWorkflow({ has, keys }: WorkflowWorld, request: IncomingMessage): Answer {
  const problem = (status: number, code: string, message: string, headers: Headers = {}): Answer =>
    json(status, { error: { code, message, details: null }, docs: 'https://docs.example/errors' }, headers);
  const notFound = problem(404, 'not_found', 'There is no such job.');
  const key = readBearer(request.headers.authorization);
  const [caller] = Object.entries(keys).find(([, one]) => one === key) ?? [];
  if (caller === undefined)
    return problem(401, 'unauthorized', 'A valid API key is needed.', { 'www-authenticate': 'Bearer' });
  if (caller === 'forbidden') return problem(403, 'forbidden', 'This account may not use the API.');
  if (caller === 'rateLimited')
    return problem(429, 'rate_limited', 'Too many requests of this account.', { 'retry-after': 1800 });
  const [, id, rest] = /^\/api\/v2\/jobs\/([^/?]+)(\/workflow)?(?:\?.*)?$/.exec(request.url ?? '') ?? [];
  if (id === undefined) return notFound;
  if (request.method !== 'GET') return problem(405, 'method_not_allowed', 'Only GET is served here.', { allow: 'GET' });
  const job: Job | undefined = Object.values(jobs).find((one) => one.id === decode(id));
  if (job === undefined) return notFound;
  if (job.owner !== caller)
    return has('workflow-foreign-403') && rest ? problem(403, 'forbidden', 'The job is of another account.') : notFound;
  if (job.isExpired) return notFound;
  if (job.isDamaged) return problem(500, 'upstream_error', 'Something went wrong. Please try again later.');
  if (rest === undefined) return json(200, { id: job.id, status: 'succeeded' });
  const [format, text] = job.pinned === 'readable' ? ['save', savedText] : ['api', graphText];
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-trace': 'wf' };
  // Concatenate texts, because parsing and printing a workflow would change it.
  return { status: 200, headers, body: `{ "workflow":${text},\n  "format":"${format}", "etag": null }` };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
