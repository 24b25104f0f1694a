import type { ModelId } from '../catalog/model-id.ts';
import { typesMark } from './emit-model.ts';
import type { EmitSettings, EmittedFile, EmittedPieces } from './emitted-file.ts';
import { literal } from './source.ts';

/**
 * Every model's types in one file, for consumers that want the whole map: an index that imports them would cost a
 * compiler several times as much.
 */
export function emitAllModels(
  models: readonly ModelId[],
  readDeclarations: (id: ModelId) => string,
  { packageNames, generatorVersion }: EmitSettings,
): [types: EmittedPieces, script: EmittedFile] {
  const head = `/** Every model. Made by switchyard ${generatorVersion}; edits are lost. */\n`;
  const router = literal(packageNames.modelRouter).text;
  return [
    { path: 'models/all.d.ts', pieces: printTypes({ head, models, readDeclarations, router }) },
    { path: 'models/all.js', contents: `${head}export const modelIds = ${literal([...models]).text};\n` },
  ];
}

type Parts = { head: string; models: readonly ModelId[]; readDeclarations: (id: ModelId) => string; router: string };

function* printTypes({ head, models, readDeclarations, router }: Parts): Generator<string> {
  yield head;
  const entries: string[] = [];
  for (const [index, id] of models.entries()) {
    const types = typesIn(readDeclarations(id));
    if (types === undefined) continue;
    const name = `M${index}`;
    yield `\ndeclare namespace ${name} {\n${types}}\n`;
    entries.push(`  ${literal(id).text}: { input: ${name}.Input; output: ${name}.Output };\n`);
  }
  yield `\nexport interface AllModels {\n${entries.join('')}}\nexport declare const modelIds: readonly (keyof AllModels)[];\n`;
  yield `\ndeclare module ${router} {\n  interface Models extends AllModels {}\n}\n`;
}

function typesIn(text: string): string | undefined {
  const start = text.indexOf(typesMark.start);
  const end = text.indexOf(typesMark.end, start);
  return start < 0 || end < 0 ? undefined : text.slice(start + typesMark.start.length, end);
}
