import { createSandbox, listen, type Sandbox, sandboxCredentials } from '../../../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings, readOwnCatalog } from '../../../specs/src/index.ts';

/** A sandbox that stands for a deployed service, with a few models. */
export type Deployment = {
  readonly url: string;
  /** What a CI system would hold as variables and secrets. */
  readonly environment: Readonly<Record<string, string>>;
  readonly sandbox: Sandbox;
  close(): Promise<void>;
};

export async function deploy(faults: readonly string[] = []): Promise<Deployment> {
  const specs = await buildEffectiveSpecs(defaultSpecSettings);
  const catalog = readOwnCatalog()
    .slice(0, 3)
    .map(({ id, charges_on_policy_rejection: billing, document }) => ({
      id,
      billing,
      bytes: new TextEncoder().encode(JSON.stringify(document)),
    }));
  const sandbox = createSandbox({ specs, catalog, faults });
  const server = await listen(sandbox, { port: 0, host: '127.0.0.1' });
  return {
    url: server.url,
    environment: {
      SWITCHYARD_ROUTER_URL: server.url,
      SWITCHYARD_WORKFLOW_URL: server.url,
      SWITCHYARD_API_KEY: sandboxCredentials.router.main,
      SWITCHYARD_WORKFLOW_TOKEN: sandboxCredentials.workflow.main,
    },
    sandbox,
    close: async () => {
      await server.close();
      sandbox.close();
    },
  };
}

/** The catalog changes: a model is gone. */
export async function drift({ url, sandbox }: Deployment): Promise<void> {
  const rebuilt = await sandbox.fetch(`${url}/__sandbox/catalog/rebuild`, {
    method: 'POST',
    body: JSON.stringify({ remove: [sandbox.exampleModel] }),
  });
  if (!rebuilt.ok) throw new Error(`the catalog cannot be rebuilt: ${await rebuilt.text()}`);
}
