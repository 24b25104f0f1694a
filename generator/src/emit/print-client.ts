import type { JsonObject } from '../../../specs/src/index.ts';
import { type Code, code, identifier, importType, join, literal, word } from './source.ts';

/** The client that people call, as a package offers it. */
export type ShippedClient = {
  /** Folders of the runtime that the package carries; the first one holds the client. */
  readonly folders: readonly string[];
  /** Folders whose entry point is a subpath of the package. */
  readonly subpaths: readonly string[];
  /** Optional packages of its subpaths, with their versions. */
  readonly peers?: Readonly<Record<string, string>>;
  /** What the package exports of it as it is. */
  readonly values: readonly string[];
  /** A factory that is made from what is known of the API. */
  readonly factory?: { readonly name: string; readonly maker: string; readonly facts: JsonObject };
};

export function printShippedClient({ folders, values, factory }: ShippedClient): Code {
  const from = literal(printEntryPath(folders));
  const exported = code`export { ${join(values.map(identifier), code`, `)} } from ${from};\n`;
  if (factory === undefined) return exported;
  const maker = identifier(factory.maker);
  return code`import { ${maker} } from ${from};

${exported}export const ${identifier(factory.name)} = /* @__PURE__ */ ${maker}(${literal(factory.facts)});
`;
}

/** Its types; a factory's client knows the models of the package. */
export function printShippedClientTypes({ folders, values, factory }: ShippedClient): Code {
  const entry = printEntryPath(folders);
  const from = literal(entry);
  const exported = code`export type * from ${from};\nexport { ${join(values.map(identifier), code`, `)} } from ${from};\n`;
  if (factory === undefined) return exported;
  const client = code`${importType(entry, 'RouterClient')}<Models>`;
  return code`${exported}export declare function ${identifier(factory.name)}(options?: ${importType(entry, 'ModelRouterOptions')}): ${client};\n`;
}

function printEntryPath(folders: readonly string[]): string {
  return `./runtime/${folders[0]}/index.js`;
}

type Names = { readonly own: string; readonly models: string };

/** How the client is called, for the README of its package. */
export function printCall({ factory }: ShippedClient, { own, models }: Names): Code {
  if (factory === undefined) return printWorkflowCall(own);
  return code`\`\`\`ts
import { createModelRouter } from '${word(own)}';
import { model } from '${word(models)}/{provider}/{model}';

const router = createModelRouter({ baseUrl: 'https://router.example', apiKey });
const { data } = await router.run(model, input);
\`\`\`

\`baseUrl\` and \`apiKey\` are read from \`MODEL_ROUTER_URL\` and \`MODEL_ROUTER_API_KEY\` where they are not given.
\`run\` waits for the output; \`submit\` puts the run into the queue and returns a handle; \`subscribe\` does both. Every call has an idempotency
key that all its attempts share, so that a repetition is not billed again. Errors are \`RouterError\`s, told apart by \`kind\`; the
methods under \`router.safe\` return them. \`models()\`, \`model(id)\` and \`schema(id)\` read the catalog, and \`router.untyped\` takes ids that are
known only at run time.

- \`${word(own)}/node\` exports \`createFileKeyStore\`: keys that survive the end of the process. \`router.pending()\` lists what an
  earlier one left, \`router.resume(call)\` goes on with it.
- \`${word(own)}/assets\` exports \`findAssets\`, \`downloadAsset\` and \`toDataUrl\`; \`saveAsset\` is in \`${word(own)}/node\`.
- \`${word(own)}/opentelemetry\` exports \`openTelemetry\`, for \`router.use\`.
`;
}

function printWorkflowCall(own: string): Code {
  return code`\`\`\`ts
import { createWorkflowExecution } from '${word(own)}';

const { getJobWorkflow } = createWorkflowExecution({ baseUrl: 'https://workflows.example', token });
const job = await getJobWorkflow(id);
if (job.format === 'api') console.log(Object.keys(job.workflow));
\`\`\`

A job of the cloud editor is \`save\`, the workflow as it was saved in the version that ran; one that was submitted over the API is \`api\`. A job of
the editor is \`api\` too where that version can no longer be read, which is no error. 404 is an unknown job, another caller's, or one past its
retention deadline.

Errors are \`WorkflowError\`s, told apart by \`kind\`, and those of the service by \`code\`. \`getJobWorkflow\` of \`safe\` returns them.

`;
}
