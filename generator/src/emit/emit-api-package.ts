import {
  isJsonObject,
  type JsonObject,
  type OpenApiDocument,
  type Operation,
  printPaths,
} from '../../../specs/src/index.ts';
import type { ApiPackage } from './api-package.ts';
import { type EmitSettings, type EmittedFile, printManifest } from './emitted-file.ts';
import { type PackageSources, renderTemplate } from './package-sources.ts';
import {
  type Code,
  code,
  codeSpan,
  comment,
  generatedHead,
  identifier,
  importType,
  join,
  literal,
  printImports,
  propertyName,
  word,
} from './source.ts';
import { transpileRuntime } from './transpile-runtime.ts';

/** Emits an API's package: types, operations as data, the low-level client and the runtime. */
export async function emitApiPackage(
  api: ApiPackage,
  { brand, sources, settings }: { brand: string; sources: PackageSources; settings: EmitSettings },
): Promise<EmittedFile[]> {
  const head = generatedHead([`${api.description}. Made by switchyard ${settings.generatorVersion}; edits are lost.`]);
  const inFolder = (path: string, contents: string): EmittedFile => ({ path: `${api.folder}/${path}`, contents });
  const source = (path: string, body: Code) => inFolder(path, code`${head}\n${printImports(body)}${body}`.text);
  return [
    source('index.d.ts', printEntryTypes(api)),
    source('index.js', printEntry(api, brand)),
    source('operations.d.ts', printOperationsType(api)),
    source('operations.js', code`export const operations = {\n${api.operations.map(printOperation)}};\n`),
    inFolder('api.d.ts', `${head.text}\n${await printPaths(api.document)}`),
    inFolder('openapi.json', `${JSON.stringify(api.document, undefined, 2)}\n`),
    source('client.d.ts', printClientTypes(api)),
    source('client.js', printClient(api)),
    ...api.subpaths.flatMap((subpath) => {
      const exported = code`export * from ${literal(`${api.runtimePath}/${subpath}/index.js`)};\n`;
      return [source(`${subpath}.d.ts`, exported), source(`${subpath}.js`, exported)];
    }),
    ...(await emitRuntime(api, sources)),
    ...emitFrames(api, sources, settings),
  ];
}

/** Emits the top-level files of the runtime and the folders that the package needs. */
async function emitRuntime({ folder, carried }: ApiPackage, { runtime }: PackageSources): Promise<EmittedFile[]> {
  if (carried.length === 0) return [];
  const root = `${folder}/runtime`;
  const folders = ['', ...carried.map((one) => `${one}/`)].map((one) => `${root}/${one}`);
  // All sources at once, because the build stores the compiled result for exactly this set.
  const files = await transpileRuntime(runtime, root);
  return files.filter(({ path }) => folders.includes(path.slice(0, path.lastIndexOf('/') + 1)));
}

const modelTypes = (client: string): Code => code`
/** Importing a model's subpath adds its entry. */
export interface ModelsBySubpath {}

/** Importing the subpath \`all\` adds every model. A separate interface, because merged members would have to be identical. */
export interface ModelsOfAll {}

/** Input and output types by model id, for every model whose subpath (or \`all\`) is imported. */
export type Models = ModelsOfAll & Omit<ModelsBySubpath, keyof ModelsOfAll>;

/** The input of a model: \`InputOf<typeof model>\`, or \`InputOf<'provider/model'>\` once its subpath is imported. */
export type InputOf<Model> = ${importType(client, 'InputFor')}<Models, Model>;
/** The output of a model, in the same way. */
export type OutputOf<Model> = ${importType(client, 'OutputFor')}<Models, Model>;
`;

function printEntryTypes({ name, runtime, runtimePath, values, document, errors }: ApiPackage): Code {
  const isRouter = name === 'modelRouter';
  const validation = [
    'JsonObjectSchema',
    'StandardSchema',
    'ValidationFailure',
    'ValidationOptions',
    'ValidationResult',
  ];
  const descriptors = isRouter
    ? ['ModelDescriptor', 'ModelDetails', 'OperationDescriptor', ...validation]
    : ['OperationDescriptor'];
  const client = `${runtimePath}/${runtime[0]}/index.js`;
  const factory = code`export declare function createModelRouter(options?: ${importType(client, 'ModelRouterOptions')}): ${importType(client, 'RouterClient')}<Models>;\n`;
  return code`
export type * from ${literal(client)};
${exportValues(values, client)}${isRouter ? factory : code``}
export type { components, paths } from './api.js';
export { operations } from './operations.js';
export type { ${join(descriptors.map(identifier), code`, `)} } from ${literal(`${runtimePath}/descriptor.js`)};
${isRouter ? modelTypes(client) : code``}
${printErrorsType(errors.name, readKnownErrors(document, errors.schema))}`;
}

