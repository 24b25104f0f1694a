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
    const text = (value) =>
      JSON.stringify(value).replace(/[\u2028\u2029]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);
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
  curl({ path, input }) {
    const escaped = path.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
    const before = [
      `curl -sS -X POST "\${MODEL_ROUTER_URL}/v2/models/${escaped}"`,
      `-H "X-API-Key: \${MODEL_ROUTER_API_KEY}"`,
      "-H 'Content-Type: application/json'",
      '--data-binary ',
    ];
    return { before: before.join(' \\\n  '), input: `'${input.replaceAll("'", "'\\''")}'`, after: '' };
  },

  groupByProvider: (models) =>
    Object.entries(Object.groupBy(models, ({ provider }) => provider)).map(([provider, models]) => ({
      provider,
      models,
    })),
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
  return [...(format === undefined ? [] : [format.replace(/^format "(.*)"$/, '$1')]), ...joined, ...left.values()];
}

/** A field has one line; what follows its first sentence is folded. */
function splitText(text) {
  if (text.length <= longestBrief) return { brief: text, more: '' };
  const [sentence] = /^[^\n]{20,}?[.!?](?=\s)/.exec(text) ?? [];
  const end =
    sentence !== undefined && sentence.length <= longestBrief ? sentence.length : text.lastIndexOf(' ', longestBrief);
  const at = end > 0 ? end : longestBrief;
  return { brief: text.slice(0, at), more: text.slice(at).trim() };
}

const media =
  /(?:^|_)(image|photo|picture|mask|frame|video|audio|sound|music|speech|song|mesh|glb|file|lora)s?(?:_(?:url|uri|b64|base64|bytes|data|file))*s?$/;
const prose = {
  takes: /(?:^|_)(?:prompt|text|lyrics|script|question|messages|contents|sentence)s?$/,
  gives:
    /(?:^|_)(?:text|transcript|caption|answer|content|lyrics|choices|candidates|message|segment|output|result|reasoning)s?$/,
};
const mediaNames = {
  ...{ photo: 'image', picture: 'image', mask: 'image', frame: 'image' },
  ...{
    audio: 'sound',
    music: 'sound',
    speech: 'sound',
    song: 'sound',
    mesh: '3D',
    glb: '3D',
    model: '3D',
    lora: 'file',
  },
};

/** What a model takes or gives: as its document states it, else by the names of its fields and the media types. */
function findModalities(side, { takes, gives, input, output, mediaTypes }) {
  const [stated, rows] = side === 'takes' ? [takes, input.rows] : [gives, output.rows];
  const byField = rows.flatMap(({ path, type, values }) => {
    // A count, a switch or a choice about an image is no image.
    if (values.length > 0 || type.every(({ text }) => /^(?:integer|number|boolean|null|[| ()[\]]+)$/.test(text)))
      return [];
    const field = path.slice(path.lastIndexOf('.') + 1).replaceAll('[]', '');
    const name = field.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
    return media.exec(name)?.slice(1) ?? (prose[side].test(name) ? ['text'] : []);
  });
  const types = side === 'gives' ? mediaTypes : [];
  const byType = types.flatMap((type) => /^(image|video|audio|text|model)\//.exec(type)?.slice(1) ?? []);
  const found = stated.length > 0 ? stated : [...byType, ...byField];
  const named = [...new Set(found.map((one) => (Object.hasOwn(mediaNames, one) ? mediaNames[one] : one)))].sort();
  if (named.length === 0) return ['data'];
  const others = named.filter((one) => one !== 'text');
  return stated.length === 0 && side === 'gives' && others.length > 0 ? others : named;
}

const fewest = 3;

/** Pages as readers see them. `changes` has what changed by the id of a model. */
function finishPages(pages, changes) {
  // A description that differs between models in their names alone says nothing of them.
  const generalise = ({ description }) => description.replace(/[^\s"'`]*\/[^\s"'`]*/g, '…');
  const alike = Map.groupBy(pages, generalise);
  return pages.map((page) => {
    const general = generalise(page);
    const isGeneric = general !== page.description && alike.get(general).length >= fewest;
    const kinds = { takes: findModalities('takes', page), gives: findModalities('gives', page) };
    return {
      ...page,
      ...kinds,
      description: isGeneric ? '' : page.description,
      mark: markOf(page, changes?.get(page.id)),
    };
  });
}

function markOf({ deprecated }, change) {
  if (deprecated) return 'deprecated';
  if (change === undefined) return '';
  if (change.kind === 'added') return 'new';
  return change.verdict === 'breaking' ? 'breaking' : 'changed';
}

/** The shipped validator as one script, since a page from the disk loads no modules. It leaves a function that makes one of a schema. */
function printValidator(files) {
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
globalThis.switchyardValidator = (schema) => load('validator').createValidator(schema, load('linear-pattern').linearPattern);
})();
`;
}

export { finishPages, helpers, printValidator };
