import type { ModelId } from '../catalog/model-id.ts';
import { typesMark } from './emit-model.ts';
import type { EmitSettings, EmittedFile, EmittedPieces } from './emitted-file.ts';
import { literal } from './source.ts';

/** The text of a model's declarations as they stand in the output. */
export type ReadDeclarations = (models: readonly ModelId[]) => Promise<ReadonlyMap<ModelId, string>>;

const atOnce = 200;

/**
 * Every model's types in one file, for those who want the whole map: an index that imports them would cost a consumer
 * several times as much.
 */
export function emitAllModels(
  models: readonly ModelId[],
  readDeclarations: ReadDeclarations,
  { packageNames, generatorVersion }: EmitSettings,
): [types: EmittedPieces, script: EmittedFile] {
  const head = `/** Every model. Made by switchyard ${generatorVersion}; edits are lost. */\n`;
  const router = literal(packageNames.modelRouter).text;
  return [
    { path: 'models/all.d.ts', pieces: printTypes({ head, models, readDeclarations, router }) },
    { path: 'models/all.js', contents: `${head}export const modelIds = ${literal([...models]).text};\n` },
  ];
}

type Whole = { head: string; models: readonly ModelId[]; readDeclarations: ReadDeclarations; router: string };

async function* printTypes({ head, models, readDeclarations, router }: Whole): AsyncGenerator<string> {
  yield head;
  const entries: string[] = [];
  for (let start = 0; start < models.length; start += atOnce) {
    const batch = models.slice(start, start + atOnce);
    const declarations = await readDeclarations(batch);
    for (const [index, id] of batch.entries()) {
      const types = typesIn(declarations.get(id) ?? '');
      if (types === undefined) continue;
      const name = `M${start + index}`;
      yield `\ndeclare namespace ${name} {\n${types}}\n`;
      entries.push(`  ${literal(id).text}: { input: ${name}.Input; output: ${name}.Output };\n`);
    }
  }
  yield `\nexport interface AllModels {\n${entries.join('')}}\nexport declare const modelIds: readonly (keyof AllModels)[];\n`;
  yield `\ndeclare module ${router} {\n  interface Models extends AllModels {}\n}\n`;
}

function typesIn(text: string): string | undefined {
  const start = text.indexOf(typesMark.start);
  const end = text.indexOf(typesMark.end, start);
  return start < 0 || end < 0 ? undefined : text.slice(start + typesMark.start.length, end);
}