function exportValues(values: readonly string[], from: string): Code {
  return code`export { ${join(values.map(identifier), code`, `)} } from ${literal(from)};\n`;
}

function printOperationsType({ operations, runtimePath }: ApiPackage): Code {
  const descriptor = importType(`${runtimePath}/descriptor.js`, 'OperationDescriptor');
  const members = operations.map(
    ({ operationId, method, path }) =>
      code`  readonly ${propertyName(operationId)}: ${descriptor}<${literal(method)}, ${literal(path)}>;\n`,
  );
  return code`
/** Every operation of the API, as data. */
export declare const operations: {
${members}};
`;
}

function printEntry(
  { name, runtime, runtimePath, values, document, errors, keyHeader }: ApiPackage,
  brand: string,
): Code {
  const client = `${runtimePath}/${runtime[0]}/index.js`;
  const facts = literal({ brand, apiKeyHeader: keyHeader ?? 'X-API-Key' });
  const [made, factory] =
    name === 'modelRouter'
      ? [
          code`import { createModelRouterFor } from ${literal(client)};\n\n`,
          code`export const createModelRouter = /* @__PURE__ */ createModelRouterFor(${facts});\n`,
        ]
      : [code``, code``];
  return code`${made}${exportValues(values, client)}${factory}
export { operations } from './operations.js';

${printErrors(errors.name, readKnownErrors(document, errors.schema))}`;
}

function printOperation(operation: Operation): Code {
  const parameters = operation.parameters.map(
    ({ name, in: place, required }) => code`\n      ${literal({ name, in: place, required: required === true })},`,
  );
  const responses = Object.entries(operation.responses).map(
    ([status, { content }]) => [status, Object.keys(content)] as const,
  );
  return code`  ${propertyName(operation.operationId)}: {
    method: ${literal(operation.method)},
    path: ${literal(operation.path)},
    parameters: [${parameters}${parameters.length > 0 ? code`\n    ` : code``}],
    requestMediaTypes: ${literal(Object.keys(operation.requestBody?.content ?? {}))},
    responses: ${literal(Object.fromEntries(responses))},
    security: ${literal([...new Set(operation.security.flatMap((alternative) => Object.keys(alternative)))])},
    credentialRequired: ${literal(isCredentialRequired(operation))},
  },
`;
}

function isCredentialRequired({ security }: Operation): boolean {
  return security.length > 0 && security.every((alternative) => Object.keys(alternative).length > 0);
}

function printClientTypes({ client, factory, keyHeader }: ApiPackage): Code {
  const takesKey = keyHeader !== undefined;
  return code`import type { paths } from './api.js';
import type { ${takesKey ? code`ApiKeyOption, ` : code``}PathsClient, PathsClientOptions } from './runtime/paths-client.js';

export type ${client} = PathsClient<paths>;
export declare function ${factory}(options: PathsClientOptions${takesKey ? code` & ApiKeyOption` : code``}): ${client};
`;
}

function printClient({ factory, keyHeader }: ApiPackage): Code {
  return code`import { createPathsClient } from './runtime/paths-client.js';

export function ${factory}(options) {
  return createPathsClient(options${keyHeader === undefined ? code`` : code`, ${literal(keyHeader)}`});
}
`;
}

function printSample(operations: readonly Operation[]): Code {
  const sample = operations.find((operation) => operation.method === 'GET');
  const names =
    sample?.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => propertyName(name)) ?? [];
  const options = names.length === 0 ? code`` : code`, { params: { path: { ${join(names, code`, `)} } } }`;
  return code`client.GET(${literal(sample?.path ?? '/')}${options})`;
}

