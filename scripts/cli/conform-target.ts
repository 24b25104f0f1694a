import { type Requisite, startMock, type Target } from '../../contract-tests/src/index.ts';
import { ownerSettings } from '../../contract-tests/src/requires.ts';
import {
  createSandbox,
  defaultBodyLimitBytes,
  hooksPath,
  listen,
  listFaults,
  listVariants,
  sandboxCredentials,
  sandboxGraphs,
  sandboxJobs,
  shiftedClock,
} from '../../sandbox/src/index.ts';
import type { EffectiveSpecs } from '../../specs/src/index.ts';
import { readRequiredSecret, refusePlainHttp, routerCredential, workflowToken } from './access.ts';
import { UsageError } from './errors.ts';
import { type CommandIo, secretsIn } from './io.ts';
import { liveTarget } from './live-target.ts';
import { createSettingReader, type LoadedConfig } from './load-settings.ts';
import type { ConformFlags } from './settings.ts';
import { omitUndefined } from './values.ts';

export type Addresses = { readonly routerUrl: string | undefined; readonly workflowUrl: string | undefined };
type OpenedTarget = { target: Target; description: string; close(): Promise<void> };
type TargetRequest = LoadedConfig & { readonly flags: ConformFlags; readonly specs: EffectiveSpecs };

/** Opens the target of the flags: starts a mock or a sandbox, or addresses a running server. */
export async function openTarget(wanted: TargetRequest, io: CommandIo): Promise<OpenedTarget> {
  const { flags, specs, config } = wanted;
  const addresses = resolveAddresses(wanted, io);
  const { routerUrl, workflowUrl } = addresses;
  const hasAddress = routerUrl !== undefined || workflowUrl !== undefined;
  const kind = flags.target ?? (hasAddress ? 'live' : 'sandbox');
  const [faults, variants] = [flags.fault ?? [], flags.variant ?? []];
  if (faults.length + variants.length > 0 && (kind !== 'sandbox' || hasAddress))
    throw new UsageError(
      '--fault and --variant need the sandbox that conform starts itself: add --target sandbox, and no address',
    );
  if (kind === 'mock' && hasAddress) throw new UsageError('--target mock starts its own server and takes no address');
  const misplaced = (['budget', 'plan'] as const).find((name) => flags[name] !== undefined);
  if (kind !== 'live' && misplaced !== undefined)
    throw new UsageError(`--${misplaced} is for a live target: name it with --router-url or --workflow-url`);
  if (kind === 'live' && !hasAddress) throw new UsageError('--target live needs --router-url or --workflow-url');
  const hooks = await readHooks(wanted, io);
  if (hooks !== undefined && kind !== 'live')
    throw new UsageError('--hooks is for a live target; the sandbox has its own, and the mock none');

  const complete = (target: Target): Target => ({
    ...target,
    secrets: secretsIn(io.env),
    ...omitUndefined({
      // The sandbox implements our readings; a variant may differ from them.
      readings: kind !== 'live' && variants.length === 0 ? ('required' as const) : undefined,
      redact: config.conform?.redact,
      hooks,
    }),
  });
  const close = async (): Promise<void> => {};
  if (kind === 'live') {
    const target = await liveTarget(wanted, io);
    for (const api of [target.router, target.workflow]) {
      const hasSecret = Object.keys(api?.credentials ?? {}).length > 0 || (target.headers ?? []).length > 0;
      if (api !== undefined && hasSecret) refusePlainHttp(api.url, flags.allowHttp);
    }
    return { target: complete(target), description: routerUrl ?? workflowUrl ?? '', close };
  }
  if (kind === 'mock') {
    const mock = await startMock(specs);
    const target: Target = {
      kind,
      router: { url: mock.routerUrl, credentials: { main: 'any-key' } },
      workflow: { url: mock.workflowUrl, credentials: { main: 'any-token' }, jobs: {} },
    };
    return { target: complete(target), description: 'the mock', close: () => mock.close() };
  }
  if (hasAddress) {
    // A running sandbox serves both APIs at one address unless two are given. The sandbox's own credentials are public and need no
    // protection.
    const both = { routerUrl, workflowUrl: workflowUrl ?? routerUrl };
    if (routerUrl !== undefined && routerCredential(io.env) !== undefined) refusePlainHttp(routerUrl, flags.allowHttp);
    if (both.workflowUrl !== undefined && workflowToken(io.env) !== undefined)
      refusePlainHttp(both.workflowUrl, flags.allowHttp);
    const target = sandboxTarget(both, { env: io.env });
    return { target: complete(target), description: `the sandbox at ${routerUrl ?? workflowUrl}`, close };
  }
  requireKnown('fault', faults, listFaults());
  requireKnown('variant', variants, listVariants());
  // Real time that the gate can move on: some rules need hours to pass.
  const sandbox = createSandbox({ specs, clock: shiftedClock(), faults, variants });
  const server = await listen(sandbox, { port: 0, host: '127.0.0.1' });
  // A variant may simulate effects of other callers.
  const target = sandboxTarget(
    { routerUrl: server.url, workflowUrl: server.url },
    { statements: variants.length === 0 },
  );
  return {
    target: complete(target),
    description: 'the sandbox',
    close: async () => {
      await server.close();
      sandbox.close();
    },
  };
}

