// Runs while the site is made: what templates call, and what joins scripts. Everything is pure, and texts stay texts.

// What a program is coloured by; the names are classes of the style sheet. The form of a page uses the same pattern.
const tokens =
  /(?<text>"(?:[^"\\\n]|\\.)*"|'[^'\n]*')|(?<note>\/\/.*)|(?<number>(?<![\w.])-?\d[\d.]*\b)|(?<word>\b(?:import|from|const|await|async|export|type|satisfies|true|false|null|curl)\b)/g;

const mostNested = 20;
const longestBrief = 140;

const helpers = {
  tokenPattern: () => tokens.source,

  /** The pieces of a program in their order; `kind` is empty for what has no colour. */
  highlight(source) {
    const pieces = [];
    let end = 0;
    for (const { 0: text, index, groups } of source.matchAll(tokens)) {
      if (index > end) pieces.push({ kind: '', text: source.slice(end, index) });
      pieces.push({ kind: Object.keys(groups).find((name) => groups[name] !== undefined), text });
      end = index + text.length;
    }
    if (end < source.length) pieces.push({ kind: '', text: source.slice(end) });
    return pieces;
  },

  /** Rows as a tree by their paths, each with an id of its own; beyond twenty levels they are siblings. */
  nest(rows, prefix) {
    const roots = [];
    const above = [];
    const seen = new Map();
    for (const row of rows) {
      while (above.length > 0 && !isWithin(row.path, above.at(-1).path)) above.pop();
      const outer = above[Math.min(above.length, mostNested) - 1];
      const id = `${prefix}.${encodeURIComponent(row.path.toWellFormed())}`;
      const count = seen.get(id) ?? 0;
      seen.set(id, count + 1);
      const own = {
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
  agentTool({ router, own }, description) {
    const text = (value) => JSON.stringify(value).replace(/[\u2028\u2029]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);
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

  count: (list) => list.length,
  orElse: (text, otherwise) => (text === '' ? otherwise : text),
  isSame: (one, other) => one === other,
  plural: (count, one, many) => `${count} ${count === 1 ? one : many}`,
};

const isWithin = (path, outer) => outer !== '' && (path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`));

const ranges = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ' items'],
];

/** Bounds as people write them: `256 to 2048`, `1 to 4 items`, `uri`; others as the schema has them. */
function joinBounds(bounds) {
  const left = new Map(bounds.map((text) => [text.slice(0, text.indexOf(' ')), text]));
  const value = (name) => left.get(name)?.slice(name.length + 1);
  const joined = ranges.flatMap(([least, most, unit]) => {
    const [low, high] = [value(least), value(most)];
    left.delete(least);
    left.delete(most);
    if (low === undefined && high === undefined) return [];
    return [high === undefined ? `from ${low}${unit}` : low === undefined ? `up to ${high}${unit}` : `${low} to ${high}${unit}`];
  });
  const format = left.get('format');
  left.delete('format');
  return [...(format === undefined ? [] : [format.replace(/^format "(.*)"$/, '$1')]), ...joined, ...left.values()];
}

/** A field has one line; what follows its first sentence is folded. */
function splitText(text) {
  if (text.length <= longestBrief) return { brief: text, more: '' };
  const [sentence] = /^[^\n]{20,}?[.!?](?=\s)/.exec(text) ?? [];
  const end = sentence !== undefined && sentence.length <= longestBrief ? sentence.length : text.lastIndexOf(' ', longestBrief);
  const at = end > 0 ? end : longestBrief;
  return { brief: text.slice(0, at), more: text.slice(at).trim() };
}

/** Modules of one folder as one script, since a page from the disk loads none; `entry` is what the script leaves behind. */
function joinModules(files, entry) {
  const modules = files.flatMap(({ path, contents }) => {
    const [, name] = /([^/]+)\.js$/.exec(path) ?? [];
    if (name === undefined) return [];
    const exported = [...contents.matchAll(/^export (?:const|function\*?|class) (\w+)/gm)].map(([, one]) => one);
    const body = contents
      .replace(
        /^import \{([^}]*)\} from '\.\/(.+?)\.js';$/gm,
        (_, names, file) => `const {${names.replaceAll(' as ', ': ')}} = load('${file}');`,
      )
      .replace(/^export (?=const|function|class)/gm, '');
    return `'${name}': () => {\n${body}\nreturn { ${exported.join(', ')} };\n}`;
  });
  return `(() => {
const loaded = {};
const load = (name) => (loaded[name] ??= modules[name]());
const modules = {\n${modules.join(',\n')}\n};
${entry}
})();
`;
}

export { helpers, joinModules };
