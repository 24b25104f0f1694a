import type { ModelDiff } from '../diff/diff-report.ts';
import { type FieldRow, flattenRows } from './field-list.ts';
import type { ModelPage } from './model-page.ts';

type Change = Pick<ModelDiff, 'kind' | 'verdict'>;

const media =
  /(?:^|_)(image|photo|picture|mask|frame|video|audio|sound|music|speech|song|mesh|glb|file|lora)s?(?:_(?:url|uri|b64|base64|bytes|data|file))*s?$/;
const prose = {
  takes: /(?:^|_)(?:prompt|text|lyrics|script|question|messages|contents|sentence)s?$/,
  gives:
    /(?:^|_)(?:text|transcript|caption|answer|content|lyrics|choices|candidates|message|segment|output|result|reasoning)s?$/,
};
const mediaNames = new Map([
  ...['photo', 'picture', 'mask', 'frame'].map((name) => [name, 'image'] as const),
  ...['audio', 'music', 'speech', 'song'].map((name) => [name, 'sound'] as const),
  ...['mesh', 'glb', 'model'].map((name) => [name, '3D'] as const),
  ['lora', 'file'] as const,
]);

/** Returns the modalities that a model's document lists, or else those derived from field names and media types. */
function findModalities(side: 'takes' | 'gives', page: ModelPage): readonly string[] {
  const { takes, gives, input, output, mediaTypes } = page;
  const [stated, section] = side === 'takes' ? [takes, input] : [gives, output];
  const byField = listAllRows(section, page.types).flatMap(({ path, type, values }) => {
    // A number, a boolean or an enum isn't an image, even if its name contains `image`.
    if (values.length > 0 || type.every(({ text }) => /^(?:integer|number|boolean|null|[| ()[\]]+)$/.test(text)))
      return [];
    const field = path.slice(path.lastIndexOf('.') + 1).replaceAll('[]', '');
    const name = field.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
    return media.exec(name)?.slice(1) ?? (prose[side].test(name) ? ['text'] : []);
  });
  const types = side === 'gives' ? mediaTypes : [];
  const byType = types.flatMap((type) => /^(image|video|audio|text|model)\//.exec(type)?.slice(1) ?? []);
  const found = stated.length > 0 ? stated : [...byType, ...byField];
  const named = [...new Set(found.map((one) => mediaNames.get(one) ?? one))].sort();
  if (named.length === 0) return ['data'];
  const others = named.filter((one) => one !== 'text');
  return stated.length === 0 && side === 'gives' && others.length > 0 ? others : named;
}

/** Lists the fields of a section and of the named types that they refer to. */
function listAllRows(section: ModelPage['input'], types: ModelPage['types']): FieldRow[] {
  const all: FieldRow[] = [];
  const sections = new Set([section]);
  // The loop also visits sections that are added while it runs.
  for (const { rows, choices } of sections) {
    const own = flattenRows([...rows, ...choices.flatMap((one) => one.rows)]);
    const names = new Set(own.flatMap(({ type }) => type.flatMap(({ text, isName }) => (isName ? [text] : []))));
    for (const named of types) if (names.has(named.name)) sections.add(named);
    all.push(...own);
  }
  return all;
}

const fewest = 3;

export type FinishedPage = ModelPage & { readonly mark: string };

/** Completes the pages with links to related pages, marks and changes. `changes` is by model id. */
export function finishPages(
  pages: readonly ModelPage[],
  changes: ReadonlyMap<string, Change> | undefined,
): FinishedPage[] {
  // If descriptions only differ in the names of the models, they are boilerplate.
  const generalise = ({ description }: ModelPage): string => description.replace(/[^\s"'`]*\/[^\s"'`]*/g, '…');
  const alike = Map.groupBy(pages, generalise);
  return pages.map((page) => {
    const general = generalise(page);
    const isGeneric = general !== page.description && (alike.get(general)?.length ?? 0) >= fewest;
    const kinds = { takes: findModalities('takes', page), gives: findModalities('gives', page) };
    return {
      ...page,
      ...kinds,
      description: isGeneric ? '' : page.description,
      mark: markModel(page, changes?.get(page.id)),
    };
  });
}

function markModel({ deprecated }: ModelPage, change: Change | undefined): string {
  if (deprecated) return 'deprecated';
  if (change === undefined) return '';
  if (change.kind === 'added') return 'new';
  return change.verdict === 'breaking' ? 'breaking' : 'changed';
}
