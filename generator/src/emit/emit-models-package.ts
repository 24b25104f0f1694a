import type { ModelId } from '../catalog/model-id.ts';
import { toSubpath } from '../model/names.ts';
import { readTypes } from './emit-model.ts';
import { type EmitSettings, type EmittedFile, type EmittedPieces, printManifest } from './emitted-file.ts';
import { type PackageSources, renderTemplate } from './package-sources.ts';
import { type Code, code, codeSpan, generatedHead, join, literal, word } from './source.ts';

/** Emits the manifest of the models package and the README that lists all models. */
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
  // One pattern instead of an entry for each model, because the compiler of every consumer reads this file.
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
  if (parts === 'types')
    return code`This package only contains types: the settings exclude descriptors, validators and schemas.`;
  return code`- \`model\` contains what a call needs. \`details\` contains title, description, modalities and example input and output
  from the document, not validated. Bundlers remove what you don't import.
- \`inputSchema\` is a Standard Schema and a Standard JSON Schema, for form, server, agent and configuration libraries that accept one.
  \`inputJsonSchema\` describes the input as one object, in JSON Schema 2020-12 with descriptions.
- \`isInput(value)\` narrows a value. \`validateInput(value)\` returns \`{ valid: true, value }\`, or \`{ valid: false, detail }\` with the
  same failures as in the router's 422. If a value matches no alternative of a union, the failure lists the alternatives.
  \`fieldErrors(detail)\` of \`${word(packageNames.modelRouter)}\` returns the messages by path. Formats are only checked if you pass
  \`{ formats }\` of \`${word(name)}/formats\`.
- Validators take time proportional to the value and never throw. They list at most 1,000 failures. They reject a value as nested too
  deeply if checking it follows more than 500 nested references, or if a schema refers to itself for the same value.
- Patterns are ECMAScript expressions with the \`u\` flag, matched in linear time. Only the server checks patterns that refer to groups,
  have thousands of repetitions, or use the syntax of a different engine, such as \`\\A\` or \`(?i)\`. A model's \`uncheckedPatterns\` lists
  them.
- \`${word(name)}/{provider}/{model}/schema.json\` contains the schemas of input and outputs as JSON Schema 2020-12.`;
}

/**
 * Emits the types of all models in one file, for consumers that want the whole map. An index that imports one file for each
 * model would take a compiler several times as long.
 */
export function emitAllModels(
  models: readonly ModelId[],
  readDeclarations: (id: ModelId) => string,
  { packageNames, generatorVersion }: EmitSettings,
): [types: EmittedPieces, script: EmittedFile] {
  const head = generatedHead([`Every model. Generated by switchyard ${generatorVersion}; do not edit.`]).text;
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
