import { pathToFileURL } from 'node:url';
import type { HelperDeclareSpec } from 'handlebars';
import { packageRoot, visibleText } from '../../../specs/src/index.ts';
import { type Digest, toDigest } from '../content.ts';
import type { EmittedFile } from '../emit/emitted-file.ts';
import type { Files } from '../ports.ts';

/** Data for a template: every slot has a value, and each text goes into the page escaped. */
export type PageData = Readonly<Record<string, unknown>>;
export type PageTemplates = Omit<Build, 'helpers'> & {
  /** The page of a template, from data whose texts may be anything. */
  render(name: string, data: PageData): string;
  /** Style and script as they are. */
  asset(name: string): string;
  /** Over all templates. */
  readonly digest: Digest;
};

/** `build.js` of the templates, which is no script of a page. */
type Build = {
  readonly helpers: HelperDeclareSpec;
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
  const { default: handlebars } = await import('handlebars');
  const own = handlebars.create();
  // Strict: a slot without data is a mistake and no empty text.
  const { helpers, ...build }: Build = await import(pathToFileURL(`${folder()}/build.js`).href);
  own.registerHelper(helpers);
  const knownHelpers = Object.fromEntries(Object.keys(helpers).map((name) => [name, true]));
  const options = { strict: true, knownHelpersOnly: true, knownHelpers, preventIndent: true };
  const compiled = new Map(
    names
      .filter((name) => name.endsWith('.hbs'))
      .map((name) => [name.slice(0, -'.hbs'.length), own.compile(texts.get(name) ?? '', options)] as const),
  );
  own.registerPartial(Object.fromEntries(compiled));
  return {
    render: (name, data) => compiled.get(name)?.(visible(data)) ?? '',
    asset: (name) => texts.get(name) ?? '',
    ...build,
    digest: toDigest(JSON.stringify([...texts])),
  };
}

function readText(files: Files, path: string): string {
  return new TextDecoder().decode(files.read(path));
}

/** Text without characters that hide or reorder others: each becomes U+FFFD. */
function visible(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value)) return value.map(visible);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, visible(part)]));
}
