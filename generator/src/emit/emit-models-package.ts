import type { ModelId } from '../catalog/model-id.ts';
import { toSubpath } from '../model/names.ts';
import { readTypes } from './emit-model.ts';
import { type EmitSettings, type EmittedFile, type EmittedPieces, printManifest } from './emitted-file.ts';
import { type PackageSources, renderTemplate } from './package-sources.ts';
import { type Code, code, codeSpan, generatedHead, join, literal, word } from './source.ts';

/** Files for all subpaths: the manifest with an entry for each, and the README that lists them. */
export function emitModelsPackage(
  models: readonly ModelId[],
  sources: PackageSources,
  settings: EmitSettings,
): EmittedFile[] {
  const { models: name, modelRouter: router } = settings.packageNames;
  const listed = models
    .map((id) => ({ id, subpath: toSubpath(id) }))
    .sort((left, right) => (left.subpath < right.subpath ? -1 : 1));
  const hasScripts = settings.parts !== 'types';
  // A pattern, not an entry for each: every consumer's compiler reads this file.
  const exports = {
    './all': { types: './all.d.ts', default: './all.js' },
    ...(hasScripts ? { './formats': { types: './validation/formats.d.ts', default: './validation/formats.js' } } : {}),
    ...(hasScripts ? { './*/schema.json': './*.schema.json' } : {}),
    './validation/*': null,
    './validators/*': null,
    './package.json': './package.json',
    './*': { types: './*.d.ts', ...(hasScripts ? { default: './*.js' } : {}) },
  };
  const manifest = {
    name,
    version: sources.version,
    description: "Types and descriptors of the router's models, one subpath each",
    type: 'module',
    sideEffects: false,
    exports,
    typesVersions: { '*': { formats: ['./validation/formats.d.ts'] } },
    peerDependencies: { [router]: sources.version },
  };
  const readme = {
    name: word(name),
    version: word(sources.version),
    routerPackage: word(router),
    sample: printSample(name, settings),
    validation: printValidation(name, settings),
    count: word(String(models.length)),
    models: join(
      listed.map(({ id, subpath }) =>
        String(id) === subpath ? code`- ${codeSpan(id)}` : code`- ${codeSpan(id)} as ${codeSpan(subpath)}`,
      ),
      code`\n`,
    ),
  };
  return [
    { path: 'models/package.json', contents: printManifest(manifest) },
    { path: 'models/README.md', contents: renderTemplate(sources, 'models-readme.md.hbs', readme) },
  ];
}

function printSample(name: string, { parts }: EmitSettings): Code {
  const names =
    parts === 'types'
      ? code`type Input, type Output`
      : code`model, details, inputSchema, inputJsonSchema, isInput, validateInput, type Input, type Output`;
  return code`\`\`\`ts
import { ${names} } from '${word(name)}/{provider}/{model}';
\`\`\``;
}

function printValidation(name: string, { parts, packageNames }: EmitSettings): Code {
  if (parts === 'types') return code`These are only the types: descriptors, validators and schemas were not requested.`;
  return code`- \`model\` holds the facts that a call needs, and \`details\` what the document states for people: title, description, an example of
  input and output, and their modalities. Nobody checked these. A bundler leaves out what is not imported.
- \`inputSchema\` is a Standard Schema and a Standard JSON Schema, for libraries of forms, servers, agents and settings that take one.
  \`inputJsonSchema\` describes the input as one object, in JSON Schema 2020-12 with descriptions.
- \`isInput(value)\` narrows a value; \`validateInput(value)\` gives \`{ valid: true, value }\`, or \`{ valid: false, detail }\` with the
  failures as the router's own 422 lists them. A union that nothing matches names its alternatives. \`fieldErrors(detail)\`
  of \`${word(packageNames.modelRouter)}\` gives the messages by path. Formats inform only, unless \`{ formats }\` of \`${word(name)}/formats\` is given.
- Validators take time proportional to the value and throw nothing. At most 1,000 failures are listed. A value is refused as nested
  too deeply where more than 500 references to schemas stand within each other, or where a schema refers to itself for the same value.
- Patterns are ECMAScript expressions with the Unicode flag, and matched in linear time. A pattern that refers to groups, counts to thousands,
  or has the syntax of another engine, such as \`\\\\A\` or \`(?i)\`, is left to the server: a value that only such a pattern could
  refuse passes. A model's \`uncheckedPatterns\` lists them.
- \`${word(name)}/{provider}/{model}/schema.json\` holds the schemas of input and outputs as JSON Schema 2020-12.`;
}

/**
 * Every model's types in one file, for consumers that want the whole map: an index that imports them would cost a
 * compiler several times as much.
 */
export function emitAllModels(
  models: readonly ModelId[],
  readDeclarations: (id: ModelId) => string,
  { packageNames, generatorVersion }: EmitSettings,
): [types: EmittedPieces, script: EmittedFile] {
  const head = generatedHead([`Every model. Made by switchyard ${generatorVersion}; edits are lost.`]).text;
  const router = literal(packageNames.modelRouter).text;
  return [
    { path: 'models/all.d.ts', contents: printTypes({ head, models, readDeclarations, router }) },
    { path: 'models/all.js', contents: `${head}export const modelIds = ${literal([...models]).text};\n` },
  ];
}

type Parts = { head: string; models: readonly ModelId[]; readDeclarations: (id: ModelId) => string; router: string };

function* printTypes({ head, models, readDeclarations, router }: Parts): Generator<string> {
  yield head;
  const entries: string[] = [];
  for (const [index, id] of models.entries()) {
    const types = readTypes(readDeclarations(id));
    if (types === undefined) continue;
    const name = `M${index}`;
    yield `\ndeclare namespace ${name} {\n${types}}\n`;
    entries.push(
      `  ${literal(id).text}: { input: ${name}.Input; output: ${name}.Output; alternates: ${name}.Alternates };\n`,
    );
  }
  yield `\nexport interface AllModels {\n${entries.join('')}}\nexport declare const modelIds: readonly (keyof AllModels)[];\n`;
  yield `\ndeclare module ${router} {\n  interface ModelsOfAll extends AllModels {}\n}\n`;
}
