import type { WorkflowAccounts } from './accounts.ts';

// Jobs that ran before the server started. Workflows are kept as text, so that they go out exactly as they came in.

export type SavedVersion = { readonly text: string; readonly readable: boolean };

export type Job = {
  readonly id: string;
  readonly owner: string;
  readonly expiresAt: number;
  readonly state: string;
  readonly deleted: boolean;
  readonly damaged: boolean;
  /** The version that the editor pinned the job to. */
  readonly pinned: SavedVersion | undefined;
  /** What was submitted: the executed graph, and data that nobody may see. */
  readonly graph: string;
  readonly extraData: string;
};

const saved = `{ "version": 0.4, "revision": 7,
  "canvas": { "zoom": 1.250, "offset": [ -312, 88.5 ] },
  "nodes": [
    { "id": 1, "type": "Note", "pos": [0, 0], "text": "Try a colder light \\u2013 \u00fcbung" },
    { "id": 2, "type": "SetNode", "pos": [40, 10], "name": "picture" },
    { "id": 3, "type": "GetNode", "pos": [90, 10], "name": "picture" },
    { "id": 9007199254740993, "type": "SaveImage", "pos": [140, 10], "hidden": null }
  ],
  "links": [[1, 2, 0, 9007199254740993, 0, "IMAGE"]], "extra": {} }`;

const graph = `{"4":{"class_type":"LoadImage","inputs":{"image":"harbour.png"}},
"9007199254740993":{"class_type":"SaveImage","inputs":{"images":["4",0],"quality":1.0}}}`;

const day = 86_400_000;

export function makeJobs(accounts: WorkflowAccounts, now: number) {
  const job = (id: string, special: Partial<Job> = {}): Job => ({
    id,
    owner: accounts.main.name,
    expiresAt: now + 30 * day,
    state: 'succeeded',
    deleted: false,
    damaged: false,
    pinned: undefined,
    graph,
    extraData: `{"auth_token":"live-credential-${id.length}-do-not-show"}`,
    ...special,
  });
  const version = (readable: boolean): SavedVersion => ({ text: saved, readable });
  return {
    saved: job('job_editor.1', { pinned: version(true) }),
    submitted: job('job_api.1'),
    running: job('job_api.2', { state: 'running' }),
    failed: job('job_api.3', { state: 'failed' }),
    empty: job('job_api.4', { graph: '{}' }),
    awkwardId: job('night build/7 \u00e9'),
    unreadableVersion: job('job_editor.2', { pinned: version(false) }),
    deletedWorkflow: job('job_editor.3', { pinned: version(false) }),
    foreign: job('job_other.1', { owner: accounts.other.name }),
    foreignSaved: job('job_other.2', { owner: accounts.other.name, pinned: version(true) }),
    ofLimitedAccount: job('job_limited.1', { owner: accounts.rateLimited.name }),
    expired: job('job_old.1', { expiresAt: now - 1000 }),
    expiredSaved: job('job_old.2', { expiresAt: now - day, pinned: version(true) }),
    deleted: job('job_deleted.1', { deleted: true }),
    damaged: job('job_damaged.1', { damaged: true }),
  };
}
