import type { WorkflowAccount } from '../http/authentication.ts';
import { jsonReply, type Reply, retryAfterHeader } from '../http/messages.ts';
import type { Call } from '../http/router.ts';
import type { Job } from '../state/jobs.ts';
import { countCall, usedUpWaitMs } from '../state/settings.ts';
import type { World } from '../state/world.ts';

type WorkflowCall = Call<WorkflowAccount>;

export function readJobWorkflow(call: WorkflowCall, world: World): Reply {
  const job = findJob(call, world);
  if (job === undefined) return notFound;
  const saved = job.pinned?.availability === 'readable' ? job.pinned.workflow : undefined;
  const [workflow, format] = saved === undefined ? [job.executed, 'api'] : [saved, 'save'];
  const headers = { 'Content-Type': 'application/json' };
  // Concatenates texts, so that the workflow stays unchanged (WX-JWF-07).
  return { status: 200, headers, body: `{"workflow":${workflow},"format":"${format}"}` };
}

/** Looks up a job. The route is undocumented, so only its status is defined: the same as that of the workflow route (OP-054). */
export function lookUpJob(call: WorkflowCall, world: World): Reply {
  return findJob(call, world) === undefined ? notFound : jsonReply(200, {});
}

/** Returns undefined if the job is unknown, expired, or belongs to a different account (WX-RTN-01). */
function findJob({ params, account }: WorkflowCall, { jobs, config }: World): Job | undefined {
  const job = jobs.get(params['id'] ?? '');
  return job?.owner === account.user && config.clock.now() < job.expiresAt ? job : undefined;
}

/** Returns an error for an account without access or quota, before a job is looked up (WX-LIM-02, WX-OPE-07 to WX-OPE-09). */
export function checkAccount({ user, access, quota }: WorkflowAccount, world: World): Reply | undefined {
  if (access === 'denied') return forbidden;
  if (quota === 'used-up') return rateLimited(usedUpWaitMs);
  const { workflowCallsPerWindow: calls, windowMs } = world.settings.limits;
  const waitMs = countCall(world.windows, user, { calls, windowMs }, world.config.clock.now());
  return waitMs > 0 ? rateLimited(waitMs) : undefined;
}

function workflowError(status: number, code: string, message: string, headers?: Record<string, string>): Reply {
  return jsonReply(status, { error: { code, message } }, headers);
}

export const unauthorized = workflowError(401, 'unauthorized', 'A valid bearer credential is needed.');
const forbidden = workflowError(403, 'forbidden', 'This account may not use the API.');
/** The reply for unknown jobs, expired jobs and jobs of other accounts, which must not be distinguishable (WX-RTN-01). */
export const notFound = workflowError(404, 'not_found', 'There is no such job.');
export const upstreamError = workflowError(500, 'upstream_error', 'Something went wrong. Please try again later.');

export function methodNotAllowed(allowed: readonly string[]): Reply {
  const message = 'This path does not support that method.';
  return workflowError(405, 'method_not_allowed', message, { Allow: allowed.join(', ') });
}

function rateLimited(waitMs: number): Reply {
  return workflowError(429, 'rate_limited', 'The request rate of this account is exceeded.', retryAfterHeader(waitMs));
}
