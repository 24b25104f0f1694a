import { type Answer, jsonAnswer } from '../answer.ts';
import type { Context, WorkflowCall } from '../context.ts';
import { findJob, type Job, workflowOf } from '../state/jobs.ts';
import { notFound } from './refusals.ts';

export function readJobWorkflow(call: WorkflowCall, context: Context): Answer {
  const job = addressedJob(call, context);
  if (job === undefined) return notFound;
  const { workflow, format } = workflowOf(job);
  const headers = { 'Content-Type': 'application/json' };
  // Put together from texts, so that the workflow stays verbatim (WX-JWF-07).
  return { status: 200, headers, serviceHeaders: {}, body: `{"workflow":${workflow},"format":"${format}"}` };
}

/** The job lookup's shape is not documented: only its status is there, to agree with the workflow's (NS-54). */
export function lookUpJob(call: WorkflowCall, context: Context): Answer {
  return addressedJob(call, context) === undefined ? notFound : jsonAnswer(200, {});
}

function addressedJob(call: WorkflowCall, { world, config }: Context): Job | undefined {
  return findJob(world.jobs, { id: call.params['id'] ?? '', owner: call.account.user }, config.clock.now());
}
