import { isJsonObject, type JsonValue, type Prebuilt, readPrebuilt } from '../../../specs/src/index.ts';
import type { Files } from '../ports.ts';
import type { EmittedFile } from './emitted-file.ts';
import { prebuildSources, readPackageSources } from './package-sources.ts';

/** Our runtime sources as JavaScript and declarations, without type checking, file by file. */
export async function transpileRuntime(sources: ReadonlyMap<string, string>, folder: string): Promise<EmittedFile[]> {
  const input = inputOf(sources);
  const prebuilt = readPrebuilt('script', input);
  const files = prebuilt === undefined ? await transpile(sources) : readFiles(JSON.parse(prebuilt));
  return files.map(({ path, contents }) => ({ path: `${folder}/${path}`, contents }));
}

/** For the build, so that `transpileRuntime` loads no compiler. */
export async function prebuildScripts(sources: ReadonlyMap<string, string>): Promise<Prebuilt> {
  const files = (await transpile(sources)).map(({ path, contents }) => [path, contents]);
  return { kind: 'script', input: inputOf(sources), output: JSON.stringify(Object.fromEntries(files)) };
}

function inputOf(sources: ReadonlyMap<string, string>): string {
  return JSON.stringify([...sources]);
}

function readFiles(value: JsonValue): EmittedFile[] {
  return Object.entries(isJsonObject(value) ? value : {}).map(([path, contents]) => ({
    path,
    contents: String(contents),
  }));
}

async function transpile(sources: ReadonlyMap<string, string>): Promise<EmittedFile[]> {
  const { default: ts } = await import('typescript');
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2022,
    verbatimModuleSyntax: true,
    isolatedDeclarations: true,
    newLine: ts.NewLineKind.LineFeed,
  };
  return [...sources].flatMap(([fileName, text]) => {
    const stem = fileName.replace(/\.ts$/, '');
    const script = ts.transpileModule(text, { fileName, compilerOptions }).outputText;
    const declarations = ts.transpileDeclaration(text, { fileName, compilerOptions }).outputText;
    const files = [{ path: `${stem}.d.ts`, contents: withBuiltImports(declarations) }];
    // A file of types alone leaves nothing to run.
    return /^\s*export \{\};\s*$/.test(script)
      ? files
      : [...files, { path: `${stem}.js`, contents: withBuiltImports(script) }];
  });
}

function withBuiltImports(text: string): string {
  return text.replace(/(from |import\()(['"])(\.{1,2}\/[^'"]+)\.ts\2/g, '$1$2$3.js$2');
}

/** The handwritten part of the packages, compiled at build time. */
export async function prebuildPackages(files: Files): Promise<Prebuilt[]> {
  const { runtime, validation } = readPackageSources(files);
  return [await prebuildScripts(runtime), await prebuildScripts(validation), prebuildSources(files)];
}
