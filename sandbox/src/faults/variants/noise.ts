import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { RawReply, ServerReply } from '../../http/messages.ts';
import { createRandom, type Random } from '../../random.ts';
import { type Around, onReply } from '../builders/changes.ts';
import { group, rowIn, type Variant } from '../builders/fault.ts';
import { allOperations, type FaultOperation } from '../builders/operations.ts';
import { mapObjects, readBytes, readJson, readText, withHeader, withJson, withText } from '../builders/replies.ts';

type Noise = (reply: ServerReply, random: Random, around: Around) => ServerReply | Promise<ServerReply>;

const givenOut: readonly (FaultOperation | undefined)[] = ['runModel', 'collectRequest', 'readSchemaDocument'];

/**
 * Each reply in a form of its own, which follows from the seed of the sandbox and from what is sent. Results and schema
 * documents have one form: the results of one input differ in the signatures of their links alone (MR-COL-06), and entity tags
 * stand for bytes (MR-SCH-09).
 */
const noise = rowIn((change: Noise) =>
  onReply((reply, around) => {
    const { seed, findOperation } = around.context;
    const isGivenOut = reply.status === 200 && givenOut.includes(findOperation(around.request));
    const of = isGivenOut ? '' : readText(reply);
    return reply.status === 304 ? reply : change(reply, createRandom(`noise ${seed} ${of}`), around);
  }),
);

function pick<One>(random: Random, choices: readonly [One, ...One[]]): One {
  return choices[Math.floor(random() * choices.length)] ?? choices[0];
}

function shuffle<One>(list: readonly One[], random: Random): One[] {
  const ranked = list.map((one) => ({ one, rank: random() }));
  return ranked.toSorted((first, second) => first.rank - second.rank).map(({ one }) => one);
}

