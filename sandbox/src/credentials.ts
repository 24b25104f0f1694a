/** What the operator set up for one router credential; no two differ in more than what their alias says. */
export type RouterAccount = {
  alias: string;
  user: string;
  /** A credential need not carry a workspace (MR-IDM-41). */
  workspace: string | undefined;
  access: 'granted' | 'denied' | 'not-enabled';
  hasCredits: boolean;
  quota: 'open' | 'used-up';
  /** `at-cap`: calls elsewhere have committed so much that no other one fits under the cap. */
  spend: 'open' | 'at-cap';
};
export type WorkflowAccount = { alias: string; user: string; access: 'granted' | 'denied'; quota: 'open' | 'used-up' };

/** Fixed for every sandbox, so that tests and shell lines can name them. */
export const sandboxCredentials = {
  router: {
    main: 'sk-sandbox-main',
    colleague: 'sk-sandbox-colleague',
    neighbour: 'sk-sandbox-neighbour',
    solo: 'sk-sandbox-solo',
    noCredits: 'sk-sandbox-no-credits',
    noAccess: 'sk-sandbox-no-access',
    notEnabled: 'sk-sandbox-not-enabled',
    rateLimited: 'sk-sandbox-rate-limited',
    spendCapped: 'sk-sandbox-spend-capped',
  },
  workflow: {
    main: 'sk-sandbox-workflow-main',
    other: 'sk-sandbox-workflow-other',
    forbidden: 'sk-sandbox-workflow-forbidden',
    rateLimited: 'sk-sandbox-workflow-rate-limited',
    /** Of a self-hosted deployment with one token; no account of a hosted one. */
    static: 'sk-sandbox-workflow-static',
  },
} as const;
export type SandboxCredentials = typeof sandboxCredentials;

const regular = {
  workspace: 'workspace-one',
  access: 'granted',
  hasCredits: true,
  quota: 'open',
  spend: 'open',
} as const;
const router = sandboxCredentials.router;

export const routerAccounts: ReadonlyMap<string, RouterAccount> = new Map<string, RouterAccount>([
  [router.main, { ...regular, alias: 'main', user: 'user-main' }],
  [router.colleague, { ...regular, alias: 'colleague', user: 'user-colleague' }],
  [router.neighbour, { ...regular, alias: 'neighbour', user: 'user-neighbour', workspace: 'workspace-two' }],
  [router.solo, { ...regular, alias: 'solo', user: 'user-solo', workspace: undefined }],
  [router.noCredits, account('noCredits', 'user-no-credits', { hasCredits: false })],
  [router.noAccess, account('noAccess', 'user-no-access', { access: 'denied' })],
  [router.notEnabled, account('notEnabled', 'user-not-enabled', { access: 'not-enabled' })],
  [router.rateLimited, account('rateLimited', 'user-rate-limited', { quota: 'used-up' })],
  [router.spendCapped, account('spendCapped', 'user-spend-capped', { spend: 'at-cap' })],
]);

const workflow = sandboxCredentials.workflow;

export const workflowAccounts: ReadonlyMap<string, WorkflowAccount> = new Map<string, WorkflowAccount>([
  [workflow.main, { alias: 'main', user: 'account-main', access: 'granted', quota: 'open' }],
  [workflow.other, { alias: 'other', user: 'account-other', access: 'granted', quota: 'open' }],
  [workflow.forbidden, { alias: 'forbidden', user: 'account-forbidden', access: 'denied', quota: 'open' }],
  [workflow.rateLimited, { alias: 'rateLimited', user: 'account-rate-limited', access: 'granted', quota: 'used-up' }],
]);

function account(alias: string, user: string, difference: Partial<RouterAccount>): RouterAccount {
  return { ...regular, workspace: `workspace-of-${user}`, alias, user, ...difference };
}
