import { inProcessPorts, type Requisite, type StartSystem, type Target } from '../../contract-tests/src/index.ts';
import { ownerSettings } from '../../contract-tests/src/requires.ts';
import {
  createSandbox,
  defaultBodyLimitBytes,
  hooksPath,
  sandboxCredentials,
  sandboxGraphs,
  sandboxJobs,
} from '../../sandbox/src/index.ts';
import { type EffectiveSpecs, readOwnCatalog } from '../../specs/src/index.ts';
import { readRouterCredential, readWorkflowToken } from './access.ts';
import type { CommandIo } from './io.ts';

/**
 * Describes a sandbox as a target, with everything that an owner can configure. `statements`: value of every statement
 * except the ceiling, which is a number; undefined if unknown. `env`: environment with the caller's credentials.
 */
export function describeSandboxTarget(
  { routerUrl, workflowUrl }: { readonly routerUrl: string | undefined; readonly workflowUrl: string | undefined },
  { statements, env = {} }: { readonly statements?: boolean; readonly env?: CommandIo['env'] } = {},
): Target {
  const { router, workflow } = sandboxCredentials;
  const credential = readRouterCredential(env);
  const statementValues = ownerSettings.statements.map(({ name }) => [name, statements]);
  // The sandbox rejects unknown credentials, just as a service rejects a revoked credential.
  const inventCredentials = (rows: readonly Requisite[]) =>
    Object.fromEntries(rows.map(({ id, name }) => [name, `sk-sandbox-${id}`]));
  return {
    kind: 'sandbox',
    hooks: { url: `${routerUrl ?? workflowUrl}${hooksPath}` },
    stated: { ...Object.fromEntries(statementValues), ceiling: defaultBodyLimitBytes },
    ...(routerUrl !== undefined && {
      router: {
        url: routerUrl,
        credentials: {
          ...inventCredentials(ownerSettings.routerCredentials),
          ...router,
          main: credential?.value ?? router.main,
        },
        // A token that isn't an API key is sent as a bearer token (MR-AUT-03).
        scheme: credential?.kind ?? 'api-key',
      },
    }),
    ...(workflowUrl !== undefined && {
      workflow: {
        url: workflowUrl,
        credentials: {
          ...inventCredentials(ownerSettings.workflowCredentials),
          ...workflow,
          main: readWorkflowToken(env) ?? workflow.main,
        },
        jobs: sandboxJobs,
        graphs: sandboxGraphs,
      },
    }),
  };
}

/** Starts sandboxes in this process, each with a manual clock. Threads of the self-check load this module. */
export function systemsUnderTest(specs: EffectiveSpecs): StartSystem {
  // All sandboxes share one catalog, so that its documents are parsed and compiled once.
  const catalog = readOwnCatalog().map(({ id, charges_on_policy_rejection: billing, document }) => ({
    id,
    billing,
    bytes: new TextEncoder().encode(JSON.stringify(document)),
  }));
  return (deviation) => {
    const sandbox = createSandbox({ specs, clock: 'manual', catalog, ...deviation });
    const url = 'http://sandbox.test';
    // A variant may simulate other callers, so statements such as `exclusive` would not hold.
    const stated = { statements: deviation.variants.length === 0 };
    // The sandbox follows our readings of ambiguous API text, so any difference from them is a defect.
    const target = {
      ...describeSandboxTarget({ routerUrl: url, workflowUrl: url }, stated),
      readings: 'required',
    } as const;
    return {
      ports: inProcessPorts(sandbox.handle, sandbox.clock, target),
      target,
      close: () => sandbox.close(),
    };
  };
}
