import { isJsonObject, type OpenApiDocument, type Operation, printPaths } from '../../../specs/src/index.ts';
import type { EmitSettings, EmittedFile } from './emitted-file.ts';
import { type PackageSources, renderTemplate } from './package-sources.ts';
import { printCall, printShippedClient, printShippedClientTypes, type ShippedClient } from './print-client.ts';
import { printErrors, printErrorsType, readKnownErrors } from './print-errors.ts';
import {
  type Code,
  code,
  codeSpan,
  generatedHead,
  identifier,
  importType,
  join,
  json,
  literal,
  printImports,
  propertyName,
  word,
} from './source.ts';
import { transpileRuntime } from './transpile-runtime.ts';

/** What differs between the packages of the two APIs. */
export type ApiPackage = {
  readonly name: 'modelRouter' | 'workflowExecution';
  readonly folder: 'model-router' | 'workflow-execution';
  readonly description: string;
  readonly factory: string;
  readonly client: string;
  /** Whether each model's subpath adds its entry to an interface of this package. */
  readonly ownsModels: boolean;
  readonly document: OpenApiDocument;
  readonly operations: readonly Operation[];
  /** The exported name of the known errors, and the schema that lists them. */
  readonly errors: { readonly name: string; readonly schema: string };
  readonly shipped: ShippedClient;
  /** What the README shows: a host of this API, and the client option for a credential. */
  readonly example: { readonly host: string; readonly credential: 'apiKey' | 'token' };
};

/** Types, operations as data, the low-level client and the runtime behind it. */
export async function emitApiPackage(
  api: ApiPackage,
  sources: PackageSources,
  settings: EmitSettings,
): Promise<EmittedFile[]> {
  const head = generatedHead([`${api.description}. Made by switchyard ${settings.generatorVersion}; edits are lost.`]);
  const inFolder = (path: string, contents: string): EmittedFile => ({ path: `${api.folder}/${path}`, contents });
  return [
    inFolder('index.d.ts', printEntryTypes(api, head).text),
    inFolder('index.js', printEntry(api, head).text),
    inFolder('operations.d.ts', printOperationsType(api, head).text),
    inFolder('operations.js', printOperations(api, head).text),
    inFolder('api.d.ts', `${head.text}\n${await printPaths(api.document)}`),
    inFolder('openapi.json', `${JSON.stringify(api.document, undefined, 2)}\n`),
    inFolder('client.d.ts', printClientTypes(api, head).text),
    inFolder('client.js', printClient(api, head).text),
    ...(await emitRuntime(api, sources)),
    ...emitFrames(api, sources, settings),
  ];
}

/** The files at the top of the runtime, and those of the client's folders. */
async function emitRuntime({ folder, shipped }: ApiPackage, { runtime }: PackageSources): Promise<EmittedFile[]> {
  const root = `${folder}/runtime`;
  const folders = ['', ...shipped.folders.map((one) => `${one}/`)].map((one) => `${root}/${one}`);
  // As a whole, which the build has compiled before.
  const files = await transpileRuntime(runtime, root);
  return files.filter(({ path }) => folders.includes(path.slice(0, path.lastIndexOf('/') + 1)));
}

function printEntryTypes(api: ApiPackage, head: Code): Code {
  const models = code`
/** Importing a model's subpath adds its entry. */
export interface ModelsBySubpath {}

/** Importing the subpath \`all\` adds every model. Apart from the entries by subpath: merged ones would be compared with each other. */
export interface ModelsOfAll {}

/** Input and output by model id, of every model whose subpath, or \`all\`, is imported. */
export type Models = ModelsOfAll & Omit<ModelsBySubpath, keyof ModelsOfAll>;
`;
  const descriptors = [...(api.ownsModels ? ['ModelDescriptor', 'ModelDetails'] : []), 'OperationDescriptor'];
  const validation = api.ownsModels
    ? ['StandardSchema', 'ValidationFailure', 'ValidationOptions', 'ValidationResult']
    : [];
  const body = code`${printShippedClientTypes(api.shipped)}
export type { components, paths } from './api.js';
export { operations } from './operations.js';
export type { ${join([...descriptors, ...validation].map(identifier), code`, `)} } from './runtime/descriptor.js';
${api.ownsModels ? models : code``}
${printErrorsType(api.errors.name, readKnownErrors(api.document, api.errors.schema))}`;
  return code`${head}
${printImports(body)}
${body}`;
}

function printOperationsType(api: ApiPackage, head: Code): Code {
  const body = code`
/** Every operation of the API, as data. */
export declare const operations: {
${api.operations.map(printOperationType)}};
`;
  return code`${head}
${printImports(body)}${body}`;
}

function printOperations(api: ApiPackage, head: Code): Code {
  return code`${head}
export const operations = {
${api.operations.map(printOperation)}};
`;
}

