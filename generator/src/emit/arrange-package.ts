import type { JsonObject } from '../../../specs/src/index.ts';
import { parseJsonObject } from '../content.ts';
import { type EmitSettings, type EmittedFile, type EmittedPieces, printManifest } from './emitted-file.ts';
import { type PackageSources, renderTemplate } from './package-sources.ts';
import type { Package } from './packages.ts';

/** How the output is laid out, and what its manifests say beside what the generator knows. */
export type Arrangement = {
  /** `packages` with a manifest each, or a `folder` of plain files that import each other by relative paths. */
  readonly layout: 'packages' | 'folder';
  /** Members of every manifest, such as its license. */
  readonly manifest?: JsonObject;
  /** Without it the packages are private. */
  readonly publish?: { readonly access: 'public' | 'restricted'; readonly publishConfig?: JsonObject };
  /** How the packages name each other in a workspace: by any version, or by the protocol of pnpm, yarn and bun. */
  readonly peers: 'any-version' | 'workspace-protocol';
};

type Emitted = EmittedFile | EmittedPieces;

/** The files of a package as the settings arrange them in the output folder. */
export function arrangePackage(
  name: Package['name'],
  files: readonly Emitted[],
  { arrangement, sources }: { arrangement: Arrangement; sources: PackageSources },
): Emitted[] {
  const isFolder = arrangement.layout === 'folder';
  const arranged = isFolder ? files.filter(({ path }) => !isOfPackages.test(path)) : files;
  const finished = arranged.map((file) => ('contents' in file ? finishManifest(file, arrangement) : file));
  if (name !== 'workspace') return finished;
  const readme = { path: 'README.md', contents: renderTemplate(sources, 'folder-readme.md.hbs', {}) };
  return [...finished, printAttributes(arrangement.layout), ...(isFolder ? [readme] : [])];
}

/** What only packages need; the low-level client needs a package itself. */
const isOfPackages =
  /(?:^|\/)(?:package\.json|README\.md|tsconfig\.json|client\.(?:d\.ts|js)|paths-client\.(?:d\.ts|js))$/;

/** The settings for the files of models or of packages: where there are no package names, the path from one of them to the client. */
export function settingsFor(
  files: 'models' | 'packages',
  settings: EmitSettings,
  layout: Arrangement['layout'],
): EmitSettings {
  if (layout === 'packages') return settings;
  const modelRouter = `${files === 'models' ? '../..' : '..'}/model-router/index.js`;
  return { ...settings, packageNames: { ...settings.packageNames, modelRouter } };
}

function finishManifest(file: EmittedFile, { manifest: stated, publish }: Arrangement): EmittedFile {
  const manifest = file.path.endsWith('/package.json') ? parseJsonObject(file.contents) : undefined;
  if (manifest === undefined) return file;
  const { name = '', version = '', description = '', private: _, ...rest } = manifest;
  const publishConfig = publish && { ...publish.publishConfig, access: publish.access };
  const finished: JsonObject = {
    name,
    version,
    ...(publish === undefined ? { private: true } : {}),
    description,
    ...(publish !== undefined ? { license: 'UNLICENSED' } : {}),
    ...rest,
    ...stated,
    ...(publishConfig === undefined ? {} : { publishConfig }),
  };
  return { path: file.path, contents: printManifest(finished) };
}

// Only what is ours: the folder may hold other packages as well.
const ours = ['.gitattributes', 'switchyard.lock.json', 'model-router/**', 'workflow-execution/**', 'models/**'];

/** A checkout keeps the line ends that the lockfile knows, and reviews fold these files. */
function printAttributes(layout: Arrangement['layout']): EmittedFile {
  const patterns = [...ours, layout === 'folder' ? 'README.md' : 'tsconfig.json'];
  const lines = patterns.map((pattern) => `/${pattern} text eol=lf linguist-generated\n`);
  return { path: '.gitattributes', contents: lines.join('') };
}
