import { escapeAll } from '../../../specs/src/index.ts';
import type { FieldRow } from './field-list.ts';
import type { ModelPage } from './model-page.ts';

/** A stretch of a program, and the class that colours it; empty for none. */
type Piece = { readonly kind: string; readonly text: string };
type Brief = { readonly brief: string; readonly more: string };
type Nested = Omit<FieldRow, 'bounds'> &
  Brief & {
    readonly id: string;
    readonly name: string;
    readonly bounds: readonly string[];
    readonly children: Nested[];
  };
/** What the tool of an agent imports. */
type Modules = { readonly router: string; readonly own: string };

// What a program is coloured by; the names are classes of the style sheet. The form of a page uses the same pattern.
const tokens =
  /(?<text>"(?:[^"\\\n]|\\.)*"|'[^'\n]*')|(?<note>\/\/.*)|(?<number>(?<![\w.])-?\d[\d.]*\b)|(?<word>\b(?:import|from|const|await|async|export|type|satisfies|true|false|null|curl)\b)/g;

const mostNested = 20;
const longestBrief = 140;

/** What templates call. Texts stay texts, which a template escapes. */
export const helpers = {
  tokenPattern: () => tokens.source,

  /** The pieces of a program in their order; `kind` is empty for what has no colour. */
  highlight(source: string) {
    const pieces: Piece[] = [];
    let end = 0;
    for (const { 0: text, index, groups = {} } of source.matchAll(tokens)) {
      if (index > end) pieces.push({ kind: '', text: source.slice(end, index) });
      pieces.push({ kind: Object.keys(groups).find((name) => groups[name] !== undefined) ?? '', text });
      end = index + text.length;
    }
    if (end < source.length) pieces.push({ kind: '', text: source.slice(end) });
    return pieces;
  },

  /** Rows as a tree by their paths, each with an id of its own; beyond twenty levels they are siblings. */
  nest(rows: readonly FieldRow[], prefix: string) {
    const roots: Nested[] = [];
    const above: Nested[] = [];
    const seen = new Map<string, number>();
    for (const row of rows) {
      while (above.length > 0 && !isWithin(row.path, above.at(-1)?.path ?? '')) above.pop();
      const outer = above[Math.min(above.length, mostNested) - 1];
      const id = `${prefix}.${encodeURIComponent(row.path.toWellFormed())}`;
      const count = seen.get(id) ?? 0;
      seen.set(id, count + 1);
      const own: Nested = {
        ...row,
        id: count === 0 ? id : `${id}~${count + 1}`,
        name: outer === undefined ? row.path : row.path.slice(outer.path.length).replace(/^\./, ''),
        ...splitText(row.description),
        bounds: joinBounds(row.bounds),
        children: [],
      };
      (outer?.children ?? roots).push(own);
      above.push(own);
    }
    return roots;
  },

  /** A program that offers the model to an agent; `modules` is where the generated packages are. */
  agentTool({ router, own }: Modules, description: string) {
    const text = (value: string): string => JSON.stringify(value).replace(/[\u2028\u2029]/g, escapeAll);
    return `import { tool } from 'ai';
import { createModelRouter } from ${text(router)};
import { inputSchema, model } from ${text(own)};

const router = createModelRouter();
let runsLeft = 1; // an agent may call a tool often, and a run may be billed

export const runModel = tool({
  description: ${text(splitText(description.replace(/\s+/g, ' ')).brief)},
  inputSchema,
  async execute(input, { abortSignal }) {
    if (runsLeft === 0) return { error: 'no runs are left' };
    runsLeft -= 1;
    const outcome = await router.safe.run(model, input, { signal: abortSignal });
    return outcome.ok ? outcome.data : { error: outcome.error.message };
  },
});`;
  },

  /** One command of a shell around the input; its variables are those that the generated client reads. */
  curl({ path, input }: { readonly path: string; readonly input: string }) {
    const escaped = path.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
    const before = [
      `curl -sS -X POST "\${MODEL_ROUTER_URL}/v2/models/${escaped}"`,
      `-H "X-API-Key: \${MODEL_ROUTER_API_KEY}"`,
      "-H 'Content-Type: application/json'",
      '--data-binary ',
    ];
    return { before: before.join(' \\\n  '), input: `'${input.replaceAll("'", "'\\''")}'`, after: '' };
  },

  groupByProvider: (models: readonly ModelPage[]) =>
    [...Map.groupBy(models, ({ provider }) => provider)].map(([provider, own]) => ({ provider, models: own })),
  count: (list: readonly unknown[]) => list.length,
  orElse: (text: string, otherwise: string) => (text === '' ? otherwise : text),
  isSame: (one: unknown, other: unknown) => one === other,
  plural: (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`,
};

const isWithin = (path: string, outer: string): boolean =>
  outer !== '' && (path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`));

const ranges = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ' items'],
] as const;

/** Bounds as people write them: `256 to 2048`, `above 0`, `1 to 4 items`, `uri`; others as the schema has them. */
function joinBounds(bounds: readonly string[]): readonly string[] {
  const left = new Map(bounds.map((text) => [text.slice(0, text.indexOf(' ')), text]));
  const value = (name: string): string | undefined => left.get(name)?.slice(name.length + 1);
  const joined = ranges.flatMap(([least, most, unit]) => {
    const [low, high] = [value(least), value(most)];
    left.delete(least);
    left.delete(most);
    if (low === undefined && high === undefined) return [];
    return [
      high === undefined
        ? `from ${low}${unit}`
        : low === undefined
          ? `up to ${high}${unit}`
          : `${low} to ${high}${unit}`,
    ];
  });
  const format = left.get('format');
  left.delete('format');
  const others = [...left.values()].map((text) =>
    text.replace(/^exclusiveMinimum/, 'above').replace(/^exclusiveMaximum/, 'below'),
  );
  return [...(format === undefined ? [] : [format.replace(/^format "(.*)"$/, '$1')]), ...joined, ...others];
}

/** A field has one line; what follows its first sentence is folded. */
function splitText(text: string): Brief {
  if (text.length <= longestBrief) return { brief: text, more: '' };
  const [sentence] = /^[^\n]{20,}?[.!?](?=\s)/.exec(text) ?? [];
  const end =
    sentence !== undefined && sentence.length <= longestBrief ? sentence.length : text.lastIndexOf(' ', longestBrief);
  const at = end > 0 ? end : longestBrief;
  return { brief: text.slice(0, at), more: text.slice(at).trim() };
}
