import { isJsonObject, type Prebuilt, packageRoot, readPrebuilt } from '../../../specs/src/index.ts';
import { type Digest, digestOf } from '../digest.ts';
import type { Files } from '../ports.ts';
import { parseJsonBody } from '../source/json-body.ts';

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
  /** Changes with the code that makes output, which is another one before and after it is built. */
  code: Digest;
};

const codeFolders = ['.', '../model', '../schema', '../typing', '../validators'];

export async function readPackageSources(files: Files): Promise<PackageSources> {
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
export async function prebuildSources(files: Files): Promise<Prebuilt> {
  const { runtime, validation, templates, ...rest } = await gatherSources(files);
  const stored: Stored = { ...rest, runtime: [...runtime], validation: [...validation], templates: [...templates] };
  return { kind: 'sources', input: '', output: JSON.stringify(stored) };
}

async function gatherSources(files: Files): Promise<PackageSources> {
  const root = packageRoot();
  const runtime = await readFolder(files, `${root}/runtime/src`, (name) => /(?<!\.test)\.ts$/.test(name));
  const validation = await readFolder(files, `${root}/runtime/src/validation`, (name) => /(?<!\.test)\.ts$/.test(name));
  const templates = await readFolder(files, `${root}/templates`, (name) => name.endsWith('.hbs'));
  const isCode = (name: string): boolean => !name.includes('.test.');
  const code: [name: string, text: string][] = [];
  for (const folder of codeFolders) code.push(...(await readFolder(files, `${import.meta.dirname}/${folder}`, isCode)));
  const manifest = await readManifest(files, `${root}/package.json`);
  const digest = digestOf(JSON.stringify([...Object.entries(manifest), ...runtime, ...validation, ...templates]));
  return { ...manifest, runtime, validation, templates, digest, code: digestOf(JSON.stringify([digest, code])) };
}

async function readFolder(
  files: Files,
  folder: string,
  isWanted: (name: string) => boolean,
): Promise<Map<string, string>> {
  const names = (await files.list(folder)).filter(isWanted);
  const found = await files.read(names.map((name) => `${folder}/${name}`));
  const text = new TextDecoder();
  return new Map(names.map((name) => [name, text.decode(found.get(`${folder}/${name}`))]));
}

async function readManifest(files: Files, path: string): Promise<{ version: string; openapiFetch: string }> {
  const bytes = (await files.read([path])).get(path);
  const body = bytes === undefined ? undefined : parseJsonBody(bytes, undefined);
  const manifest = body?.kind === 'json' && isJsonObject(body.value) ? body.value : {};
  const dependencies = isJsonObject(manifest['dependencies']) ? manifest['dependencies'] : {};
  return { version: String(manifest['version']), openapiFetch: String(dependencies['openapi-fetch']) };
}
