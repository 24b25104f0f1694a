import { type Answer, go, type Step, stop } from './answer.ts';
import { type RouterAccount, routerAccounts, type WorkflowAccount, workflowAccounts } from './credentials.ts';
import { forbidden, routerNotEnabled, unauthorized } from './model-router/refusals.ts';
import * as workflow from './workflow-execution/refusals.ts';

/** Either header suffices; with both, `X-API-Key` alone counts (MR-AUT-05). */
export function authenticateRouter(headers: Headers): Step<RouterAccount> {
  const credential = headers.get('x-api-key') ?? bearerOf(headers);
  const account = credential === undefined ? undefined : routerAccounts.get(credential);
  if (account === undefined) return stop(unauthorized);
  const refusal = refusalFor(account);
  return refusal === undefined ? go(account) : stop(refusal);
}

function refusalFor(account: RouterAccount): Answer | undefined {
  switch (account.access) {
    case 'granted':
      return undefined;
    case 'denied':
      return forbidden;
    case 'not-enabled':
      return routerNotEnabled;
  }
}

/**
 * Where a bearer is optional (a self-hosted deployment) a call without one is the main account's, but one that is sent must be
 * valid (WX-AUT-04, C-50). The rate limit comes before anything that depends on the job (WX-OPE-09).
 */
export function authenticateWorkflow(headers: Headers, mode: 'required' | 'optional'): Step<WorkflowAccount> {
  const account = workflowAccountOf(headers, mode);
  if (account === undefined) return stop(workflow.unauthorized);
  if (account.access === 'denied') return stop(workflow.forbidden);
  return account.quota === 'used-up' ? stop(workflow.rateLimited) : go(account);
}

const selfHosted: WorkflowAccount = { alias: 'anonymous', user: 'account-main', access: 'granted', quota: 'open' };

function workflowAccountOf(headers: Headers, mode: 'required' | 'optional'): WorkflowAccount | undefined {
  if (mode === 'optional' && !headers.has('authorization')) return selfHosted;
  const credential = bearerOf(headers);
  return credential === undefined ? undefined : workflowAccounts.get(credential);
}

export function bearerOf(headers: Headers): string | undefined {
  return /^bearer +([^\s]+)$/i.exec(headers.get('authorization') ?? '')?.[1];
}
