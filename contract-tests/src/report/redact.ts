import querystring from 'node:querystring';
import {
  createRedactor,
  isCredentialHeader,
  isJsonObject,
  type JsonValue,
  parsePointer,
  type Redactor,
  replacement,
  secretsInHeader,
  shortestSecret,
} from '../../../specs/src/index.ts';
import { parseJson } from '../contract/evidence.ts';
import type { Target } from '../contract/target.ts';
import { type BodyRecord, type ExchangeRecord, shorten } from './report.ts';

/** Maximum number of values to learn from configured headers, query parameters and members, and to redact everywhere. */
const maxLearned = 100;

export type ReportRedactor = {
  readonly redact: Redactor;
  redactHeader(name: string, value: string): string;
  redactMembers(text: string): string;
};

/**
 * Redacts credentials and configured secrets. Once the value of a configured header, query parameter or member has
 * been seen, also redacts it in all later texts.
 */
export function createReportRedactor(target: Target): ReportRedactor {
  const { headers = [], query = [], pointers = [] } = target.redact ?? {};
  const named = [...headers, ...(target.headers ?? []).map(({ name }) => name)];
  const hidden = new Set(named.map((name) => name.toLowerCase()));
  const parameters = new Set(query.map((name) => name.toLowerCase()));
  const credentials = listCredentials(target);
  const learned = new Set<string>();
  let replace = createRedactor(credentials);
  const learn = (value: unknown): typeof replacement => {
    if (typeof value !== 'string' || value.length < shortestSecret || learned.has(value)) return replacement;
    learned.add(value);
    const [oldest = ''] = learned;
    if (learned.size > maxLearned) learned.delete(oldest);
    replace = createRedactor([...credentials.slice(0, 100), ...learned, ...credentials.slice(100)]);
    return replacement;
  };
  const hideParameters = (text: string): string =>
    text.replace(/([?&;])([^?&;=#\s"'<>\\]+)=([^&#\s"'<>\\]+)/g, (whole, mark: string, name: string, value: string) =>
      parameters.has(querystring.unescape(name).toLowerCase()) ? `${mark}${name}=${learn(value)}` : whole,
    );
  return {
    redact: (text: string): string => replace(parameters.size === 0 ? text : hideParameters(text)),
    redactHeader(name: string, value: string): string {
      if (isCredentialHeader(name)) return replacement;
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

/** Returns the credentials of a target: configured ones, those in its URLs, and those in recorded traffic. */
export function listCredentials(target: Target): readonly string[] {
  const apis = [target.router, target.workflow].filter((api) => api !== undefined);
  const all = [
    ...apis.flatMap(({ credentials }) => Object.values(credentials)),
    ...apis.flatMap(({ url }) => listUserInfo(url)),
    ...(target.headers ?? []).flatMap(({ name, value, isSecret }) =>
      isSecret === false ? [] : secretsInHeader(name, value),
    ),
    ...(target.hooks === undefined ? [] : [target.hooks.credential ?? '', ...listUserInfo(target.hooks.url)]),
    ...(target.secrets ?? []),
  ];
  return [...new Set(all.filter((one) => one !== undefined && one.length >= shortestSecret))];
}

function listUserInfo(url: string): readonly string[] {
  const { username, password } = URL.parse(url) ?? { username: '', password: '' };
  return [username, password].map((part) => querystring.unescape(part));
}

const maxBodyLength = 2_000;
const maxTextLength = 400;

export function cutTexts<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === 'string' ? shorten(part, maxTextLength) : part,
  );
}

/** Cuts bodies and error texts. The length of URLs and headers is already limited when they are sent or read. */
export function cutExchange({ request, response, ...facts }: ExchangeRecord): ExchangeRecord {
  return {
    ...facts,
    request: { ...request, body: cutBody(request.body) },
    response: response.kind === 'response' ? { ...response, body: cutBody(response.body) } : cutTexts(response),
  };
}

function cutBody(body: BodyRecord): BodyRecord {
  if (body.kind !== 'text') return body;
  return { ...body, text: body.text.slice(0, maxBodyLength), isCut: body.isCut || body.text.length > maxBodyLength };
}
