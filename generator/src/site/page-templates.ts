import { compileTemplates, packageRoot, type RenderPage } from '../../../specs/src/index.ts';
import { type Digest, toDigest } from '../content.ts';
import type { Files } from '../ports.ts';

export type PageData = Readonly<Record<string, unknown>>;
export type PageTemplates = {
  readonly render: RenderPage;
  /** Style and script as they are. */
  asset(name: string): string;
  /** Over all templates. */
  readonly digest: Digest;
};

const folder = (): string => `${packageRoot()}/templates/site`;

/** Reads `templates/site`; the style starts with that of the report's page. */
export async function readPageTemplates(files: Files): Promise<PageTemplates> {
  const names = files.list(folder());
  const texts = new Map(names.map((name) => [name, readText(files, `${folder()}/${name}`)]));
  const base = readText(files, `${packageRoot()}/templates/look.css`);
  texts.set('site.css', base + (texts.get('site.css') ?? ''));
  const pages = names.filter((name) => name.endsWith('.hbs'));
  const render = await compileTemplates(pages.map((name) => [name.slice(0, -'.hbs'.length), texts.get(name) ?? '']));
  return {
    render,
    asset: (name) => texts.get(name) ?? '',
    digest: toDigest(JSON.stringify([...texts])),
  };
}

function readText(files: Files, path: string): string {
  return new TextDecoder().decode(files.read(path));
}
