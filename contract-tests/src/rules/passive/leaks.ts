import { createRedactor, isJsonObject, type JsonValue, shortestSecret } from '../../../../specs/src/index.ts';
import { createTextMap } from '../../contract/cache.ts';
import type { TargetContext } from '../../contract/context.ts';
import {
  decodeBody,
  once,
  parseBody,
  readHeader,
  readMediaType,
  readMember,
  type StepResponse,
} from '../../contract/evidence.ts';
import type { Exchange, WireRequest, WireResponse } from '../../contract/exchange.ts';
import { excerpt, type Finding, finding } from '../../contract/finding.ts';
import { decodeSegment } from '../../contract/requests.ts';
import * as expect from '../expect.ts';
import { findExtraData } from '../workflow/jobs.ts';
import { callRule, responseRule, traceRule } from './passive-rule.ts';

/** Stack traces and source fragments, which must never appear in a body or a header. */
const traces: readonly RegExp[] = [
  /Traceback \(most recent call last|\bStack ?trace:|\bCaused by:\s+\S/i,
  /\bFile "[^"\n]{1,200}", line \d+/,
  /^\s*at .{1,200}\(?\S{1,200}:\d+:\d+\)?\s*$/m,
  /\bat [\w$.<>]{1,100} ?\([^()\n]{1,200}:\d+(?::\d+)?\)/, // JavaScript and the JVM.
  /\bin [A-Za-z]:\\[^\n:]{1,200}:line \d+|\bin \/[^\s:]{1,200}(?: on line |:)\d+/,
  /\b[\w./-]{1,200}\.(?:py|rb|go|rs|js|jsx|mjs|cjs|ts|tsx|java|kt|scala|php|cs|cpp|cc|ex|exs|swift|lua):\d+/,
  /\bgoroutine \d+ \[|\bpanic: |\bpanicked at\b|\bsegmentation fault\b|\bruntime error: /i,
  /\b(?:[A-Z][a-z0-9]+)+(?:Error|Exception)\b(?=[:(]|\s+at\b)/,
  /\b(?:[a-z]\w*\.){2,}[A-Z]\w*(?:Error|Exception)\b/,
  /\bE(?:CONNREFUSED|CONNRESET|CONNABORTED|TIMEDOUT|NOTFOUND|HOSTUNREACH|NETUNREACH|AI_AGAIN|PIPE|ACCES|NOENT|ADDRINUSE|MFILE)\b/,
  /\berrno\b|\bdial tcp\b|\bno such file or directory\b|<\w[\w.]* object at 0x[0-9a-f]+>|\b0x[0-9a-f]{8,16}\b/i,
  /\bSELECT\b[^\n]{1,300}\bFROM\b|\bINSERT INTO\b|\bDELETE FROM\b|\bUPDATE \w+ SET\b|\bSQLSTATE\b|\bORA-\d{5}\b/,
  /\bsyntax error at or near\b|\bduplicate key value violates\b|\brelation "\w+" does not exist\b|\bdeadlock detected\b/i,
  /-----BEGIN |\b(?:password|passwd|secret_key|private_key)\s*[=:]\s*\S/i,
];

/** Internal hosts, addresses and files. */
const internalLocations: readonly RegExp[] = [
  /\b(?:10|127)(?:\.\d{1,3}){3}\b|\b192\.168(?:\.\d{1,3}){2}\b|\b172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}\b|\b169\.254(?:\.\d{1,3}){2}\b/,
  /\b\d{1,3}(?:\.\d{1,3}){3}:\d{2,5}\b|\[::1\]|\bf[cd][0-9a-f]{2}:[0-9a-f:]{4,}/i,
  /\blocalhost\b|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:internal|local|localdomain|svc|lan|corp|intranet|consul)\b(?![.-]\w)/i,
  /\b(?:postgres(?:ql)?|mysql|mariadb|redis|mongodb|mongo|memcached|kafka|rabbitmq|amqps?|elasticsearch|etcd|vault|consul|jdbc)(?::\/\/|[\w.-]*:\d{2,5}\b)/i,
  /\b[a-z0-9]+(?:-[a-z0-9]+)*-(?:db|svc|service|primary|replica|master|node|worker|pod|cache|queue|backend|upstream)(?:-\d+)?:\d{2,5}\b/i,
  /(?:^|[\s"'(=:`])\/(?:srv|usr|var|etc|home|root|opt|app|tmp|proc|mnt|data|workspace|build|code|src|lib|Users)\/[\w.@+-]/m,
  /\b[A-Za-z]:\\[\w.-]+|\bnode_modules\/|\bsite-packages\/|\bvendor\/\w|\.(?:py|rb|go|rs|java|kt|php)\b[^\w]*\bline \d+/,
];

// The patterns look far ahead, so a text is searched in overlapping parts, and only up to a maximum number of parts.
const [partLength, step, maxParts] = [2_000, 1_600, 20];

/** Returns the part of a text that reveals internals of the service; undefined if there is none. */
export function findInternals(text: string, which: 'traces' | 'all'): string | undefined {
  const signs = which === 'all' ? [...traces, ...internalLocations] : traces;
  for (let part = 0; part < maxParts && part * step < text.length; part += 1) {
    const within = text.slice(part * step, part * step + partLength);
    for (const sign of signs) {
      const [found] = sign.exec(within) ?? [];
      if (found !== undefined) return found.trim();
    }
  }
  return undefined;
}

type Text = { readonly pointer: string; readonly text: string };

function listTexts(value: JsonValue, pointer = ''): readonly Text[] {
  if (typeof value === 'string') return [{ pointer, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  const isEntry = isJsonObject(value) && 'loc' in value;
  return Object.entries(value).flatMap(([name, member]) =>
    isEntry && (name === 'input' || name === 'loc') ? [] : listTexts(member, `${pointer}/${name}`),
  );
}

/** Headers are only searched for stack traces, because proxies add their host names. */
function findLeaks(result: WireResponse, exchange: Exchange, context: TargetContext): readonly Finding[] {
  const { step, api } = exchange;
  // The message of an entry may contain a path in the input, such as `/data/prompt`. The workflow API only promises
  // general messages for unexpected failures (OP-260).
  const which = result.status === 422 || (api === 'workflow' && result.status < 500) ? 'traces' : 'all';
  const parsed = parseBody(result);
  const isText = /^text\/|json|xml|^$/.test(readMediaType(result) ?? '');
  const plain = isText ? [{ pointer: '', text: decodeBody(result) }] : [];
  const texts = parsed.kind === 'json' ? listTexts(parsed.value) : plain;
  // Echoes of the request and its URL reveal nothing.
  const hosts = Object.values(context.baseUrls).flatMap((url) => (url === undefined ? [] : [new URL(url).host]));
  const { pathname, search } = new URL(exchange.request.url);
  const sent = [pathname + search, pathname, decodeSegment(pathname), ...hosts].filter((one) => one.length > 1);
  const withoutEchoes = (text: string) => sent.reduce((rest, one) => rest.replaceAll(one, '…'), text);
  const signs = [
    ...texts.map(({ pointer, text }) => ({ at: { step, pointer }, sign: findInternals(withoutEchoes(text), which) })),
    ...result.headers.map(([header, value]) => ({ at: { step, header }, sign: findInternals(value, 'traces') })),
  ];
  const safe = 'text that reveals nothing about the internals of the service';
  return signs.flatMap(({ at, sign }) =>
    sign === undefined ? [] : [finding('value-unexpected', at, safe, excerpt(sign))],
  );
}

const readStatus = ({ result }: Exchange): number => (result.kind === 'response' ? result.status : 0);
// A leak is reported even if another rule has a finding about the same response.
const leaks = { concern: 'access', readsAttributed: true, check: findLeaks } as const;

export const internalsRules = [
  callRule('passive.error.tells-nothing-inner', {
    ...leaks,
    sentence: 'Errors of the router reveal no internal details of the service.',
    requirements: ['MR-ERR-03'],
    requiredOf: ['mock', 'sandbox', 'live'],
    about: (call) => readStatus(call) >= 400,
  }),
  callRule('passive.workflow.error-tells-nothing-inner', {
    ...leaks,
    sentence: 'Errors of the workflow API reveal no internal details of the service.',
    partReading: 'OP-121',
    requirements: ['WX-ERR-04', 'WX-COD-22', 'WX-COD-23'],
    api: 'workflow',
    requiredOf: ['mock', 'sandbox', 'live'],
    about: (call) => readStatus(call) >= 400,
    // The API text only promises this for unexpected failures.
    check: (response, ...given) =>
      expect.withReading(response.status < 500 ? 'OP-121' : undefined, findLeaks)(response, ...given),
  }),
];

function listSentValues(request: WireRequest, header: string): readonly string[] {
  const value = readHeader(request, header)
    ?.replace(/^Bearer\s+/i, '')
    .trim();
  return value === undefined || value.length < shortestSecret ? [] : [value];
}

// Cached, because most headers and many bodies are the same in many responses.
const knownEchoes = createTextMap<boolean>(16 * 1024 * 1024);

function findEchoes(response: StepResponse, secrets: readonly string[], what: string): readonly Finding[] {
  return secrets.flatMap((secret) => {
    const redact = createRedactor([secret]);
    const containsSecret = (text: string): boolean =>
      once(knownEchoes, `${secret}\n${text}`, () => redact(text) !== text);
    const headers = response.headers.filter(([name, value]) => containsSecret(`${name}: ${value}`));
    const locations = [
      ...headers.map(([name]) => `header ${name}`),
      ...(containsSecret(decodeBody(response)) ? ['the body'] : []),
    ];
    return locations.map((location) =>
      finding('secret-echoed', { step: response.step }, `no ${what} in a response`, location),
    );
  });
}

const listCredentials = ({ request }: Exchange): readonly string[] =>
  ['X-API-Key', 'Authorization'].flatMap((header) => listSentValues(request, header));

export const secretRules = [
  ...(['router', 'workflow'] as const).map((api) =>
    callRule(`passive.secret.${api}-credential-is-not-echoed`, {
      concern: 'access',
      sentence: `No response of the ${api} API contains the credential of its call.`,
      requirements: api === 'router' ? ['MR-ERR-03', 'MR-AUT-02', 'MR-AUT-04'] : ['WX-AUT-01'],
      api,
      requiredOf: api === 'router' ? ['sandbox', 'live'] : ['mock', 'sandbox'],
      about: (call) => listCredentials(call).length > 0,
      check: (response, call) => findEchoes(response, listCredentials(call), 'credential'),
    }),
  ),
  responseRule('passive.secret.extra-data-is-left-out', {
    concern: 'access',
    sentence: 'A workflow in the api format never contains extra_data.',
    requirements: ['WX-JWF-19'],
    api: 'workflow',
    requiredOf: ['mock', 'sandbox'],
    // A workflow in the format `save` may contain any member.
    about: (observed) => observed.status === 200 && readMember(observed, '/format') !== 'save',
    check: ({ step, parsed }) =>
      parsed.kind === 'json' && findExtraData(parsed.value).length > 0
        ? [finding('secret-echoed', { step }, 'no member extra_data', 'extra_data')]
        : [],
  }),
  traceRule('trace.secret.idempotency-key-is-never-told', {
    concern: 'access',
    sentence: 'No response contains the idempotency key of its own call, or of the call that submitted its request.',
    requirements: ['MR-IDM-39'],
    requiredOf: ['mock', 'sandbox'],
    check: (responses) => {
      // Calls for a queued request don't send the key, so the rule looks it up by request id.
      const keys = new Map<unknown, readonly string[]>();
      return responses.flatMap((observed) => {
        const id = observed.parameters['request_id'] ?? readMember(observed, '/request_id');
        const sent = listSentValues(observed.exchange.request, 'Idempotency-Key');
        const known = [...new Set([...(keys.get(id) ?? []), ...sent])];
        if (id !== undefined) keys.set(id, known);
        return findEchoes(observed, known, 'idempotency key');
      });
    },
  }),
];