function printOperationType({ operationId, method, path }: Operation): Code {
  const descriptor = importType('./runtime/descriptor.js', 'OperationDescriptor');
  return code`  readonly ${propertyName(operationId)}: ${descriptor}<${literal(method)}, ${literal(path)}>;
`;
}

function printEntry(api: ApiPackage, head: Code): Code {
  return code`${head}
${printShippedClient(api.shipped)}
export { operations } from './operations.js';

${printErrors(api.errors.name, readKnownErrors(api.document, api.errors.schema))}`;
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

/** The header in which the API takes a key; undefined when it takes none. */
export function findApiKeyHeader({ components }: OpenApiDocument): string | undefined {
  const schemes = Object.values(components['securitySchemes'] ?? {}).filter(isJsonObject);
  const name = schemes.find((scheme) => scheme['type'] === 'apiKey' && scheme['in'] === 'header')?.['name'];
  return typeof name === 'string' ? name : undefined;
}

function printClientTypes(api: ApiPackage, head: Code): Code {
  const takesKey = findApiKeyHeader(api.document) !== undefined;
  return code`${head}
import type { paths } from './api.js';
import type { ${takesKey ? code`ApiKeyOption, ` : code``}PathsClient, PathsClientOptions } from './runtime/paths-client.js';

export type { PathsAnswer } from './runtime/paths-client.js';
export type { UnexpectedBody } from './runtime/paths-answer.js';

export type ${identifier(api.client)} = PathsClient<paths>;
export declare function ${identifier(api.factory)}(options: PathsClientOptions${takesKey ? code` & ApiKeyOption` : code``}): ${identifier(api.client)};
`;
}

function printClient(api: ApiPackage, head: Code): Code {
  const apiKeyHeader = findApiKeyHeader(api.document);
  return code`${head}
import { operations } from './operations.js';
import { createPathsClient } from './runtime/paths-client.js';

export function ${identifier(api.factory)}(options) {
  return createPathsClient(options, { operations${apiKeyHeader === undefined ? code`` : code`, apiKeyHeader: ${literal(apiKeyHeader)}`} });
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

function printCredentials({ document, operations }: ApiPackage): Code {
  const header = findApiKeyHeader(document);
  const kinds =
    header === undefined
      ? code`\`token\`, which may be an API key, is sent as \`Authorization: Bearer\``
      : code`\`apiKey\` is sent as ${codeSpan(header)}, \`token\` as \`Authorization: Bearer\`; the key decides where both are given`;
  return operations.every(isCredentialRequired)
    ? code`${kinds}. Every operation needs one of them.`
    : code`${kinds}. A deployment may accept calls without any: leave it out there.`;
}

function printSubpath(folder: string): Code {
  const file = (ending: string): Code => json(`./runtime/${folder}/index.${ending}`);
  return code`    ${json(`./${folder}`)}: { "types": ${file('d.ts')}, "default": ${file('js')} },
`;
}

/** For compilers that do not read `exports`. */
function printTypesVersions(folders: readonly string[]): Code {
  const places = Object.fromEntries(folders.map((folder) => [folder, [`./runtime/${folder}/index.d.ts`]]));
  return folders.length === 0
    ? code``
    : code`  "typesVersions": { "*": ${json(places)} },
`;
}

/** Packages that a subpath needs, and only where it is imported. */
function printPeers(peers: Readonly<Record<string, string>>): Code {
  const optional = Object.fromEntries(Object.keys(peers).map((name) => [name, { optional: true }]));
  return Object.keys(peers).length === 0
    ? code``
    : code`,
  "peerDependencies": ${json(peers)},
  "peerDependenciesMeta": ${json(optional)}`;
}

function emitFrames(api: ApiPackage, sources: PackageSources, settings: EmitSettings): EmittedFile[] {
  const name = settings.packageNames[api.name];
  const { version, openapiFetch } = sources;
  const manifest = {
    name: json(name),
    version: json(version),
    description: json(api.description),
    subpaths: join(api.shipped.subpaths.map(printSubpath), code``),
    typesVersions: printTypesVersions(api.shipped.subpaths),
    openapiFetch: json(openapiFetch),
    peers: printPeers(api.shipped.peers ?? {}),
  };
  const readme = {
    name: word(name),
    version: word(version),
    description: word(api.description),
    call: printCall(api.shipped, { own: name, models: settings.packageNames.models }),
    factory: identifier(api.factory),
    errors: identifier(api.errors.name),
    host: word(api.example.host),
    credential: identifier(api.example.credential),
    credentials: printCredentials(api),
    sample: printSample(api.operations),
    operations: join(
      api.operations.map((one) => code`- ${codeSpan(one.operationId)}: ${codeSpan(`${one.method} ${one.path}`)}`),
      code`\n`,
    ),
  };
  return [
    { path: `${api.folder}/package.json`, contents: renderTemplate(sources, 'api-package.json.hbs', manifest) },
    { path: `${api.folder}/README.md`, contents: renderTemplate(sources, 'api-readme.md.hbs', readme) },
  ];
}
