import { UsageError } from './command-error.ts';
import type { CommandIo } from './io.ts';

export type RouterCredential = { readonly kind: 'api-key' | 'bearer'; readonly value: string };

/** The router's credential of the environment; an API key wins over a token, as it does at the router (MR-AUT-05). */
export function routerCredential(env: CommandIo['env']): RouterCredential | undefined {
  const key = printable('SWITCHYARD_API_KEY', env);
  if (key !== undefined) return { kind: 'api-key', value: key };
  const token = printable('SWITCHYARD_TOKEN', env);
  return token === undefined ? undefined : { kind: 'bearer', value: token };
}

export function workflowToken(env: CommandIo['env']): string | undefined {
  return printable('SWITCHYARD_WORKFLOW_TOKEN', env);
}

// A header cannot hold anything else, and the message must not show the secret.
function printable(name: string, env: CommandIo['env']): string | undefined {
  const value = env[name];
  if (value === undefined || value === '') return undefined;
  if (!/^[\x21-\x7e]+$/.test(value)) throw new UsageError(`${name} holds characters that a header cannot carry`);
  return value;
}
