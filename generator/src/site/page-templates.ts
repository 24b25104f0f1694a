import { compileTemplates, packageRoot, type RenderPage } from '../../../specs/src/index.ts';
import { type Digest, toDigest } from '../content.ts';
import type { Files } from '../ports.ts';
import { helpers } from './template-helpers.ts';

export type PageData = Readonly<Record<string, unknown>>;
export type PageTemplates = {
  readonly render: RenderPage;
  /** Style and script as they are. */
  asset(name: string): string;
  /** Over all templates. */
  readonly digest: Digest;
};

const folder = (): string => `${packageRoot()}/templates/site`;

/** Reads `templates/site`; style and scripts start with those that the report's page has too. */
export async function readPageTemplates(files: Files): Promise<PageTemplates> {
  const names = files.list(folder());
  const texts = new Map(names.map((name) => [name, readText(files, `${folder()}/${name}`)]));
  for (const [own, common] of [
    ['site.css', 'look.css'],
    ['model.js', 'look.js'],
    ['site.js', 'look.js'],
  ] as const)
    texts.set(own, readText(files, `${packageRoot()}/templates/${common}`) + (texts.get(own) ?? ''));
  const pages = names.filter((name) => name.endsWith('.hbs'));
  const named = pages.map((name) => [name.slice(0, -'.hbs'.length), texts.get(name) ?? ''] as const);
  return {
    render: await compileTemplates(named, helpers),
    asset: (name) => texts.get(name) ?? '',
    digest: toDigest(JSON.stringify([...texts])),
  };
}

function readText(files: Files, path: string): string {
  return new TextDecoder().decode(files.read(path));
}
