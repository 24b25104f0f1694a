import type { RouterAccount, WorkflowAccount } from './credentials.ts';
import type { Bytes } from './digest.ts';
import type { Notice } from './log-line.ts';
import type { SandboxConfig } from './options.ts';
import type { World } from './state/world.ts';

/** What every handler works on. */
export type Context = {
  config: SandboxConfig;
  world: World;
  cursorSecret: string;
  /** Aborted when the sandbox closes, so that no held run outlives it. */
  closing: AbortSignal;
  notice: Notice;
};

/** One call as a handler sees it; path parameters are decoded. */
export type Call<Account> = {
  method: string;
  url: URL;
  headers: Headers;
  params: Readonly<Record<string, string>>;
  account: Account;
  /** Aborted when the caller hangs up. */
  signal: AbortSignal;
  /** The body, or undefined when it is longer than the ceiling. */
  readBody(): Promise<Bytes | undefined>;
};
export type RouterCall = Call<RouterAccount>;
export type WorkflowCall = Call<WorkflowAccount>;

/** Whose requests and keys these are: the workspace, or the user of a credential without one (MR-IDM-40, MR-IDM-41). */
export function scopeOf(account: RouterAccount): string {
  return account.workspace === undefined ? `user:${account.user}` : `workspace:${account.workspace}`;
}
