import { readOrMake } from '../../../specs/src/index.ts';
import type { Files } from '../ports.ts';
import type { EmittedFile } from './emitted-file.ts';
import { readPackageSources, type Texts } from './package-sources.ts';
import { generatedHead } from './source.ts';

/** Transpiles the runtime sources to JavaScript and declarations, file by file and without type checking. */
export async function transpileRuntime(sources: Texts, folder: string): Promise<EmittedFile[]> {
  const text = await readOrMake('script', JSON.stringify(sources), () => transpile(sources));
  const files: Texts = JSON.parse(text); // written by `transpile`
  return Object.entries(files).map(([path, contents]) => ({ path: `${folder}/${path}`, contents }));
}

/** Returns the compiled texts by path, as JSON. */
async function transpile(sources: Texts): Promise<string> {
  const { default: ts } = await import('typescript');
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2022,
    verbatimModuleSyntax: true,
    isolatedDeclarations: true,
    newLine: ts.NewLineKind.LineFeed,
  };
  const head = generatedHead(['Part of switchyard; do not edit.']).text;
  const files: Record<string, string> = {};
  for (const [fileName, text] of Object.entries(sources)) {
    const stem = fileName.replace(/\.ts$/, '');
    const script = ts.transpileModule(text, { fileName, compilerOptions }).outputText;
    files[`${stem}.d.ts`] =
      head + withBuiltImports(ts.transpileDeclaration(text, { fileName, compilerOptions }).outputText);
    // Skip the JavaScript of files that only contain types.
    if (!/^\s*export \{\};\s*$/.test(script)) files[`${stem}.js`] = head + withBuiltImports(script);
  }
  return JSON.stringify(files);
}

function withBuiltImports(text: string): string {
  return text.replace(/(from |import\()(['"])(\.{1,2}\/[^'"]+)\.ts\2/g, '$1$2$3.js$2');
}

/** Transpiles the runtime at build time, so that the generator doesn't have to load a compiler. */
export async function makeRuntime(files: Files): Promise<void> {
  const { runtime, validation } = readPackageSources(files);
  await Promise.all([runtime, validation].map((sources) => transpileRuntime(sources, '')));
}
