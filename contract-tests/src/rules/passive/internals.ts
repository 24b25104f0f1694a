import { isJsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { ProbeContext } from '../../contract/context.ts';
import { decodeBody, parseBody, readMediaType } from '../../contract/evidence.ts';
import { excerpt, type Finding, finding } from '../../contract/finding.ts';
import type { Exchange, WireResponse } from '../../contract/probe.ts';
import { decodeSegment } from '../../contract/requests.ts';
import { innerSign } from './inner-signs.ts';
import { callRule } from './passive-rule.ts';

type Text = { readonly pointer: string; readonly text: string };

function listTexts(value: JsonValue, pointer = ''): readonly Text[] {
  if (typeof value === 'string') return [{ pointer, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  const isEntry = isJsonObject(value) && 'loc' in value;
  return Object.entries(value).flatMap(([name, member]) =>
    isEntry && (name === 'input' || name === 'loc') ? [] : listTexts(member, `${pointer}/${name}`),
  );
}

function listErrorTexts(response: WireResponse): readonly Text[] {
  const parsed = parseBody(response);
  if (parsed.kind === 'json') return listTexts(parsed.value);
  const isText = /^text\/|json|xml|^$/.test(readMediaType(response) ?? '');
  return isText ? [{ pointer: '', text: decodeBody(response) }] : [];
}

/** Removes echoes of the request and its address, which reveal nothing. */
function withoutEchoes(text: string, { request }: Exchange, { baseUrls }: ProbeContext): string {
  const hosts = Object.values(baseUrls).flatMap((url) => (url === undefined ? [] : [new URL(url).host]));
  const { pathname, search } = new URL(request.url);
  const sent = [pathname + search, pathname, decodeSegment(pathname), ...hosts].filter((one) => one.length > 1);
  return sent.reduce((rest, one) => rest.replaceAll(one, '…'), text);
}

/** In headers only traces count: proxies name their hosts there. */
function findLeaks(result: WireResponse, exchange: Exchange, context: ProbeContext): readonly Finding[] {
  const { step, api } = exchange;
  // The message of an entry may point into the input, as in `/data/prompt`. The workflow API promises a general message for
  // unexpected failures only (OP-260).
  const which = result.status === 422 || (api === 'workflow' && result.status < 500) ? 'traces' : 'all';
  const texts = [
    ...listErrorTexts(result).map(({ pointer, text }) => {
      return { at: { step, pointer }, sign: innerSign(withoutEchoes(text, exchange, context), which) };
    }),
    ...result.headers.map(([header, value]) => ({ at: { step, header }, sign: innerSign(value, 'traces') })),
  ];
  return texts.flatMap(({ at, sign }) =>
    sign === undefined ? [] : [finding('value-unexpected', at, safe, excerpt(sign))],
  );
}

const safe = 'words that tell nothing of the inside of the service';

const readStatus = ({ result }: Exchange): number => (result.kind === 'response' ? result.status : 0);
const requiredOf = ['mock', 'sandbox', 'live'] as const;
// A leak is a finding even if another rule has a finding about the same response.
const readsAttributed = true;

export const internalsRules = [
  callRule('passive.error.tells-nothing-inner', {
    concern: 'access',
    sentence: 'Errors of the router reveal no internal details of the service.',
    requirements: ['MR-ERR-03'],
    requiredOf,
    readsAttributed,
    about: (call) => readStatus(call) >= 400,
    check: findLeaks,
  }),
  callRule('passive.workflow.error-tells-nothing-inner', {
    concern: 'access',
    sentence: 'Refusals of the workflow API reveal no internal details of the service.',
    reading: 'OP-121',
    requirements: ['WX-ERR-04'],
    api: 'workflow',
    requiredOf,
    readsAttributed,
    about: (call) => readStatus(call) >= 400 && readStatus(call) < 500,
    check: findLeaks,
  }),
  callRule('passive.workflow.failure-tells-nothing-inner', {
    concern: 'access',
    sentence: 'Failures of the workflow API reveal no internal details of the service.',
    requirements: ['WX-COD-22', 'WX-COD-23', 'WX-ERR-04'],
    api: 'workflow',
    // On a healthy target, only test hooks cause such an error.
    requiredOf: ['sandbox'],
    readsAttributed,
    about: (call) => readStatus(call) >= 500,
    check: findLeaks,
  }),
];
