import { startMock, type Target } from '../../contract-tests/src/index.ts';
import { createSandbox, listen, listFaults, listVariants, shiftedClock } from '../../sandbox/src/index.ts';
import type { EffectiveSpecs } from '../../specs/src/index.ts';
import { readRequiredSecret, readRouterCredential, readWorkflowToken, refusePlainHttp } from './access.ts';
import type { ConformFlags } from './command-flags.ts';
import { UsageError } from './errors.ts';
import type { CommandIo } from './io.ts';
import { describeLiveTarget } from './live-target.ts';
import { createSettingReader, type LoadedConfig } from './load-settings.ts';
import { sandboxTarget } from './system-under-test.ts';
import { omitUndefined } from './values.ts';

type OpenedTarget = { target: Target; description: string; close?(): Promise<void> };
type TargetRequest = LoadedConfig & { readonly flags: ConformFlags; readonly specs: EffectiveSpecs };

/** Opens the target that the flags describe: starts a mock or a sandbox, or uses a running server. */
export async function openTarget(wanted: TargetRequest, io: CommandIo): Promise<OpenedTarget> {
  const { flags, specs, config, folder } = wanted;
  const { allowHttp, fault: faults = [], variant: variants = [] } = flags;
  // URLs in the environment and the file belong to live services, so mock and sandbox only use URLs from flags.
  const isLive = flags.target === undefined || flags.target === 'live';
  const get = isLive ? wanted.get : createSettingReader(flags, { config: {}, folder }, { ...io, env: {} });
  const [routerUrl, workflowUrl] = [get('routerUrl'), get('workflowUrl')];
  const hasAddress = routerUrl !== undefined || workflowUrl !== undefined;
  const kind = flags.target ?? (hasAddress ? 'live' : 'sandbox');

  if (faults.length + variants.length > 0 && (kind !== 'sandbox' || hasAddress))
    throw new UsageError(
      '--fault and --variant need the sandbox that conform starts itself: add --target sandbox, without a URL',
    );
  if (kind === 'mock' && hasAddress) throw new UsageError('--target mock starts its own server: remove the URL');
  const misplaced = (['budget', 'plan'] as const).find((name) => flags[name] !== undefined);
  if (kind !== 'live' && misplaced !== undefined)
    throw new UsageError(`--${misplaced} is only for a live target: add --router-url or --workflow-url`);
  if (kind === 'live' && !hasAddress) throw new UsageError('--target live needs --router-url or --workflow-url');

  const [hooksUrl, hooksSource] = [get('conform.hooks.url'), get('conform.hooks.credential')];
  if (hooksUrl === undefined && hooksSource !== undefined)
    throw new UsageError('a credential for test hooks needs their URL: set conform.hooks.url, or add --hooks');
  if (hooksUrl !== undefined && kind !== 'live')
    throw new UsageError(
      '--hooks is only for a live target: remove it, because the sandbox has its own test hooks and the mock has none',
    );

  const common = omitUndefined({ secrets: io.secrets(), redact: config.conform?.redact });
  // The sandbox implements our readings; a variant may differ from them.
  const readings = variants.length === 0 ? { readings: 'required' as const } : {};
  if (kind === 'live') {
    const target = await describeLiveTarget(wanted, io);
    for (const api of [target.router, target.workflow]) {
      const hasSecret = Object.keys(api?.credentials ?? {}).length > 0 || (target.headers ?? []).length > 0;
      if (api !== undefined && hasSecret) refusePlainHttp(api.url, allowHttp);
    }
    let hooks: Target['hooks'];
    if (hooksUrl !== undefined) {
      if (hooksSource !== undefined || config.http?.headers !== undefined) refusePlainHttp(hooksUrl, allowHttp);
      const setting = flags.hooksCredential === undefined ? 'conform.hooks.credential' : '--hooks-credential';
      const credential = hooksSource && (await readRequiredSecret(hooksSource, setting, io));
      hooks = { url: hooksUrl, ...omitUndefined({ credential }) };
    }
    return {
      target: { ...target, ...common, ...omitUndefined({ hooks }) },
      description: routerUrl ?? workflowUrl ?? '',
    };
  }
  if (kind === 'mock') {
    const mock = await startMock(specs);
    const target: Target = {
      kind,
      ...common,
      ...readings,
      router: { url: mock.routerUrl, credentials: { main: 'any-key' } },
      workflow: { url: mock.workflowUrl, credentials: { main: 'any-token' }, jobs: {} },
    };
    return { target, description: 'the mock', close: () => mock.close() };
  }
  if (hasAddress) {
    // A running sandbox. Its own credentials are public, so plain http is only refused for credentials from the environment.
    const { env } = io;
    const addresses = { routerUrl, workflowUrl: workflowUrl ?? routerUrl };
    if (routerUrl !== undefined && readRouterCredential(env) !== undefined) refusePlainHttp(routerUrl, allowHttp);
    if (addresses.workflowUrl !== undefined && readWorkflowToken(env) !== undefined)
      refusePlainHttp(addresses.workflowUrl, allowHttp);
    const target = { ...sandboxTarget(addresses, { env }), ...common, ...readings };
    return { target, description: `the sandbox at ${routerUrl ?? workflowUrl}` };
  }
  requireKnown('fault', faults, listFaults());
  requireKnown('variant', variants, listVariants());
  // A clock that follows real time and that the gate can advance, because some rules need hours to pass.
  const sandbox = createSandbox({ specs, clock: shiftedClock(), faults, variants });
  const server = await listen(sandbox, { port: 0, host: '127.0.0.1' });
  const addresses = { routerUrl: server.url, workflowUrl: server.url };
  // A variant may simulate other callers, so statements such as `exclusive` would not hold.
  const target = { ...sandboxTarget(addresses, { statements: variants.length === 0 }), ...common, ...readings };
  const close = async () => {
    await server.close();
    sandbox.close();
  };
  return { target, description: 'the sandbox', close };
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
