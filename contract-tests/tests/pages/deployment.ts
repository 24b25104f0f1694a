import { sandboxCredentials } from '../../../sandbox/src/index.ts';
import { type OpenSandbox, serveSandbox } from '../../../scripts/tests/with-sandbox.ts';
import { readOwnCatalog } from '../../../specs/src/index.ts';

/** A sandbox with a few models in the role of a deployed service. */
export type Deployment = OpenSandbox & {
  /** Variables and secrets that a CI system would set. */
  readonly environment: Readonly<Record<string, string>>;
};

export async function deploy(faults: readonly string[] = []): Promise<Deployment> {
  const catalog = readOwnCatalog()
    .slice(0, 3)
    .map(({ id, charges_on_policy_rejection: billing, document }) => ({
      id,
      billing,
      bytes: new TextEncoder().encode(JSON.stringify(document)),
    }));
  const served = await serveSandbox({ catalog, faults });
  return {
    ...served,
    environment: {
      SWITCHYARD_ROUTER_URL: served.url,
      SWITCHYARD_WORKFLOW_URL: served.url,
      SWITCHYARD_API_KEY: sandboxCredentials.router.main,
      SWITCHYARD_WORKFLOW_TOKEN: sandboxCredentials.workflow.main,
    },
  };
}

/** Removes a model from the catalog, so that generated packages are outdated. */
export async function drift({ url, sandbox }: Deployment): Promise<void> {
  const rebuilt = await sandbox.fetch(`${url}/__sandbox/catalog/rebuild`, {
    method: 'POST',
    body: JSON.stringify({ remove: [sandbox.exampleModel] }),
  });
  if (!rebuilt.ok) throw new Error(`the catalog cannot be rebuilt: ${await rebuilt.text()}`);
}
