import { isJsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { replyHeader } from '../../http/messages.ts';
import { onJson, onJsonText, onReply, set } from '../builders/changes.ts';
import { type Change, group, type Variant, fault as variant } from '../builders/fault.ts';
import { allOperations, type OperationId, routerOperations } from '../builders/operations.ts';
import { isRefusal, withHeader } from '../builders/replies.ts';

export function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => [name, reversed(member)]);
  return Object.fromEntries(members.toReversed());
}

/** Every character except ASCII letters and digits inside strings as `\uXXXX`; surrogate halves one by one. */
function escaped(body: JsonValue): string {
  return JSON.stringify(body).replace(
    /[^\x20-\x7e]|\//g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const relabelled = (mediaType: string): Change =>
  onReply((reply) =>
    /^application\/json\b/.test(replyHeader(reply, 'content-type') ?? '')
      ? withHeader(reply, 'Content-Type', mediaType)
      : reply,
  );

const extraMembers: readonly { id: string; on: OperationId; value: JsonValue }[] = [
  { id: 'page', on: 'listModels', value: { total_hint: 'many' } },
  { id: 'detail', on: 'readModel', value: ['featured'] },
  { id: 'handle', on: 'submitRequest', value: { region: 'one' } },
  { id: 'status', on: 'readStatus', value: 'started' },
  { id: 'cancel', on: 'cancelRequest', value: null },
  { id: 'job', on: 'readJobWorkflow', value: { version: 3 } },
];

const memberVariants = extraMembers.flatMap(({ id, on, value }) =>
  group({ id: 'json.extra-member', on: [on], ...(on === 'cancelRequest' ? {} : { status: [200, 201] }) }, [
    variant(id, '', `The ${id} body has an undocumented member`, set.member('undocumented', value)),
  ]),
);

/** The entity tag of a schema document covers its bytes: those stay as they are. */
const exceptDocuments = allOperations.filter((id) => id !== 'readSchemaDocument');

const moreInErrors = onJson((body) =>
  'detail' in body ? { ...body, upstream_detail: { code: 17 }, refusal_subject: 'input' } : body,
);
const indented = onJsonText((body) => `\n${JSON.stringify(body, null, 4)}\n`);
const backwards = onJsonText((body) => JSON.stringify(reversed(body)));
const asSubtype = relabelled('application/vnd.error+json');
const withCharset = relabelled('Application/JSON; Charset="UTF-8"');

export const jsonVariants: readonly Variant[] = [
  ...memberVariants,
  ...group({ id: 'json', on: allOperations, status: isRefusal }, [
    variant('extra-member.error', 'MR-ERR-01', 'Errors of the router have further members', moreInErrors, {
      on: routerOperations,
    }),
    variant('error-subtype', 'MR-ERR-01', 'Errors have a media type that ends in +json (NS-41)', asSubtype),
  ]),
  ...group({ id: 'json', on: exceptDocuments }, [
    variant('pretty-printed', 'MR-COL-06', 'JSON bodies are indented and end with a line feed', indented),
    variant('members-reversed', 'MR-COL-06', 'Members of JSON objects come in the opposite order', backwards),
    variant('unicode-escapes', 'MR-QUE-18', 'Slashes and letters beyond ASCII are escaped', onJsonText(escaped)),
  ]),
  ...group({ id: 'json', on: allOperations }, [
    variant('charset-parameter', 'MR-COL-05', 'The JSON media type names its charset, in capitals', withCharset),
  ]),
];
