import { type GenerateConfig, namePackages } from '../../generator/src/index.ts';
import {
  createSandbox,
  listen,
  type Sandbox,
  type SandboxOptions,
  sandboxCredentials,
} from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, type EffectiveSpecs } from '../../specs/src/index.ts';

export type ServedSandbox = { readonly sandbox: Sandbox; readonly specs: EffectiveSpecs; readonly url: string };

export type OpenSandbox = ServedSandbox & { readonly close: () => Promise<void> };

/** Serves a sandbox with default settings on a free port. */
export async function serveSandbox(options: Omit<SandboxOptions, 'specs'> = {}): Promise<OpenSandbox> {
  const specs = buildEffectiveSpecs();
  const sandbox = createSandbox({ specs, ...options });
  const server = await listen(sandbox, { port: 0, host: '127.0.0.1' });
  const close = async (): Promise<void> => {
    await server.close();
    sandbox.close();
  };
  return { sandbox, specs, url: server.url, close };
}

/** Serves a sandbox while `use` runs. */
export async function withSandbox<T>(
  use: (served: ServedSandbox) => Promise<T>,
  clock: 'real' | 'manual' = 'real',
): Promise<T> {
  const served = await serveSandbox({ clock });
  try {
    return await use(served);
  } finally {
    await served.close();
  }
}

/** Returns the configuration to generate from a served sandbox, with the settings of the packages in `generated/`. */
export function configureGeneration(
  { url, specs }: Pick<ServedSandbox, 'url' | 'specs'>,
  folders: { outDir: string; cacheDir: string },
  mode: GenerateConfig['mode'],
): GenerateConfig {
  return {
    routerUrl: url,
    credential: { kind: 'api-key', value: sandboxCredentials.router.main },
    ...folders,
    specs,
    packageNames: namePackages('@switchyard'),
    only: [],
    concurrency: 8,
    mode,
    source: 'network',
    frozen: false,
    allowEmpty: false,
    parts: 'input-validators',
    outputLayout: { layout: 'packages', peers: 'any-version', manifest: {} },
    version: { kind: 'kept' },
    headers: {},
    secrets: [],
  };
}
