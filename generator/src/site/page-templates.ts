import { pathToFileURL } from 'node:url';
import { compileTemplates, packageRoot, type RenderPage, type TemplateHelpers } from '../../../specs/src/index.ts';
import { type Digest, toDigest } from '../content.ts';
import type { EmittedFile } from '../emit/emitted-file.ts';
import type { Files } from '../ports.ts';

export type PageData = Readonly<Record<string, unknown>>;
export type PageTemplates = Omit<Build, 'helpers'> & {
  readonly render: RenderPage;
  /** Style and script as they are. */
  asset(name: string): string;
  /** Over all templates. */
  readonly digest: Digest;
};

/** `build.js` of the templates, which is no script of a page. */
type Build = {
  readonly helpers: TemplateHelpers;
  /** With what readers want to know of each model: modalities and a mark; texts that say nothing are left out. */
  finishPages<Page>(pages: readonly Page[], changes: object | undefined): readonly (Page & { readonly mark: string })[];
  /** The shipped validator as one script. */
  printValidator(files: readonly EmittedFile[]): string;
};

const folder = (): string => `${packageRoot()}/templates/site`;

/** Reads `templates/site`; the style starts with that of the report's page. */
export async function readPageTemplates(files: Files): Promise<PageTemplates> {
  const names = files.list(folder());
  const texts = new Map(names.map((name) => [name, readText(files, `${folder()}/${name}`)]));
  const base = readText(files, `${packageRoot()}/templates/look.css`);
  texts.set('site.css', base + (texts.get('site.css') ?? ''));
  const { helpers, ...build }: Build = await import(pathToFileURL(`${folder()}/build.js`).href);
  const pages = names.filter((name) => name.endsWith('.hbs'));
  const named = pages.map((name) => [name.slice(0, -'.hbs'.length), texts.get(name) ?? ''] as const);
  return {
    render: await compileTemplates(named, helpers),
    asset: (name) => texts.get(name) ?? '',
    ...build,
    digest: toDigest(JSON.stringify([...texts])),
  };
}

function readText(files: Files, path: string): string {
  return new TextDecoder().decode(files.read(path));
}
