import { findMembers, headerOf, textOf } from '../definitions/evidence.ts';
import { type Finding, finding } from '../definitions/finding.ts';
import type { WireRequest, WireResponse } from '../definitions/probe.ts';
import type { Rule } from '../definitions/rule.ts';
import { isOf, memberOfBody, type ObservedResponse } from './observed-response.ts';
import { defineResponseRules, defineRunRules, type ResponseCheck, type ResponseRule } from './passive-rule.ts';

/** A shorter value may be in a response by chance. */
const shortestSecret = 8;

function valuesSent(request: WireRequest, header: string): readonly string[] {
  const value = headerOf(request, header)
    ?.replace(/^Bearer\s+/i, '')
    .trim();
  return value === undefined || value.length < shortestSecret ? [] : [value];
}

/** Where a response holds the text: a header, or the body as it reads after decoding. */
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

function echoesOf({ response }: ObservedResponse, secrets: readonly string[], what: string): readonly Finding[] {
  const places = secrets.flatMap((secret) => placesOf(secret, response));
  return places.map((place) => finding('secret-echoed', { step: response.step }, `no ${what} in a response`, place));
}

const credentialsSent = ({ exchange }: ObservedResponse): readonly string[] =>
  ['X-API-Key', 'Authorization'].flatMap((header) => valuesSent(exchange.request, header));
const keySent = ({ exchange }: ObservedResponse): readonly string[] => valuesSent(exchange.request, 'Idempotency-Key');

const credentialIsNotEchoed: Pick<ResponseRule, 'of' | 'check'> = {
  of: (observed) => credentialsSent(observed).length > 0,
  check: (observed) => echoesOf(observed, credentialsSent(observed), 'credential'),
};

/** Later responses on a queued request do not hold its key either, though those calls carry none. */
function keyEchoes(responses: readonly ObservedResponse[]): readonly Finding[] | undefined {
  const keys = new Map<string, readonly string[]>();
  for (const observed of responses) {
    const id = memberOfBody(observed, 'request_id');
    if (isOf(observed, 'submitRequest') && typeof id === 'string') {
      keys.set(id, [...new Set([...(keys.get(id) ?? []), ...keySent(observed)])]);
    }
  }
  if (keys.size === 0) return undefined;
  return responses
    .filter((observed) => isOf(observed, 'readStatus', 'collectRequest', 'cancelRequest'))
    .flatMap((observed) => {
      const ofRequest = keys.get(observed.parameters['request_id'] ?? '') ?? [];
      return ofRequest.length === 0 ? [] : echoesOf(observed, ofRequest, 'idempotency key');
    });
}

const checkNoExtraData: ResponseCheck = ({ response, body }) => {
  if (body.kind === 'malformed' || findMembers(body.value, (name) => name === 'extra_data').length === 0) return [];
  return [finding('secret-echoed', { step: response.step }, 'no member extra_data', 'extra_data')];
};

export const secretRules: readonly Rule[] = [
  ...defineResponseRules({}, [
    {
      id: 'secret.router-credential-is-not-echoed',
      requirements: ['MR-ERR-03', 'MR-AUT-02', 'MR-AUT-04'],
      requiredOf: ['sandbox', 'live'],
      ...credentialIsNotEchoed,
    },
    {
      id: 'secret.idempotency-key-is-not-echoed',
      requirements: ['MR-IDM-39'],
      of: (observed) => keySent(observed).length > 0,
      check: (observed) => echoesOf(observed, keySent(observed), 'idempotency key'),
    },
  ]),
  ...defineResponseRules({ api: 'workflow', requiredOf: ['mock', 'sandbox'] }, [
    {
      id: 'secret.workflow-credential-is-not-echoed',
      requirements: ['WX-AUT-01'],
      ...credentialIsNotEchoed,
    },
    {
      id: 'secret.extra-data-is-left-out',
      requirements: ['WX-JWF-19'],
      // A workflow as its author saved it may hold any member.
      of: (observed) => observed.response.status === 200 && memberOfBody(observed, 'format') !== 'save',
      check: checkNoExtraData,
    },
  ]),
  ...defineRunRules({ requiredOf: ['mock', 'sandbox'] }, [
    { id: 'secret.key-of-a-submission-is-never-told', requirements: ['MR-IDM-39'], check: keyEchoes },
  ]),
];
