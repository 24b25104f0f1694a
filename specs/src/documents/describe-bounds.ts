import type { JsonObject } from '../json.ts';

const bounds = [
  { name: 'Length', low: 'minLength', high: 'maxLength' },
  { name: 'Entries', low: 'minItems', high: 'maxItems' },
  { name: 'Range', low: 'minimum', high: 'maximum' },
];

/** The lengths and bounds of a schema in words: `Length: 1 to 512.` Empty for a schema without any. */
export function describeBounds(schema: JsonObject): string {
  const phrases = bounds.flatMap(({ name, low, high }) => {
    const range = rangeOf(schema[low], schema[high]);
    return range === undefined ? [] : [`${name}: ${range}.`];
  });
  return phrases.join(' ');
}

function rangeOf(low: unknown, high: unknown): string | undefined {
  const [least, most] = [low, high].map((bound) => (typeof bound === 'number' ? bound : undefined));
  if (least !== undefined && most !== undefined) return least === most ? `${least}` : `${least} to ${most}`;
  if (least !== undefined) return `at least ${least}`;
  return most === undefined ? undefined : `at most ${most}`;
}
