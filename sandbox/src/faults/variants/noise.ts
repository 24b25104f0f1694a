import { isJsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { brandedName, type Reply } from '../../http/messages.ts';
import { createRandom, type Random } from '../../random.ts';
import { isLongInteger, onReply, readReply, withHeader, withText } from '../builders/changes.ts';
import {
  type Change,
  type FaultContext,
  type FaultOperation,
  group,
  specifiedOperations,
  type Variant,
  variant,
} from '../builders/fault.ts';

/** `hasProviderMembers`: true for results and schema documents, whose members the model's provider defines. */
type NoiseContext = FaultContext & { readonly hasProviderMembers: boolean };

/** Operations that may return a result. A variant may collect results at an unlisted path. */
const operationsWithResults: readonly (FaultOperation | undefined)[] = [
  'runModel',
  'collectRequest',
  'readSchemaDocument',
  'unlisted',
];

/**
 * Varies the formatting of each reply, depending on the sandbox's seed and the request. Results and schema documents
 * always have the same format, because results of an input may only differ in their link signatures (MR-COL-06), and
 * entity tags identify bytes (MR-SCH-09). Errors with the same status also do, because they must not distinguish jobs
 * (WX-OPE-09).
 */
const withRandomChange = (
  change: (reply: Reply, random: Random, context: NoiseContext) => Reply | Promise<Reply>,
): Change =>
  onReply((reply, { request, context }) => {
    const hasProviderMembers = reply.status === 200 && operationsWithResults.includes(context.findOperation(request));
    // Replies with the same subject get the same changes.
    const subject = hasProviderMembers ? '' : reply.status >= 400 ? reply.status : readReply.text(reply);
    const random = createRandom(`noise ${context.seed} ${subject}`);
    return reply.status === 304 ? reply : change(reply, random, { ...context, hasProviderMembers });
  });

function pick<One>(random: Random, choices: readonly [One, ...One[]]): One {
  return choices[Math.floor(random() * choices.length)] ?? choices[0];
}

const shuffle = <One>(list: readonly One[], random: Random): One[] => list.toSorted(() => random() - 0.5);

/** Writes a value as JSON with a random member order, and random white space, escapes and number formats. */
function printRandomJson(value: JsonValue, random: Random): string {
  const space = (): string => pick(random, ['', '', '', ' ', '\n\t', '\r\n  ']);
  if (typeof value === 'string') return escapeRandomly(value, random);
  if (typeof value === 'number' && Number.isInteger(value) && value !== 0 && Math.abs(value) < 1e9)
    return pick(random, [`${value}`, `${value}.0`, `${value}e0`, `${value}0E-1`]);
  if (Array.isArray(value))
    return `[${space()}${value.map((one) => printRandomJson(one, random)).join(`${space()},`)}${space()}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = shuffle(Object.entries(value), random).map(
    ([name, member]) =>
      `${space()}${escapeRandomly(name, random)}${space()}:${space()}${printRandomJson(member, random)}`,
  );
  return `{${members.join(',')}${space()}}`;
}

/** Writes a string as JSON with `\u` escapes for no character, for unusual characters, or for all characters. */
function escapeRandomly(text: string, random: Random): string {
  const noCharacter = /(?!)/g;
  // The last pattern matches an existing escape as a whole, which stays unchanged.
  const escaped = pick(random, [noCharacter, /[^\x20-\x7e]|\//g, /\\u....|\\.|[^"\\]/gs]);
  // A marked integer is not escaped, so that `withText` still finds it.
  const mayEscape = text.length <= 1_000 && !isLongInteger(text);
  return JSON.stringify(text).replace(mayEscape ? escaped : noCharacter, (match) =>
    match.length > 1 ? match : `\\u${match.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const addedValues: readonly [JsonValue, ...JsonValue[]] = [null, true, 'more', ['more'], { more: [{ data: null }] }];
const optionalMembers = ['queue_position', 'input_schema_url', 'ctx', 'input', 'details'];

/** Omits optional members and adds undocumented ones, in a JSON object, in the objects of its lists, and in error envelopes. */
function varyMembers(value: JsonValue, random: Random): JsonValue {
  if (Array.isArray(value)) return value.map((one) => varyMembers(one, random));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !optionalMembers.includes(name) || random() < 0.5);
  const varied = members.map(([name, member]): [string, JsonValue] => [
    name,
    ['data', 'billing', 'detail', 'error'].includes(name) ? varyMembers(member, random) : member,
  ]);
  const more = random() < 0.5 ? { [`x_${Math.floor(random() * 1e6)}`]: pick(random, addedValues) } : {};
  return { ...Object.fromEntries(varied), ...more };
}

/** Headers that proxies and frameworks add. */
const furtherHeaders = {
  'Alt-Svc': 'h3=":443"; ma=3600',
  'Content-Language': 'en',
  'Content-Security-Policy': "default-src 'none'",
  Location: '/v2/models/a/b/requests/1',
  Server: 'edge/2.4.1',
  'Set-Cookie': 'edge=at:10.40.2.1; Secure; HttpOnly',
  'Strict-Transport-Security': 'max-age=31536000',
  Vary: 'Accept, Authorization',
  Via: '1.1 edge-4.proxy.internal',
  'WWW-Authenticate': 'Bearer realm="router"',
  'X-Content-Type-Options': 'nosniff',
  'X-Request-Id': 'edge-1',
};

function randomiseHeaders(reply: Reply, random: Random): Reply {
  const further = Object.entries(furtherHeaders).filter(() => random() < 0.3);
  const all = further.reduce((longer, [name, value]) => withHeader(longer, name, value), reply);
  const lines = shuffle(Object.entries(all.headers), random).map(([name, value]): [string, string] => {
    const typed = name.toLowerCase() === 'content-type' ? randomiseMediaType(value, random) : value;
    return [pick(random, [name, name.toLowerCase(), name.toUpperCase()]), typed];
  });
  return { ...reply, headers: Object.fromEntries(lines) };
}

/** Changes the letter case of a media type, and adds parameters without effect. */
function randomiseMediaType(mediaType: string, random: Random): string {
  const cased = pick(random, [mediaType, mediaType.replace(/^[^;]+/, (essence) => essence.toUpperCase())]);
  return /json$/i.test(cased) ? cased + pick(random, ['', ';charset=utf-8', '; Charset="UTF-8"', ' ; v="1;0"']) : cased;
}

/** Sends the body in random chunks, with blanks around header values and a trailer at the end. */
function sendInChunks(reply: Reply, random: Random, { brand }: NoiseContext): Reply {
  const lines = Object.entries(reply.headers)
    .filter(([name]) => name.toLowerCase() !== 'content-length')
    .map(
      ([name, value]) =>
        `${brandedName(name, brand)}:${pick(random, ['', ' ', '\t '])}${value}${pick(random, ['', ' '])}`,
    );
  const head = [`HTTP/1.1 ${reply.status} Answer`, ...lines, 'Transfer-Encoding: chunked', 'Connection: close', '', ''];
  const body = readReply.bytes(reply);
  const parts: (string | Uint8Array)[] = [head.join('\r\n')];
  for (let start = 0; start < body.length; ) {
    const chunk = body.slice(start, start + Math.ceil(random() * (body.length < 1_000 ? 40 : 60_000)));
    parts.push(`${chunk.length.toString(16)}${pick(random, ['', ';part=1'])}\r\n`, chunk, '\r\n');
    start += chunk.length;
  }
  const bytes = Buffer.concat([...parts, '0\r\nX-Checksum: none\r\n\r\n'].map((part) => Buffer.from(part)));
  return { ...reply, raw: bytes };
}

const randomiseMembers = withRandomChange((reply, random, { hasProviderMembers }) => {
  const body = readReply.json(reply);
  return body === undefined || hasProviderMembers ? reply : withText(reply, JSON.stringify(varyMembers(body, random)));
});
const randomiseJson = withRandomChange((reply, random) => {
  const body = readReply.json(reply);
  return body === undefined ? reply : withText(reply, printRandomJson(body, random));
});
const pauseRandomly = withRandomChange(async (reply, random, { clock }) => {
  if (random() < 0.1) await clock.sleep(Math.floor(random() * 200));
  return reply;
});

/** Variants that format every reply differently, but mean the same. */
export const noiseVariants: readonly Variant[] = group({ id: 'noise', on: [...specifiedOperations, 'unlisted'] }, [
  variant('members', randomiseMembers),
  variant('json', randomiseJson),
  variant('headers', withRandomChange(randomiseHeaders)),
  variant('pause', pauseRandomly),
  variant('chunks', withRandomChange(sendInChunks)),
]);
