import type { Target } from '../../contract-tests/src/index.ts';
import { ownerSettings } from '../../contract-tests/src/requires.ts';
import {
  defaultBodyLimitBytes,
  hooksPath,
  sandboxCredentials,
  sandboxGraphs,
  sandboxJobs,
} from '../../sandbox/src/index.ts';
import { routerCredential, workflowToken } from './access.ts';
import type { CommandIo } from './io.ts';

export type Addresses = { readonly routerUrl: string | undefined; readonly workflowUrl: string | undefined };
type Stating = {
  /** What holds of it beside the ceiling, as far as that is known. */
  readonly statements?: boolean;
  /** Credentials of the environment are those of the caller. */
  readonly env?: CommandIo['env'];
};

/** A sandbox as a target. */
export function sandboxTarget({ routerUrl, workflowUrl }: Addresses, { statements, env = {} }: Stating = {}): Target {
  const { router, workflow } = sandboxCredentials;
  const given = routerCredential(env);
  const stated = ownerSettings.statements.map(({ name }) => [name, statements]);
  return {
    kind: 'sandbox',
    hooks: { url: `${routerUrl ?? workflowUrl}${hooksPath}` },
    stated: { ...Object.fromEntries(stated), ceiling: defaultBodyLimitBytes },
    ...(routerUrl !== undefined && {
      router: {
        url: routerUrl,
        credentials: { ...router, main: given?.value ?? router.main },
        // A token that is no API key is sent as a bearer token (MR-AUT-03).
        scheme: given?.kind ?? 'api-key',
      },
    }),
    ...(workflowUrl !== undefined && {
      workflow: {
        url: workflowUrl,
        credentials: { ...workflow, main: workflowToken(env) ?? workflow.main },
        jobs: sandboxJobs,
        graphs: sandboxGraphs,
      },
    }),
  };
}
