import { asObject, packageRoot, readOrCreateText } from '../../../specs/src/index.ts';
import { type Digest, parseJsonObject, toDigest } from '../content.ts';
import type { Files } from '../ports.ts';
import type { EmitSettings, EmittedFile, OutputLayout } from './emitted-file.ts';
import { type Code, generatedHead } from './source.ts';

/** Texts by file name. */
export type Texts = Readonly<Record<string, string>>;

/** The handwritten files that are copied or compiled into the generated packages. */
export type PackageSources = {
  readonly version: string;
  readonly openapiFetch: string;
  /** Sources of the clients of both APIs, by path in `runtime/src`. */
  readonly runtime: Texts;
  /** Sources that the validators of the models package need. */
  readonly validation: Texts;
  /** Handlebars templates by file name. */
  readonly templates: Texts;
  /** Digest of all these texts and of the generator's code that prints the output. */
  readonly code: Digest;
};

/** Data for every emitter of a package. */
export type PackageContext = {
  readonly sources: PackageSources;
  readonly settings: EmitSettings;
  readonly outputLayout: OutputLayout;
};

/** Folders of the generator whose code affects the output. */
const codeFolders = [
  'generator/src/emit',
  'generator/src/model',
  'generator/src/typing',
  'specs/src/documents',
  'specs/src/schema',
];

const runtimeFolders = [
  ...['', 'http/', 'router/', 'queue/', 'resume/', 'catalog/', 'with-options/', 'workflow/'],
  ...['assets/', 'node/', 'browser/', 'key-store/', 'proxy/'],
];

/** Files of the pattern matcher, which validators share with the sandbox and the gate. */
const patternSources = ['linear-pattern.ts', 'pattern-tree.ts'];

export function readPackageSources(files: Files): PackageSources {
  return JSON.parse(readOrCreateText('sources', '', () => JSON.stringify(gatherSources(files))));
}

function gatherSources(files: Files): PackageSources {
  const root = packageRoot();
  const isSource = (name: string): boolean => /(?<!\.test)\.ts$/.test(name);
  const runtime = Object.fromEntries(
    runtimeFolders.flatMap((folder) => {
      const texts = readFolder(files, `${root}/runtime/src/${folder}`, isSource);
      return Object.entries(texts).map(([name, text]) => [`${folder}${name}`, text] as const);
    }),
  );
  const validation = {
    ...readFolder(files, `${root}/runtime/src/validation`, isSource),
    ...readFolder(files, `${root}/specs/src/schema`, (name) => patternSources.includes(name)),
  };
  const templates = readFolder(files, `${root}/templates`, (name) => name.endsWith('.hbs'));
  const code = codeFolders.flatMap((folder) =>
    Object.entries(readFolder(files, `${root}/${folder}`, (name) => !name.includes('.test.'))),
  );
  const manifest = readManifest(files, `${root}/package.json`);
  const texts = [manifest, runtime, validation, templates].flatMap((part) => Object.entries(part));
  return { ...manifest, runtime, validation, templates, code: toDigest(JSON.stringify([texts, code])) };
}

function readFolder(files: Files, folder: string, isWanted: (name: string) => boolean): Texts {
  const text = new TextDecoder();
  const names = files.list(folder).filter(isWanted);
  return Object.fromEntries(names.map((name) => [name, text.decode(files.read(`${folder}/${name}`))]));
}

/** Reads the generator's version and the pinned version of openapi-fetch, the only dependency of generated clients. */
function readManifest(files: Files, path: string): { version: string; openapiFetch: string } {
  const manifest = parseJsonObject(files.read(path)) ?? {};
  const dependencies = asObject(manifest['dependencies']);
  return { version: String(manifest['version']), openapiFetch: String(dependencies['openapi-fetch']) };
}

/** Renders a template and its partials. Inserts printed code without escaping it. Throws TypeError if a value is missing. */
export function renderTemplate(
  { templates }: PackageSources,
  name: string,
  slots: Readonly<Record<string, Code>>,
): string {
  const text = (templates[name] ?? '').replace(/\{\{> (.*?)\}\}\n/g, (_, part: string) => templates[part] ?? '');
  return text.replace(/\{\{(.*?)\}\}/g, (_, slot: string) => {
    const piece = slots[slot];
    if (piece === undefined) throw new TypeError(`${name}: there is no value for ${slot}`);
    return piece.text;
  });
}

/** Transpiles the runtime sources to JavaScript and declarations, file by file and without type checking. */
export async function transpileRuntime(sources: Texts, folder: string): Promise<EmittedFile[]> {
  const text = await readOrCreateText('script', JSON.stringify(sources), () => transpile(sources));
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
