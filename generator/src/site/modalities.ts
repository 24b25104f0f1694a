import type { ModelBinding } from '../model/model-binding.ts';
import type { FieldRow } from './field-list.ts';

const media = /(?:^|_)(image|photo|picture|mask|frame|video|audio|sound|music|speech|song|mesh|glb|file|lora)s?(?:_(?:url|uri|b64|base64|bytes|data|file))*s?$/;
const prose = {
  takes: /(?:^|_)(?:prompt|text|lyrics|script|question|messages|contents|sentence)s?$/,
  gives: /(?:^|_)(?:text|transcript|caption|answer|content|lyrics|choices|candidates|message|segment|output|result|reasoning)s?$/,
};
const names: Readonly<Record<string, string>> = {
  ...{ photo: 'image', picture: 'image', mask: 'image', frame: 'image' },
  ...{ audio: 'sound', music: 'sound', speech: 'sound', song: 'sound', mesh: '3D', glb: '3D', model: '3D', lora: 'file' },
};

/** What a model takes or gives: as its document states it, else by the names of the fields and the media types. */
export function findModalities(
  side: 'takes' | 'gives',
  stated: readonly string[],
  rows: readonly FieldRow[],
  { outputMediaTypes }: Pick<ModelBinding, 'outputMediaTypes'>,
): readonly string[] {
  const byField = rows.flatMap(({ path, type, values }) => {
    // A count, a switch or a choice about an image is no image.
    if (values.length > 0 || type.every(({ text }) => /^(?:integer|number|boolean|null|[| ()[\]]+)$/.test(text))) return [];
    const field = path.slice(path.lastIndexOf('.') + 1).replaceAll('[]', '');
    const name = field.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
    return media.exec(name)?.slice(1) ?? (prose[side].test(name) ? ['text'] : []);
  });
  const types = side === 'gives' ? outputMediaTypes : [];
  const byType = types.flatMap((type) => /^(image|video|audio|text|model)\//.exec(type)?.slice(1) ?? []);
  const found = stated.length > 0 ? stated : [...byType, ...byField];
  const named = [...new Set(found.map((one) => names[one] ?? one))].sort();
  const isMedia = stated.length === 0 && side === 'gives' && named.some((one) => one !== 'text');
  return named.length === 0 ? ['data'] : isMedia ? named.filter((one) => one !== 'text') : named;
}
