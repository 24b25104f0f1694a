import { isJsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { replyHeader } from '../../http/messages.ts';
import { onJsonText, onReply } from '../builders/changes.ts';
import { group, type Variant, fault as variant } from '../builders/fault.ts';
import { allOperations } from '../builders/operations.ts';
import { isRefusal, withHeader } from '../builders/replies.ts';

export function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => [name, reversed(member)]);
  return Object.fromEntries(members.toReversed());
}

const asSubtype = onReply((reply) =>
  /^application\/json\b/.test(replyHeader(reply, 'content-type') ?? '')
    ? withHeader(reply, 'Content-Type', 'application/vnd.error+json')
    : reply,
);
const backwards = onJsonText((body) => JSON.stringify(reversed(body)));

export const jsonVariants: readonly Variant[] = [
  ...group({ id: 'json', on: allOperations, status: isRefusal }, [
    variant('error-subtype', 'MR-ERR-01', 'Errors have a media type that ends in +json (NS-41)', asSubtype),
  ]),
  // The entity tag of a schema document covers its bytes: those stay as they are.
  ...group({ id: 'json', on: allOperations.filter((id) => id !== 'readSchemaDocument') }, [
    variant('members-reversed', 'MR-COL-06', 'Members of JSON objects come in the opposite order', backwards),
  ]),
];
