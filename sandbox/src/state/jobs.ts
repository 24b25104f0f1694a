import type { JsonObject } from '../../../specs/src/index.ts';
import { executedGraph, savedWorkflow } from './workflow-graphs.ts';

/** A job of an account. The fixed ones exist from the start (OP-053). Workflows are JSON texts, served verbatim. */
export type Job = {
  owner: string;
  /** Time in milliseconds after which every lookup is a 404 (WX-RTN-07). */
  expiresAt: number;
  /** The saved workflow version that the job is pinned to; only the editor pins jobs (WX-JWF-25, WX-JWF-26). */
  pinned: { workflow: string; reach: Reach } | undefined;
  executed: string;
  /** Part of the submission and never of a response, because it can contain a live credential (WX-JWF-19). */
  extraData: JsonObject;
};
/**
 * What the owner can still read. Without the version or the workflow, the job falls back to the graph (WX-JWF-30,
 * WX-JWF-31).
 */
export type Reach = 'readable' | 'version-gone' | 'workflow-gone';

/** Ids of fixed jobs: one of the main account for each shape, one of another account, and an expired one. */
export const sandboxJobs = {
  save: '0b8a2f6e-5f0e-4c1b-9a53-1d6f6b1f0a01',
  api: '0b8a2f6e-5f0e-4c1b-9a53-1d6f6b1f0a02',
  foreign: '0b8a2f6e-5f0e-4c1b-9a53-1d6f6b1f0a03',
  expired: '0b8a2f6e-5f0e-4c1b-9a53-1d6f6b1f0a04',
  /** Pinned to a version that its owner has deleted. */
  unreadable: '0b8a2f6e-5f0e-4c1b-9a53-1d6f6b1f0a05',
  /** Pinned to a workflow that its owner has deleted. */
  deleted: '0b8a2f6e-5f0e-4c1b-9a53-1d6f6b1f0a06',
} as const;
export type SandboxJobs = typeof sandboxJobs;

/** Graph of each job that its owner can read, as the exact text in responses. */
export const sandboxGraphs = {
  save: savedWorkflow,
  api: executedGraph,
  unreadable: executedGraph,
  deleted: executedGraph,
} as const;

/** Part of each job's `extra_data`; a response that contains it is a leak (OP-066). */
export const extraDataCanary = 'sk-sandbox-canary-of-extra-data';

const dayMs = 24 * 60 * 60 * 1000;
export const jobRetentionMs = 7 * dayMs; // Undocumented (OP-058).

export function createJobs(now: number): ReadonlyMap<string, Job> {
  const job: Job = {
    owner: 'account-main',
    expiresAt: now + jobRetentionMs,
    pinned: undefined,
    executed: executedGraph,
    extraData: { credential: extraDataCanary },
  };
  const pinned = { workflow: savedWorkflow, reach: 'readable' } as const;
  return new Map<string, Job>([
    [sandboxJobs.save, { ...job, pinned }],
    [sandboxJobs.api, job],
    [sandboxJobs.foreign, { ...job, owner: 'account-other' }],
    [sandboxJobs.expired, { ...job, pinned, expiresAt: now - dayMs }],
    [sandboxJobs.unreadable, { ...job, pinned: { ...pinned, reach: 'version-gone' } }],
    [sandboxJobs.deleted, { ...job, pinned: { ...pinned, reach: 'workflow-gone' } }],
  ]);
}

/** Returns undefined for an unknown job, one of another account, or an expired one (WX-RTN-01). */
export function findJob(
  jobs: ReadonlyMap<string, Job>,
  wanted: { id: string; owner: string },
  now: number,
): Job | undefined {
  const job = jobs.get(wanted.id);
  return job !== undefined && job.owner === wanted.owner && now < job.expiresAt ? job : undefined;
}

export function chooseWorkflow(job: Job): { workflow: string; format: 'save' | 'api' } {
  if (job.pinned?.reach === 'readable') return { workflow: job.pinned.workflow, format: 'save' };
  return { workflow: job.executed, format: 'api' };
}
