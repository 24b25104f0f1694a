import { compileTemplates, markAsHtml, packageRoot, type RenderPage } from '../../../specs/src/index.ts';
import type { Files } from '../ports.ts';
import { createDescriptions, type Descriptions } from './descriptions.ts';
import type { FieldRow } from './field-list.ts';
import type { ModelPage } from './model-page.ts';

export type PageData = Readonly<Record<string, unknown>>;
export type PageTemplates = {
  readonly render: RenderPage;
  /** Returns a style sheet or script. */
  asset(name: string): string;
};

/** Reads `templates/site`. The site's style sheet and scripts start with code that the HTML report of the gate also uses. */
export async function readPageTemplates(files: Files): Promise<PageTemplates> {
  const templates = `${packageRoot()}/templates`;
  const read = (path: string): string => new TextDecoder().decode(files.read(`${templates}/${path}`));
  const names = files.list(`${templates}/site`);
  const shared = new Map([
    ['site.css', 'look.css'],
    ['model.js', 'look.js'],
    ['site.js', 'look.js'],
  ]);
  const texts = new Map(
    names.map((name) => {
      const common = shared.get(name);
      return [name, `${common === undefined ? '' : read(common)}${read(`site/${name}`)}`];
    }),
  );
  const pages = names.filter((name) => name.endsWith('.hbs'));
  const named = pages.map((name) => [name.slice(0, -'.hbs'.length), texts.get(name) ?? ''] as const);
  return {
    render: await compileTemplates(named, createHelpers(await createDescriptions())),
    asset: (name) => texts.get(name) ?? '',
  };
}

/** A part of a code sample. `kind`: the CSS class for its colour; empty for text without a colour. */
type CodePiece = { readonly kind: string; readonly text: string };
type Rows = { readonly rows: readonly unknown[]; readonly choices: readonly unknown[] };

// Tokens for syntax highlighting; the names are CSS classes.
const tokens =
  /(?<text>"(?:[^"\\\n]|\\.)*"|'[^'\n]*')|(?<note>\/\/.*)|(?<number>(?<![\w.])-?\d[\d.]*\b)|(?<word>\b(?:import|from|const|await|async|export|type|satisfies|true|false|null|curl)\b)/g;

/** Creates the helpers of the templates. Templates escape the text that helpers return, except rendered descriptions. */
const createHelpers = (descriptions: Descriptions) => ({
  description: (text: string) => markAsHtml(descriptions.html(text)),
  line: (text: string) => markAsHtml(descriptions.line(text) ?? ''),
  inline: (text: string) => markAsHtml(descriptions.inline(text)),
  isLine: (text: string) => descriptions.line(text) !== undefined,
  brief: (text: string) => descriptions.brief(text),
  /** Splits a name at the points where a line may break. */
  nameParts: (name: string) => name.split(/(?<=[_.\]/-])|(?<=[a-z])(?=[A-Z])/),

  /** Splits code into pieces for syntax highlighting. */
  highlight(source: string) {
    const pieces: CodePiece[] = [];
    let end = 0;
    for (const { 0: text, index, groups = {} } of source.matchAll(tokens)) {
      if (index > end) pieces.push({ kind: '', text: source.slice(end, index) });
      pieces.push({ kind: Object.keys(groups).find((name) => groups[name] !== undefined) ?? '', text });
      end = index + text.length;
    }
    if (end < source.length) pieces.push({ kind: '', text: source.slice(end) });
    return pieces;
  },

  /** Prints a curl command for the call. It uses the same environment variables as the generated client. */
  curl({ path, input }: { readonly path: string; readonly input: string }) {
    const escaped = path.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
    const before = [
      `curl -sS -X POST "\${MODEL_ROUTER_URL}/v2/models/${escaped}"`,
      `-H "X-API-Key: \${MODEL_ROUTER_API_KEY}"`,
      "-H 'Content-Type: application/json'",
      '--data-raw ',
    ];
    return { before: before.join(' \\\n  '), input: `'${input.replaceAll("'", "'\\''")}'`, after: '' };
  },

  groupByProvider: (models: readonly ModelPage[]) =>
    [...Map.groupBy(models, ({ provider }) => provider)].map(([provider, own]) => ({ provider, models: own })),
  count: (list: readonly unknown[]) => list.length,
  hasInner: ({ children, choices }: FieldRow) => children.length + choices.length > 0,
  hasRows: ({ rows, choices }: Rows) => rows.length + choices.length > 0,
  isSame: (one: unknown, other: unknown) => one === other,
  plural: (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`,
});
