import { isJsonObject, type Prebuilt, packageRoot, readPrebuilt } from '../../../specs/src/index.ts';
import { type Digest, digestOf } from '../digest.ts';
import { parseJsonBody } from '../json-body.ts';
import type { Files } from '../ports.ts';
import type { Code } from './source.ts';

/** The handwritten part of what is generated, as text by file name. */
export type PackageSources = {
  /** Of this generator. */
  version: string;
  runtime: ReadonlyMap<string, string>;
  /** What the validators of the models package run on. */
  validation: ReadonlyMap<string, string>;
  templates: ReadonlyMap<string, string>;
  /** Pinned version of the one package that generated clients need. */
  openapiFetch: string;
  /** Changes with any of these texts. */
  digest: Digest;
  /** Changes with these texts and with the code that prints. */
  code: Digest;
};

/** Of this generator's own code, in the repository. */
const codeFolders = ['emit', 'model', 'typing', 'validators'].map((name) => `generator/src/${name}`);

export function readPackageSources(files: Files): PackageSources {
  const prebuilt = readPrebuilt('sources', '');
  if (prebuilt === undefined) return gatherSources(files);
  const stored: Stored = JSON.parse(prebuilt); // as `prebuildSources` wrote it
  return {
    ...stored,
    runtime: new Map(stored.runtime),
    validation: new Map(stored.validation),
    templates: new Map(stored.templates),
  };
}

type TextMaps = 'runtime' | 'validation' | 'templates';
type Stored = Omit<PackageSources, TextMaps> & { [Name in TextMaps]: [string, string][] };

/** For the build: what is published never changes afterwards. */
export function prebuildSources(files: Files): Prebuilt {
  const { runtime, validation, templates, ...rest } = gatherSources(files);
  const stored: Stored = { ...rest, runtime: [...runtime], validation: [...validation], templates: [...templates] };
  return { kind: 'sources', input: '', output: JSON.stringify(stored) };
}

function gatherSources(files: Files): PackageSources {
  const root = packageRoot();
  const runtime = readFolder(files, `${root}/runtime/src`, (name) => /(?<!\.test)\.ts$/.test(name));
  const validation = readFolder(files, `${root}/runtime/src/validation`, (name) => /(?<!\.test)\.ts$/.test(name));
  const templates = readFolder(files, `${root}/templates`, (name) => name.endsWith('.hbs'));
  const isCode = (name: string): boolean => !name.includes('.test.');
  const code: [name: string, text: string][] = [];
  for (const folder of [...codeFolders, 'specs/src/schema'])
    code.push(...readFolder(files, `${root}/${folder}`, isCode));
  const manifest = readManifest(files, `${root}/package.json`);
  const digest = digestOf(JSON.stringify([...Object.entries(manifest), ...runtime, ...validation, ...templates]));
  return { ...manifest, runtime, validation, templates, digest, code: digestOf(JSON.stringify([digest, code])) };
}

function readFolder(files: Files, folder: string, isWanted: (name: string) => boolean): Map<string, string> {
  const text = new TextDecoder();
  const names = files.list(folder).filter(isWanted);
  return new Map(names.map((name) => [name, text.decode(files.read(`${folder}/${name}`))]));
}

function readManifest(files: Files, path: string): { version: string; openapiFetch: string } {
  const bytes = files.read(path);
  const body = bytes === undefined ? undefined : parseJsonBody(bytes, undefined);
  const manifest = body?.kind === 'json' && isJsonObject(body.value) ? body.value : {};
  const dependencies = isJsonObject(manifest['dependencies']) ? manifest['dependencies'] : {};
  return { version: String(manifest['version']), openapiFetch: String(dependencies['openapi-fetch']) };
}

/** Fills a template. Only printed pieces go in, unescaped; a slot without a piece is an error. */
export async function renderTemplate(source: string, slots: Readonly<Record<string, Code>>): Promise<string> {
  const { default: handlebars } = await import('handlebars');
  const template = handlebars.create().compile(source, { noEscape: true, strict: true, knownHelpersOnly: true });
  return template(Object.fromEntries(Object.entries(slots).map(([name, piece]) => [name, piece.text])));
}
