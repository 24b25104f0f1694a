import type { ProbeContext } from '../../context.ts';
import type { ProbeRequest, Step } from '../../probe.ts';
import { get, step } from '../../steps.ts';
import type { JobName } from '../../target.ts';

type RequestParts = Omit<ProbeRequest, 'api' | 'method' | 'to'>;

/** No target knows it. */
export const unknownJob = '00000000-0000-4000-8000-00000000dead';

export function workflowOf(name: string, jobId: string, parts: RequestParts = {}, query = ''): Step {
  return step(name, get('workflow', `/api/v2/jobs/${encodeURIComponent(jobId)}/workflow${query}`, parts));
}

export function readJob(name: JobName, context: ProbeContext, parts: RequestParts = {}): Step {
  return workflowOf(name, context.job(name), parts);
}
