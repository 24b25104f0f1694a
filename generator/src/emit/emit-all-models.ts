import type { ModelId } from '../catalog/model-id.ts';
import { typesMark } from './emit-model.ts';
import type { EmitSettings, EmittedFile } from './emitted-file.ts';
import { literal } from './source.ts';

/** The text of a model's declarations as they stand in the output. */
export type ReadDeclarations = (models: readonly ModelId[]) => Promise<ReadonlyMap<ModelId, string>>;

/**
 * Every model's types in one file, for those who want the whole map: an index that imports them would cost a consumer
 * several times as much.
 */
export async function emitAllModels(
  models: readonly ModelId[],
  readDeclarations: ReadDeclarations,
  { packageNames, generatorVersion }: EmitSettings,
): Promise<EmittedFile[]> {
  const head = `/** Every model. Made by switchyard ${generatorVersion}; edits are lost. */\n`;
  const declarations = await readDeclarations(models);
  const namespaces: string[] = [];
  const entries: string[] = [];
  for (const [index, id] of models.entries()) {
    const types = typesIn(declarations.get(id) ?? '');
    if (types === undefined) continue;
    namespaces.push(`declare namespace M${index} {\n${types}}\n`);
    entries.push(`  ${literal(id).text}: { input: M${index}.Input; output: M${index}.Output };\n`);
  }
  const router = literal(packageNames.modelRouter).text;
  const map = `export interface AllModels {\n${entries.join('')}}\nexport declare const modelIds: readonly (keyof AllModels)[];\n`;
  const augmentation = `declare module ${router} {\n  interface Models extends AllModels {}\n}\n`;
  return [
    { path: 'models/all.d.ts', contents: `${head}${map}\n${augmentation}\n${namespaces.join('\n')}` },
    { path: 'models/all.js', contents: `${head}export const modelIds = ${literal([...models]).text};\n` },
  ];
}

function typesIn(text: string): string | undefined {
  const start = text.indexOf(typesMark.start);
  const end = text.indexOf(typesMark.end, start);
  return start < 0 || end < 0 ? undefined : text.slice(start + typesMark.start.length, end);
}
