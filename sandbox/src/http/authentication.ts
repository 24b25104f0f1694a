import { outcomeModelIds } from '../own-catalog.ts';
import type { ServerRequest } from './messages.ts';

/** The account of a router credential. The alias describes how it differs from the account `main`. */
export type RouterAccount = {
  alias: string;
  /** The workspace, or else the user. Accounts with the same scope share requests and keys (MR-IDM-40, MR-IDM-41). */
  scope: string;
  hasWorkspace: boolean;
  access: 'granted' | 'denied' | 'not-enabled';
  hasCredits: boolean;
  quota: 'open' | 'used-up';
  /** Id of the model that the account may not use. */
  barredFrom: string | undefined;
  /** `at-cap`: other calls have committed so much spend that the cap leaves no room for another call. */
  spend: 'open' | 'at-cap';
};
export type WorkflowAccount = { alias: string; user: string; access: 'granted' | 'denied'; quota: 'open' | 'used-up' };

/** The credentials of every sandbox. They never change, so that tests and shell commands can contain them. */
export const sandboxCredentials = {
  router: {
    main: 'sk-sandbox-main',
    colleague: 'sk-sandbox-colleague',
    neighbour: 'sk-sandbox-neighbour',
    solo: 'sk-sandbox-solo',
    noCredits: 'sk-sandbox-no-credits',
    noAccess: 'sk-sandbox-no-access',
    barred: 'sk-sandbox-barred',
    notEnabled: 'sk-sandbox-not-enabled',
    rateLimited: 'sk-sandbox-rate-limited',
    spendCapped: 'sk-sandbox-spend-capped',
    /** Has no account, because a revoked credential is rejected like an unknown one. */
    revoked: 'sk-sandbox-revoked',
    expiredToken: 'sk-sandbox-expired-token',
  },
  workflow: {
    main: 'sk-sandbox-workflow-main',
    other: 'sk-sandbox-workflow-other',
    forbidden: 'sk-sandbox-workflow-forbidden',
    rateLimited: 'sk-sandbox-workflow-rate-limited',
    /** Token of a self-hosted deployment with a single token; a hosted deployment rejects it. */
    static: 'sk-sandbox-workflow-static',
  },
} as const;
export type SandboxCredentials = typeof sandboxCredentials;

const baseAccount = {
  scope: 'workspace:workspace-one',
  hasWorkspace: true,
  access: 'granted',
  hasCredits: true,
  quota: 'open',
  barredFrom: undefined,
  spend: 'open',
} as const;
const { router, workflow } = sandboxCredentials;

const routerAccounts: ReadonlyMap<string, RouterAccount> = new Map<string, RouterAccount>([
  [router.main, { ...baseAccount, alias: 'main' }],
  [router.colleague, { ...baseAccount, alias: 'colleague' }],
  [router.neighbour, { ...baseAccount, alias: 'neighbour', scope: 'workspace:workspace-two' }],
  [router.solo, { ...baseAccount, alias: 'solo', scope: 'user:user-solo', hasWorkspace: false }],
  [router.noCredits, createAccount('noCredits', 'no-credits', { hasCredits: false })],
  [router.noAccess, createAccount('noAccess', 'no-access', { access: 'denied' })],
  [router.barred, createAccount('barred', 'barred', { barredFrom: outcomeModelIds.alternate })],
  [router.notEnabled, createAccount('notEnabled', 'not-enabled', { access: 'not-enabled' })],
  [router.rateLimited, createAccount('rateLimited', 'rate-limited', { quota: 'used-up' })],
  [router.spendCapped, createAccount('spendCapped', 'spend-capped', { spend: 'at-cap' })],
]);

function createAccount(alias: string, name: string, difference: Partial<RouterAccount>): RouterAccount {
  return { ...baseAccount, scope: `workspace:workspace-of-user-${name}`, alias, ...difference };
}

export const workflowAccounts: ReadonlyMap<string, WorkflowAccount> = new Map<string, WorkflowAccount>([
  [workflow.main, { alias: 'main', user: 'account-main', access: 'granted', quota: 'open' }],
  [workflow.other, { alias: 'other', user: 'account-other', access: 'granted', quota: 'open' }],
  [workflow.forbidden, { alias: 'forbidden', user: 'account-forbidden', access: 'denied', quota: 'open' }],
  [workflow.rateLimited, { alias: 'rateLimited', user: 'account-rate-limited', access: 'granted', quota: 'used-up' }],
]);

type Headers = ServerRequest['headers'];

/** Finds the account of the credential in `X-API-Key` or `Authorization`. If both are sent, only `X-API-Key` counts (MR-AUT-05). */
export function findRouterAccount(headers: Headers): RouterAccount | undefined {
  return routerAccounts.get(headers['x-api-key'] ?? readBearer(headers) ?? '');
}

/** Authentication mode of the workflow API: see the option `workflowAuth` (WX-AUT-03 to WX-AUT-05). */
export type WorkflowAuth = 'accounts' | 'optional' | 'none' | 'static';

const anonymousAccount: WorkflowAccount = {
  alias: 'anonymous',
  user: 'account-main',
  access: 'granted',
  quota: 'open',
};

export function findWorkflowAccount(headers: Headers, auth: WorkflowAuth): WorkflowAccount | undefined {
  const credential = readBearer(headers);
  switch (auth) {
    case 'none':
      return anonymousAccount;
    case 'static':
      return credential === workflow.static ? anonymousAccount : undefined;
    case 'optional': // If a credential is sent, it must be valid (OP-250).
      return headers['authorization'] === undefined ? anonymousAccount : workflowAccounts.get(credential ?? '');
    case 'accounts':
      return workflowAccounts.get(credential ?? '');
  }
}

/** Returns the alias of the caller's account, for the log, which must not contain credentials. */
export function findCallerAlias(headers: Headers): string {
  const credential = headers['x-api-key'] ?? readBearer(headers);
  if (credential === undefined) return 'none';
  return (routerAccounts.get(credential) ?? workflowAccounts.get(credential))?.alias ?? 'unknown';
}

function readBearer(headers: Headers): string | undefined {
  return /^bearer +([^\s]+)$/i.exec(headers['authorization'] ?? '')?.[1];
}