async function readHooks(wanted: TargetRequest, io: CommandIo): Promise<Target['hooks']> {
  const { flags, config } = wanted;
  const get = createAddressReader(wanted, io);
  const [url, source] = [get('conform.hooks.url'), get('conform.hooks.credential')];
  if (url === undefined && source !== undefined) throw new UsageError('--hooks-credential needs --hooks');
  if (url === undefined) return undefined;
  if (source !== undefined || config.http?.headers !== undefined) refusePlainHttp(url, flags.allowHttp);
  if (source === undefined) return { url };
  const setting = flags.hooksCredential === undefined ? 'conform.hooks.credential' : '--hooks-credential';
  return { url, credential: await readRequiredSecret(source, setting, io) };
}

// Addresses in the environment and the file are those of live services; mock and sandbox take addresses only from flags.
function createAddressReader({ flags, get, folder }: TargetRequest, io: CommandIo): LoadedConfig['get'] {
  const isLive = flags.target === undefined || flags.target === 'live';
  return isLive ? get : createSettingReader(flags, { config: {}, folder }, { ...io, env: {} });
}

export function resolveAddresses(wanted: TargetRequest, io: CommandIo): Addresses {
  const get = createAddressReader(wanted, io);
  return { routerUrl: get('routerUrl'), workflowUrl: get('workflowUrl') };
}

/** Throws UsageError for an id that the sandbox doesn't have. */
export function requireKnown(what: string, ids: readonly string[], known: readonly { id: string }[]): void {
  for (const id of ids) {
    if (!known.some((entry) => entry.id === id))
      throw new UsageError(
        `unknown ${what} ${JSON.stringify(id)}; npx openapi-switchyard sandbox --list-${what}s lists them`,
      );
  }
}

type SandboxTargetOptions = {
  /** Value of every statement other than the ceiling; undefined if it isn't known. */
  readonly statements?: boolean;
  /** Credentials of the environment are those of the caller. */
  readonly env?: CommandIo['env'];
};

/** A sandbox as a target. */
export function sandboxTarget(
  { routerUrl, workflowUrl }: Addresses,
  { statements, env = {} }: SandboxTargetOptions = {},
): Target {
  const { router, workflow } = sandboxCredentials;
  const given = routerCredential(env);
  const stated = ownerSettings.statements.map(({ name }) => [name, statements]);
  // The sandbox rejects a caller without an account, like one whose credential was revoked.
  const madeUp = (rows: readonly Requisite[]) =>
    Object.fromEntries(rows.map(({ id, name }) => [name, `sk-sandbox-${id}`]));
  return {
    kind: 'sandbox',
    hooks: { url: `${routerUrl ?? workflowUrl}${hooksPath}` },
    stated: { ...Object.fromEntries(stated), ceiling: defaultBodyLimitBytes },
    ...(routerUrl !== undefined && {
      router: {
        url: routerUrl,
        credentials: {
          ...madeUp(ownerSettings.routerCredentials),
          ...router,
          main: given?.value ?? router.main,
        },
        // A token that isn't an API key is sent as a bearer token (MR-AUT-03).
        scheme: given?.kind ?? 'api-key',
      },
    }),
    ...(workflowUrl !== undefined && {
      workflow: {
        url: workflowUrl,
        credentials: {
          ...madeUp(ownerSettings.workflowCredentials),
          ...workflow,
          main: workflowToken(env) ?? workflow.main,
        },
        jobs: sandboxJobs,
        graphs: sandboxGraphs,
      },
    }),
  };
}
