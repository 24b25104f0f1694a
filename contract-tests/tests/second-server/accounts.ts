import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

// Who may call: an account is a user, usually in a workspace, found by an API key or a signed token.

export type Account = {
  readonly name: string;
  readonly user: string;
  readonly workspace: string | undefined;
  readonly apiKey: string;
  readonly token: string;
  readonly access: 'full' | 'none' | 'not-enabled' | 'outage' | 'broken';
  readonly credits: boolean;
  readonly callsPerHour: number;
  readonly usedByOthers: boolean;
  readonly spendCapCents: number;
  readonly committedCents: number;
  readonly innerCircle: boolean;
  readonly barredFrom: string | undefined;
};

export type WorkflowAccount = {
  readonly name: string;
  readonly apiKey: string;
  readonly access: 'full' | 'none';
  readonly callsPerHour: number;
  readonly usedByOthers: boolean;
};

const tokenSecret = randomBytes(32);
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const sign = (text: string) => createHmac('sha256', tokenSecret).update(text).digest('base64url');

export function mintToken(user: string, workspace: string | undefined, days = 400): string {
  const claims = { sub: user, ...(workspace && { workspace }), exp: Math.floor(Date.now() / 1000) + days * 86_400 };
  const text = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}`;
  return `${text}.${sign(text)}`;
}

function account(name: string, workspace: string | undefined, special: Partial<Account> = {}): Account {
  const user = `user-${name}`;
  return {
    name,
    user,
    workspace,
    apiKey: `rk_${name}_${randomBytes(9).toString('hex')}`,
    token: mintToken(user, workspace),
    access: 'full',
    credits: true,
    callsPerHour: 1_000_000,
    usedByOthers: false,
    spendCapCents: 20_000,
    committedCents: 0,
    innerCircle: false,
    barredFrom: undefined,
    ...special,
  };
}

export const makeRouterAccounts = (mainKey?: string) => ({
  main: account('main', 'ws-north', { innerCircle: true, ...(mainKey && { apiKey: mainKey }) }),
  colleague: account('colleague', 'ws-north', { innerCircle: true }),
  neighbour: account('neighbour', 'ws-south'),
  freelance: account('freelance', undefined),
  withoutAccess: account('without-access', 'ws-closed', { access: 'none' }),
  barred: account('barred', 'ws-without-flaky', { barredFrom: 'image-provider/flaky-still' }),
  notEnabled: account('not-enabled', 'ws-waiting-list', { access: 'not-enabled' }),
  withoutCredits: account('without-credits', 'ws-empty', { credits: false }),
  rateLimited: account('rate-limited', 'ws-busy', { callsPerHour: 1, usedByOthers: true }),
  spendCapped: account('spend-capped', 'ws-capped', { spendCapCents: 500, committedCents: 620 }),
  outage: account('outage', 'ws-maintenance', { access: 'outage' }),
  broken: account('broken', 'ws-damaged', { access: 'broken' }),
});

const workflowAccount = (name: string, special: Partial<WorkflowAccount> = {}): WorkflowAccount => ({
  name,
  apiKey: `wk-${name}-${randomBytes(9).toString('hex')}`,
  access: 'full',
  callsPerHour: 1_000_000,
  usedByOthers: false,
  ...special,
});

export const makeWorkflowAccounts = () => ({
  main: workflowAccount('main'),
  other: workflowAccount('other'),
  forbidden: workflowAccount('forbidden', { access: 'none' }),
  rateLimited: workflowAccount('rate-limited', { callsPerHour: 1, usedByOthers: true }),
});

export type WorkflowAccounts = ReturnType<typeof makeWorkflowAccounts>;

export function readBearer(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

/** The account of a router call, or undefined when no credential is usable. */
export function findAccount(
  accounts: readonly Account[],
  headers: { apiKey: string | undefined; authorization: string | undefined },
  bearerFirst: boolean,
): Account | undefined {
  const byKey = (key: string) => accounts.find((one) => one.apiKey === key);
  const bearer = readBearer(headers.authorization);
  const key = headers.apiKey?.trim();
  if (key && !(bearerFirst && bearer)) return byKey(key);
  if (bearer === undefined) return undefined;
  return byKey(bearer) ?? accounts.find((one) => one.user === readSubject(bearer));
}

function readSubject(token: string): unknown {
  const [head = '', claims = '', signature = ''] = token.split('.');
  const expected = Buffer.from(sign(`${head}.${claims}`));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const parsed = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub?: unknown; exp?: number };
  return (parsed.exp ?? 0) * 1000 > Date.now() ? parsed.sub : undefined;
}

/** Keys, limits and requests belong to the workspace, or to the user without one. */
export const nameScope = (caller: Account): string => caller.workspace ?? `personal:${caller.user}`;
