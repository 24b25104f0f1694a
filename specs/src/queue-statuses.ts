import { isJsonObject, type JsonValue } from './json.ts';
import { printedQueueStatuses, type SpecSettings } from './settings.ts';

const valuePositions = new Set(['enum', 'const', 'default', 'example', 'examples']);
const prosePositions = new Set(['description', 'summary']);

/** Puts the owner's names in place of the two assumed queue statuses: exact in values, as whole words in prose. */
export function applyQueueStatuses(value: JsonValue, statuses: SpecSettings['queueStatuses']): JsonValue {
  const names = new Map(printedQueueStatuses.map((printed, index) => [printed, statuses[index] ?? printed]));
  if ([...names].every(([printed, chosen]) => printed === chosen)) return value;
  const word = new RegExp(`\\b(?:${printedQueueStatuses.join('|')})\\b`, 'g');
  const visit = (node: JsonValue, inValue: boolean): JsonValue => {
    if (typeof node === 'string') return inValue ? (names.get(node) ?? node) : node;
    if (Array.isArray(node)) return node.map((inner) => visit(inner, inValue));
    if (!isJsonObject(node)) return node;
    return Object.fromEntries(
      Object.entries(node).map(([key, inner]) => {
        if (prosePositions.has(key) && typeof inner === 'string') {
          return [key, inner.replace(word, (printed) => names.get(printed) ?? printed)];
        }
        return [key, visit(inner, inValue || valuePositions.has(key))];
      }),
    );
  };
  return visit(value, false);
}
