import type { FieldRow } from './field-list.ts';

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

/** Guesses the modalities that a model takes or gives from the names of its fields and the media types of its outputs. */
export function guessModalities(
  side: 'takes' | 'gives',
  rows: readonly FieldRow[],
  mediaTypes: readonly string[],
): readonly string[] {
  const byField = rows.flatMap(({ path, type, values }) => {
    // A number, a boolean or an enum isn't an image, even if its name contains `image`.
    if (values.length > 0 || type.every(({ text }) => /^(?:integer|number|boolean|null|[| ()[\]]+)$/.test(text)))
      return [];
    const field = path.slice(path.lastIndexOf('.') + 1).replaceAll('[]', '');
    const name = field.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
    return media.exec(name)?.slice(1) ?? (prose[side].test(name) ? ['text'] : []);
  });
  const byType = mediaTypes.flatMap((type) => /^(image|video|audio|text|model)\//.exec(type)?.slice(1) ?? []);
  const named = nameModalities([...byType, ...byField]);
  const others = named.filter((one) => one !== 'text');
  return side === 'gives' && others.length > 0 ? others : named;
}

/** Returns the names that pages use for the modalities, sorted; `data` if the list is empty. */
export function nameModalities(found: readonly string[]): readonly string[] {
  const named = [...new Set(found.map((one) => mediaNames.get(one) ?? one))].sort();
  return named.length === 0 ? ['data'] : named;
}
