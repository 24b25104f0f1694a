import querystring from 'node:querystring';
import {
  createRedactor,
  isJsonObject,
  type JsonValue,
  parsePointer,
  replacement,
  shortestCredential,
} from '../../../specs/src/index.ts';
import { parseJson } from '../contract/evidence.ts';
import type { Target } from '../contract/target.ts';
import { type BodyRecord, type ExchangeRecord, shorten } from './report.ts';

const secretHeaders = /^(?:authorization|proxy-authorization|x-api-key|cookie|set-cookie)$/i;
/** Of the values that are learned, the latest. */
const learnedAtMost = 200;

/** Hides the credentials of a target, and what lies where its owner says that secrets do, from then on in every other text too. */
export function createReportRedactor(target: Target) {
  const { headers = [], query = [], pointers = [] } = target.redact ?? {};
  const named = [...headers, ...(target.headers ?? []).map(({ name }) => name)];
  const hidden = new Set(named.map((name) => name.toLowerCase()));
  const parameter = new RegExp(
    `(?<=[?&](?:${query.map((name) => name.replace(/\W/g, '\\$&')).join('|')})=)[^&#\\s"'<>\\\\]+`,
    'gi',
  );
  const credentials = listCredentials(target);
  const learned = new Set<string>();
  let replace = createRedactor(credentials);
  const learn = (value: unknown): typeof replacement => {
    if (typeof value !== 'string' || value.length < shortestCredential || learned.has(value)) return replacement;
    learned.add(value);
    replace = createRedactor([...credentials, ...[...learned].slice(-learnedAtMost)]);
    return replacement;
  };
  const hideParameters = (text: string): string => (query.length === 0 ? text : text.replace(parameter, learn));
  return {
    redact: (text: string): string => replace(hideParameters(text)),
    redactHeader(name: string, value: string): string {
      if (secretHeaders.test(name)) return replacement;
      return hidden.has(name.toLowerCase()) ? learn(value) : hideParameters(value);
    },
    redactMembers(text: string): string {
      const body = pointers.length === 0 ? undefined : parseJson(text);
      if (body === undefined) return text;
      const whole = pointers.reduce((rest, pointer) => hideMember(rest, parsePointer(pointer), learn), body);
      return whole === body ? text : JSON.stringify(whole);
    },
  };
}

function hideMember(
  value: JsonValue,
  [name, ...rest]: readonly string[],
  hide: (value: JsonValue) => string,
): JsonValue {
  if (name === undefined) return hide(value);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => {
    return [key, key === name || name === '*' ? hideMember(member, rest, hide) : member] as const;
  });
  if (members.every(([key, member]) => member === Reflect.get(value, key))) return value;
  return isJsonObject(value) ? Object.fromEntries(members) : members.map(([, member]) => member);
}

/** What the credentials of a target are: configured, or part of its addresses. Shorter ones would match all over a report. */
export function listCredentials(target: Target): readonly string[] {
  const sides = [target.router, target.workflow].filter((side) => side !== undefined);
  const all = [
    ...sides.flatMap(({ credentials }) => Object.values(credentials)),
    ...sides.flatMap(({ url }) => listUserInfo(url)),
    ...(target.headers ?? []).flatMap(({ value, isSecret }) => (isSecret === false ? [] : [value])),
    ...(target.hooks === undefined ? [] : [target.hooks.credential ?? '', ...listUserInfo(target.hooks.url)]),
    ...(target.secrets ?? []),
  ];
  return [...new Set(all.filter((one) => one !== undefined && one.length >= shortestCredential))];
}

function listUserInfo(url: string): readonly string[] {
  const { username, password } = URL.parse(url) ?? { username: '', password: '' };
  return [username, password].map((part) => querystring.unescape(part));
}

const bodyShown = 2_000;
const textShown = 400;

export function cutTexts<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, part) => (typeof part === 'string' ? shorten(part, textShown) : part));
}

/** Addresses and headers stay whole: they were sent or read within bounds of their own. */
export function cutExchange({ request, response, ...facts }: ExchangeRecord): ExchangeRecord {
  return {
    ...facts,
    request: { ...request, body: cutBody(request.body) },
    response: response.kind === 'response' ? { ...response, body: cutBody(response.body) } : cutTexts(response),
  };
}

function cutBody(body: BodyRecord): BodyRecord {
  if (body.kind !== 'text') return body;
  return { ...body, text: body.text.slice(0, bodyShown), isCut: body.isCut || body.text.length > bodyShown };
}
