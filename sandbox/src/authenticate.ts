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

/** Who may call the workflow API: a hosted deployment has account keys, a self-hosted one nothing or one token (WX-AUT-03 to 05). */
export type WorkflowAuth =
  | { mode: 'accounts' | 'optional' | 'none' }
  /** Every caller with this token is the one account of the deployment. */
  | { mode: 'static'; token: string };

/** The account's standing comes before anything that depends on a job (WX-OPE-09). */
export function authenticateWorkflow(headers: Headers, auth: WorkflowAuth): Step<WorkflowAccount> {
  const account = workflowAccountOf(headers, auth);
  if (account === undefined) return stop(workflow.unauthorized);
  if (account.access === 'denied') return stop(workflow.forbidden);
  return account.quota === 'used-up' ? stop(workflow.rateLimited(usedUpWaitMs)) : go(account);
}

const usedUpWaitMs = 30_000;
const selfHosted: WorkflowAccount = { alias: 'anonymous', user: 'account-main', access: 'granted', quota: 'open' };

function workflowAccountOf(headers: Headers, auth: WorkflowAuth): WorkflowAccount | undefined {
  const credential = bearerOf(headers);
  switch (auth.mode) {
    case 'none':
      return selfHosted;
    case 'static':
      return credential === auth.token ? selfHosted : undefined;
    case 'optional': // none need be sent, but one that is must be valid (C-50)
      if (!headers.has('authorization')) return selfHosted;
      return credential === undefined ? undefined : workflowAccounts.get(credential);
    case 'accounts':
      return credential === undefined ? undefined : workflowAccounts.get(credential);
  }
}

export function bearerOf(headers: Headers): string | undefined {
  return /^bearer +([^\s]+)$/i.exec(headers.get('authorization') ?? '')?.[1];
}
