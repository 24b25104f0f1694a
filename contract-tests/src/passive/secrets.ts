import { headerOf, textOf } from '../answer.ts';
import type { Draft } from '../finding.ts';
import type { WireRequest, WireResponse } from '../probe.ts';
import { finding, forbidHeader } from '../require.ts';
import type { Rule } from '../rule.ts';
import { hasCapability } from '../target.ts';
import { hasMember } from './json-walk.ts';
import { passiveRule, traceRule } from './passive-rule.ts';
import { isOf, memberOfBody, type Sighting, sentValue } from './sighting.ts';

/** A value of a few letters may stand in an answer by chance. */
const shortestSecret = 8;

function valuesSent(request: WireRequest, header: string): readonly string[] {
  const value = headerOf(request, header)
    ?.replace(/^Bearer\s+/i, '')
    .trim();
  return value === undefined || value.length < shortestSecret ? [] : [value];
}

/** Where the text stands: in the name of a header, or in the body as it reads after decoding. */
function placesOf(secret: string, response: WireResponse): readonly string[] {
  const isIn = (text: string): boolean => text.toLowerCase().includes(secret.toLowerCase());
  const inHeaders = response.headers.filter(([, value]) => isIn(value)).map(([name]) => `header ${name}`);
  return [...inHeaders, ...(isIn(readable(response)) ? ['the body'] : [])];
}

function readable(response: WireResponse): string {
  return textOf(response)
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\\/', '/');
}

function echoesOf({ answer }: Sighting, secrets: readonly string[], what: string): readonly Draft[] {
  const places = secrets.flatMap((secret) => placesOf(secret, answer));
  return places.map((place) =>
    finding('secret-echoed', { step: answer.step }, { expected: `no ${what} in an answer`, actual: place }),
  );
}

const credentialHeaders = ['X-API-Key', 'Authorization'];
const credentialsSent = ({ exchange }: Sighting): readonly string[] =>
  credentialHeaders.flatMap((header) => valuesSent(exchange.request, header));
const keySent = ({ exchange }: Sighting): readonly string[] => valuesSent(exchange.request, 'Idempotency-Key');

const echoRequirements = { router: ['MR-ERR-03', 'MR-AUT-02', 'MR-AUT-04'], workflow: ['WX-AUT-01'] } as const;

/** What is told of a queued request later holds no key either, though that call carries none. */
function requireSilenceOnKeys(sightings: readonly Sighting[]): readonly Draft[] | undefined {
  const keys = new Map<string, readonly string[]>();
  for (const sighting of sightings) {
    const id = memberOfBody(sighting, 'request_id');
    if (isOf(sighting, 'submitRequest') && typeof id === 'string') {
      keys.set(id, [...new Set([...(keys.get(id) ?? []), ...keySent(sighting)])]);
    }
  }
  if (keys.size === 0) return undefined;
  return sightings
    .filter((sighting) => isOf(sighting, 'readStatus', 'collectRequest', 'cancelRequest'))
    .flatMap((sighting) => {
      const ofRequest = keys.get(sighting.parameters['request_id'] ?? '') ?? [];
      return ofRequest.length === 0 ? [] : echoesOf(sighting, ofRequest, 'idempotency key');
    });
}

export const secretRules: readonly Rule[] = [
  ...(['router', 'workflow'] as const).map((api) =>
    passiveRule({
      id: `secret.${api}-credential-is-not-echoed`,
      api,
      requirements: echoRequirements[api],
      of: (sighting) => credentialsSent(sighting).length > 0,
      judge: (sighting) => echoesOf(sighting, credentialsSent(sighting), 'credential'),
    }),
  ),
  passiveRule({
    id: 'secret.idempotency-key-is-not-echoed',
    requirements: ['MR-IDM-39'],
    of: (sighting) => keySent(sighting).length > 0,
    judge: (sighting) => echoesOf(sighting, keySent(sighting), 'idempotency key'),
  }),
  traceRule({
    id: 'secret.key-of-a-submission-is-never-told',
    requirements: ['MR-IDM-39'],
    judge: requireSilenceOnKeys,
  }),
  passiveRule({
    id: 'secret.extra-data-is-left-out',
    api: 'workflow',
    requirements: ['WX-JWF-19'],
    of: (sighting) => isOf(sighting, 'readJobWorkflow') && sighting.answer.status === 200 && isOfApiFormat(sighting),
    judge: ({ answer, body }) => {
      if (body.kind === 'malformed' || !hasMember(body.value, 'extra_data')) return [];
      const said = { expected: 'no member extra_data', actual: 'extra_data' };
      return [finding('secret-echoed', { step: answer.step }, said)];
    },
  }),
];

// A workflow as its author saved it may hold what it likes.
function isOfApiFormat(sighting: Sighting): boolean {
  return memberOfBody(sighting, 'format') !== 'save';
}

const replayHeader = 'Idempotent-Replayed';

function isReplay({ answer }: Sighting): boolean {
  return headerOf(answer, replayHeader)?.trim().toLowerCase() === 'true';
}

/** Under one key and the same credential the first answer cannot come from a record: nothing was recorded yet. */
function requireEarlierCall(sightings: readonly Sighting[]): readonly Draft[] | undefined {
  const keyedCalls = sightings.filter(({ exchange }) => sentValue(exchange, 'Idempotency-Key') !== undefined);
  if (keyedCalls.length === 0) return undefined;
  return keyedCalls.filter(isReplay).flatMap(({ exchange, answer }) => {
    const key = sentValue(exchange, 'Idempotency-Key');
    const isEarlier = (other: Sighting): boolean =>
      other.exchange !== exchange &&
      sentValue(other.exchange, 'Idempotency-Key') === key &&
      other.exchange.timing.startedAtMs <= exchange.timing.startedAtMs + exchange.timing.durationMs;
    if (keyedCalls.some(isEarlier)) return [];
    const at = { step: answer.step, header: replayHeader };
    return [finding('header-unexpected', at, { expected: 'no replay at the first call of a key', actual: 'true' })];
  });
}

export const replayRules: readonly Rule[] = [
  traceRule({
    id: 'replay.needs-an-earlier-call',
    requirements: ['MR-HDR-14'],
    appliesTo: hasCapability('state'),
    readsAccused: true,
    judge: requireEarlierCall,
  }),
  passiveRule({
    id: 'replay.carries-no-credits',
    requirements: ['MR-HDR-27', 'MR-HDR-14'],
    of: isReplay,
    judge: ({ answer }, { headers }) => forbidHeader(answer, headers.creditsUsed),
  }),
  passiveRule({
    id: 'replay.needs-a-key',
    requirements: ['MR-HDR-14'],
    of: isReplay,
    judge: ({ exchange, answer }) => {
      // A collect or status of a submission made under a key is no call with a key.
      if (sentValue(exchange, 'Idempotency-Key') !== undefined) return [];
      const at = { step: answer.step, header: replayHeader };
      return [finding('header-unexpected', at, { expected: 'no replay of a call without a key', actual: 'true' })];
    },
  }),
];
