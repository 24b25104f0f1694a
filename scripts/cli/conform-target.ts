import { startMock, type Target } from '../../contract-tests/src/index.ts';
import { createSandbox, listen, listFaults, listVariants, shiftedClock } from '../../sandbox/src/index.ts';
import type { EffectiveSpecs } from '../../specs/src/index.ts';
import { readRequiredSecret, readRouterCredential, readWorkflowToken, refusePlainHttp } from './access.ts';
import type { ConformFlags } from './command-flags.ts';
import { UsageError } from './errors.ts';
import { type CommandIo, listSecrets } from './io.ts';
import { describeLiveTarget } from './live-target.ts';
import { createSettingReader, type LoadedConfig } from './load-settings.ts';
import { type Addresses, sandboxTarget } from './system-under-test.ts';
import { omitUndefined } from './values.ts';

type OpenedTarget = { target: Target; description: string; close?(): Promise<void> };
type TargetRequest = LoadedConfig & { readonly flags: ConformFlags; readonly specs: EffectiveSpecs };

/** Opens the target that the flags describe: starts a mock or a sandbox, or uses a running server. */
export async function openTarget(wanted: TargetRequest, io: CommandIo): Promise<OpenedTarget> {
  const { flags, specs, config } = wanted;
  const addresses = resolveAddresses(wanted, io);
  const hasAddress = addresses.routerUrl !== undefined || addresses.workflowUrl !== undefined;
  const kind = flags.target ?? (hasAddress ? 'live' : 'sandbox');
  const [faults, variants] = [flags.fault ?? [], flags.variant ?? []];
  refuseMisplacedFlags(kind, hasAddress, flags);
  const hooks = await readHooks(wanted, io);
  if (hooks !== undefined && kind !== 'live')
    throw new UsageError(
      '--hooks is only for a live target: remove it, because the sandbox has its own test hooks and the mock has none',
    );

  let opened: OpenedTarget;
  if (kind === 'live') opened = await addressService(wanted, addresses, io);
  else if (kind === 'mock') opened = await openMock(specs);
  else if (hasAddress) opened = addressSandbox(addresses, flags, io);
  else opened = await openSandbox(specs, faults, variants);
  const target: Target = {
    ...opened.target,
    secrets: listSecrets(io.env),
    ...omitUndefined({
      // The sandbox implements our readings; a variant may differ from them.
      readings: kind !== 'live' && variants.length === 0 ? ('required' as const) : opened.target.readings,
      redact: config.conform?.redact,
      hooks: hooks ?? opened.target.hooks,
    }),
  };
  return { ...opened, target };
}

function refuseMisplacedFlags(kind: Target['kind'], hasAddress: boolean, flags: ConformFlags): void {
  const { fault = [], variant = [] } = flags;
  if (fault.length + variant.length > 0 && (kind !== 'sandbox' || hasAddress))
    throw new UsageError(
      '--fault and --variant need the sandbox that conform starts itself: add --target sandbox, without a URL',
    );
  if (kind === 'mock' && hasAddress) throw new UsageError('--target mock starts its own server: remove the URL');
  const misplaced = (['budget', 'plan'] as const).find((name) => flags[name] !== undefined);
  if (kind !== 'live' && misplaced !== undefined)
    throw new UsageError(`--${misplaced} is only for a live target: add --router-url or --workflow-url`);
  if (kind === 'live' && !hasAddress) throw new UsageError('--target live needs --router-url or --workflow-url');
}

async function addressService(
  wanted: TargetRequest,
  { routerUrl, workflowUrl }: Addresses,
  io: CommandIo,
): Promise<OpenedTarget> {
  const target = await describeLiveTarget(wanted, io);
  for (const api of [target.router, target.workflow]) {
    const hasSecret = Object.keys(api?.credentials ?? {}).length > 0 || (target.headers ?? []).length > 0;
    if (api !== undefined && hasSecret) refusePlainHttp(api.url, wanted.flags.allowHttp);
  }
  return { target, description: routerUrl ?? workflowUrl ?? '' };
}

async function openMock(specs: EffectiveSpecs): Promise<OpenedTarget> {
  const mock = await startMock(specs);
  const target: Target = {
    kind: 'mock',
    router: { url: mock.routerUrl, credentials: { main: 'any-key' } },
    workflow: { url: mock.workflowUrl, credentials: { main: 'any-token' }, jobs: {} },
  };
  return { target, description: 'the mock', close: () => mock.close() };
}

/**
 * Describes a running sandbox, which serves both APIs at one URL unless two are given. Its fixed credentials are public,
 * so plain http is only refused for credentials from the environment.
 */
function addressSandbox(
  { routerUrl, workflowUrl = routerUrl }: Addresses,
  { allowHttp }: ConformFlags,
  { env }: CommandIo,
): OpenedTarget {
  if (routerUrl !== undefined && readRouterCredential(env) !== undefined) refusePlainHttp(routerUrl, allowHttp);
  if (workflowUrl !== undefined && readWorkflowToken(env) !== undefined) refusePlainHttp(workflowUrl, allowHttp);
  const target = sandboxTarget({ routerUrl, workflowUrl }, { env });
  return { target, description: `the sandbox at ${routerUrl ?? workflowUrl}` };
}

async function openSandbox(
  specs: EffectiveSpecs,
  faults: readonly string[],
  variants: readonly string[],
): Promise<OpenedTarget> {
  requireKnown('fault', faults, listFaults());
  requireKnown('variant', variants, listVariants());
  // A clock that follows real time and that the gate can advance, because some rules need hours to pass.
  const sandbox = createSandbox({ specs, clock: shiftedClock(), faults, variants });
  const server = await listen(sandbox, { port: 0, host: '127.0.0.1' });
  // A variant may simulate other callers, so statements such as `exclusive` would not hold.
  const statements = variants.length === 0;
  const target = sandboxTarget({ routerUrl: server.url, workflowUrl: server.url }, { statements });
  return {
    target,
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
  if (url === undefined && source !== undefined)
    throw new UsageError('a credential for test hooks needs their URL: set conform.hooks.url, or add --hooks');
  if (url === undefined) return undefined;
  if (source !== undefined || config.http?.headers !== undefined) refusePlainHttp(url, flags.allowHttp);
  if (source === undefined) return { url };
  const setting = flags.hooksCredential === undefined ? 'conform.hooks.credential' : '--hooks-credential';
  return { url, credential: await readRequiredSecret(source, setting, io) };
}

// URLs in the environment and the file belong to live services, so mock and sandbox only use URLs from flags.
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