function printCredentials({ operations, keyHeader }: ApiPackage): Code {
  const kinds =
    keyHeader === undefined
      ? code`\`token\`, which may be an API key, is sent as \`Authorization: Bearer\``
      : code`\`apiKey\` is sent as ${codeSpan(keyHeader)}, \`token\` as \`Authorization: Bearer\`; the key decides where both are given`;
  return operations.every(isCredentialRequired)
    ? code`${kinds}. Every operation needs one of them.`
    : code`${kinds}. A deployment may accept calls without any: leave it out there.`;
}

const entry = (stem: string) => ({ types: `${stem}.d.ts`, default: `${stem}.js` });

function describePackage(api: ApiPackage, { version, openapiFetch }: PackageSources, name: string): JsonObject {
  const { subpaths, carried } = api;
  return {
    name,
    version,
    description: api.description,
    type: 'module',
    sideEffects: false,
    ...(carried.length === 0
      ? {}
      : { browser: { './runtime/http/patient-fetch.js': './runtime/http/plain-fetch.js' } }),
    exports: {
      '.': entry('./index'),
      './api': { types: './api.d.ts' },
      './client': entry('./client'),
      ...Object.fromEntries(subpaths.map((subpath) => [`./${subpath}`, entry(`./${subpath}`)])),
      './openapi.json': './openapi.json',
      './package.json': './package.json',
    },
    dependencies: { 'openapi-fetch': openapiFetch },
  };
}

function emitFrames(api: ApiPackage, sources: PackageSources, settings: EmitSettings): EmittedFile[] {
  const name = settings.packageNames[api.name];
  const readme = {
    name: word(name),
    models: word(settings.packageNames.models),
    version: word(sources.version),
    factory: api.factory,
    errors: identifier(api.errors.name),
    host: word(api.host),
    credential: identifier(api.keyHeader === undefined ? 'token' : 'apiKey'),
    credentials: printCredentials(api),
    sample: printSample(api.operations),
    operations: join(
      api.operations.map((one) => code`- ${codeSpan(one.operationId)}: ${codeSpan(`${one.method} ${one.path}`)}`),
      code`\n`,
    ),
  };
  return [
    { path: `${api.folder}/package.json`, contents: printManifest(describePackage(api, sources, name)) },
    { path: `${api.folder}/README.md`, contents: renderTemplate(sources, `${api.folder}-readme.md.hbs`, readme) },
  ];
}

/** An error category that the document lists, with its status and meaning. */
type KnownError = { readonly word: string; readonly facts: { readonly status?: number; readonly meaning: string } };

/** Reads the error categories of a schema with `x-enum-descriptions` and, if each category has a status, `x-enum-statuses`. */
function readKnownErrors(document: OpenApiDocument, name: string): readonly KnownError[] {
  const schema = document.components['schemas']?.[name];
  const branches = isJsonObject(schema) && Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isJsonObject) : [];
  return branches.flatMap((branch) => {
    const words = Array.isArray(branch['enum']) ? branch['enum'].filter((word) => typeof word === 'string') : [];
    return words.map((word) => ({ word, facts: readFacts(word, branch) }));
  });
}

function readFacts(word: string, branch: JsonObject): KnownError['facts'] {
  const [status, text] = ['x-enum-statuses', 'x-enum-descriptions'].map((key) => {
    const values = branch[key];
    return isJsonObject(values) && Object.hasOwn(values, word) ? values[word] : undefined;
  });
  const meaning = typeof text === 'string' ? text : '';
  return typeof status === 'number' ? { status, meaning } : { meaning };
}

function printErrors(name: string, errors: readonly KnownError[]): Code {
  const members = errors.map(({ word, facts }) => code`  ${propertyName(word)}: ${literal(facts)},\n`);
  return code`export const ${identifier(name)} = {\n${members}};\n`;
}

function printErrorsType(name: string, errors: readonly KnownError[]): Code {
  const docs = comment(['The known errors, by the word that an answer names. The set is open: others may come.']);
  const members = errors.map(({ word, facts: { status } }) => {
    const ofStatus = status === undefined ? code`` : code`readonly status: ${literal(status)}; `;
    return code`  readonly ${propertyName(word)}: { ${ofStatus}readonly meaning: string };\n`;
  });
  return code`${docs}export declare const ${identifier(name)}: {\n${members}};\n`;
}