/** The same value in JSON: its members in any order, with any white space, escapes and forms of numbers. */
function spell(value: JsonValue, random: Random): string {
  const gap = (): string => pick(random, ['', '', '', ' ', '\n\t', '\r\n  ']);
  if (typeof value === 'string') return spellText(value, random);
  if (typeof value === 'number' && Number.isInteger(value) && value !== 0 && Math.abs(value) < 1e9)
    return pick(random, [String(value), `${value}.0`, `${value}e0`, `${value}0E-1`]);
  if (Array.isArray(value)) return `[${gap()}${value.map((one) => spell(one, random)).join(`${gap()},`)}${gap()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = shuffle(Object.entries(value), random).map(
    ([name, member]) => `${gap()}${spellText(name, random)}${gap()}:${gap()}${spell(member, random)}`,
  );
  return `{${members.join(',')}${gap()}}`;
}

function spellText(text: string, random: Random): string {
  const escaped = pick(random, [/[^\s\S]/g, /[^\x20-\x7e]/g, /[^\x20-\x7e]|\//g, /[^"\\\x20]/g]);
  if (text.length > 1_000) return JSON.stringify(text);
  const escapes = text.replace(/["\\]/g, '\\$&').replace(
    // Control characters need an escape in any case.
    new RegExp(`${escaped.source}|[\\u0000-\\u001f]`, 'g'),
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `"${escapes}"`;
}

const extras: [JsonValue, ...JsonValue[]] = [
  null,
  7,
  -0.5,
  '',
  'more',
  [],
  {},
  ['more', 1],
  { more: [{ data: null }] },
];

/** Members that nobody knows, in the object and in the objects that it lists. */
function extend(object: JsonObject, random: Random): JsonObject {
  const members = Object.entries(object).map(([name, member]): [string, JsonValue] => [
    name,
    name === 'data' || name === 'detail' ? extendListed(member, random) : member,
  ]);
  if (random() < 0.5) members.push([`x_${Math.floor(random() * 1e6)}`, pick(random, extras)]);
  return Object.fromEntries(members);
}

function extendListed(list: JsonValue, random: Random): JsonValue {
  return Array.isArray(list) ? mapObjects(list, (one) => extend(one, random)) : list;
}

const optional = ['queue_position', 'input_schema_url', 'ctx', 'input', 'details'];

/** Optional members are there or not, also those of the objects that it lists and of an envelope. */
function thinOut(value: JsonValue, random: Random): JsonValue {
  if (Array.isArray(value)) return value.map((one) => thinOut(one, random));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => [
    name,
    ['detail', 'error'].includes(name) ? thinOut(member, random) : member,
  ]);
  return Object.fromEntries(members.filter(([name]) => !optional.includes(name) || random() < 0.5));
}

const furtherHeaders: readonly (readonly [string, string])[] = [
  ['Age', '0'],
  ['X-Served-By', 'edge-17'],
  ['Alt-Svc', 'h3=":443"; ma=3600'],
  ['Date', 'Tue, 01 Jan 2030 00:00:00 GMT'],
  ['X-RateLimit-Remaining', '17'],
];

function spellHeaders(reply: ServerReply, random: Random): ServerReply {
  const further = furtherHeaders.filter(() => random() < 0.4);
  const all = further.reduce((longer, [name, value]) => withHeader(longer, name, value), reply);
  const lines = shuffle(Object.entries(all.headers), random).map(([name, value]): [string, string] => {
    const typed = name.toLowerCase() === 'content-type' ? spellMediaType(value, random) : value;
    return [pick(random, [name, name.toLowerCase(), name.toUpperCase()]), typed];
  });
  return { ...reply, headers: Object.fromEntries(lines) };
}

/** Type and names of parameters regardless of case, and parameters that say nothing new. */
function spellMediaType(mediaType: string, random: Random): string {
  const spelled = pick(random, [mediaType, mediaType.replace(/^[^;]+/, (essence) => essence.toUpperCase())]);
  return /json$/i.test(spelled)
    ? spelled + pick(random, ['', ';charset=utf-8', '; Charset="UTF-8"', ' ; v="1;0"'])
    : spelled;
}

/** The body in chunks of any length, with blanks around the values of headers and a trailer at the end. */
function inChunks(reply: ServerReply, random: Random): ServerReply {
  const lines = Object.entries(reply.headers).filter(([name]) => name.toLowerCase() !== 'content-length');
  const head = lines.map(
    ([name, value]) => `${name}:${pick(random, ['', ' ', '\t '])}${value}${pick(random, ['', ' '])}`,
  );
  const text = [`HTTP/1.1 ${reply.status} Answer`, ...head, 'Transfer-Encoding: chunked', 'Connection: close', '', ''];
  const body = readBytes(reply);
  const parts: (string | Uint8Array)[] = [text.join('\r\n')];
  for (let start = 0; start < body.length; ) {
    const end = start + Math.ceil(random() * (body.length < 1_000 ? 40 : 60_000));
    const chunk = body.slice(start, end);
    parts.push(`${chunk.length.toString(16)}${pick(random, ['', ';part=1'])}\r\n`, chunk, '\r\n');
    start = end;
  }
  parts.push('0\r\nX-Checksum: none\r\n\r\n');
  const raw: RawReply = { bytes: Buffer.concat(parts.map((part) => Buffer.from(part))), ...closing };
  return { ...reply, raw };
}
// biome-ignore lint/suspicious/noThenProperty: the reply is never awaited
const closing = { then: 'close' } as const;

const hasNoResult = allOperations.filter((id) => !givenOut.includes(id));
const isRefused = { status: (status: number) => status >= 400 };

const moreMembers = (reply: ServerReply, random: Random): ServerReply => {
  const body = readJson(reply);
  return isJsonObject(body) ? withJson(reply, extend(body, random)) : reply;
};

/** Every reply in another form; what each of them means is the same. */
export const noiseVariants: readonly Variant[] = [
  ...group({ id: 'noise', on: hasNoResult, subject: 'Replies have now and then' }, [
    noise('optional-members', 'MR-QUE-07 MR-ERR-17 MR-ERR-19', 'no optional members', (reply, random) => {
      const body = readJson(reply);
      return isJsonObject(body) && 'workflow' in body === false ? withJson(reply, thinOut(body, random)) : reply;
    }),
    noise('members', 'MR-ERR-01 MR-CAT-19', 'members that nobody knows', moreMembers),
  ]),
  ...group({ id: 'noise', on: ['runModel', 'collectRequest'], ...isRefused, subject: 'Refused runs have' }, [
    noise('members-of-refusals', 'MR-ERR-01', 'members that nobody knows', moreMembers),
  ]),
  ...group({ id: 'noise', on: allOperations, subject: 'Each reply has' }, [
    noise('json', 'MR-COL-06', 'an order of members, white space, escapes and numbers of its own', (reply, random) => {
      const body = readJson(reply);
      return body === undefined ? reply : withText(reply, spell(body, random));
    }),
    noise('headers', 'MR-HDR-01', 'an order, letter case and further lines of headers of its own', spellHeaders),
    noise('pause', 'MR-RUN-03', 'to be waited for, up to a fifth of a second', async (reply, random, { context }) => {
      if (random() < 0.1) await context.clock.sleep(Math.floor(random() * 200));
      return reply;
    }),
    noise('chunks', 'MR-COL-05', 'chunks of its own, blanks around headers, and a trailer', inChunks),
  ]),
];
