import { createRedactor, shortestSecret } from '../../../../specs/src/index.ts';
import { createTextMap } from '../../contract/cache.ts';
import { decodeBody, once, readHeader, readMember, type StepResponse } from '../../contract/evidence.ts';
import type { Exchange, WireRequest } from '../../contract/exchange.ts';
import { type Finding, finding } from '../../contract/finding.ts';
import { findExtraData } from '../workflow/jobs.ts';
import type { ObservedResponse } from './passive-rule.ts';
import { callRule, responseRule, traceRule } from './passive-rule.ts';

function valuesSent(request: WireRequest, header: string): readonly string[] {
  const value = readHeader(request, header)
    ?.replace(/^Bearer\s+/i, '')
    .trim();
  return value === undefined || value.length < shortestSecret ? [] : [value];
}

// Most headers and many bodies are the same in many responses.
const searched = createTextMap<boolean>(16 * 1024 * 1024);

function findEchoes(response: StepResponse, secrets: readonly string[], what: string): readonly Finding[] {
  return secrets.flatMap((secret) => {
    const redact = createRedactor([secret]);
    const repeats = (text: string): boolean => once(searched, `${secret}\n${text}`, () => redact(text) !== text);
    const headers = response.headers.filter(([name, value]) => repeats(`${name}: ${value}`));
    const locations = [
      ...headers.map(([name]) => `header ${name}`),
      ...(repeats(decodeBody(response)) ? ['the body'] : []),
    ];
    return locations.map((location) =>
      finding('secret-echoed', { step: response.step }, `no ${what} in a response`, location),
    );
  });
}

const credentialsSent = ({ request }: Exchange): readonly string[] =>
  ['X-API-Key', 'Authorization'].flatMap((header) => valuesSent(request, header));
const keySent = ({ exchange }: ObservedResponse): readonly string[] => valuesSent(exchange.request, 'Idempotency-Key');

const credentialEchoes = {
  concern: 'access',
  about: (call: Exchange): boolean => credentialsSent(call).length > 0,
  check: (response: StepResponse, call: Exchange) => findEchoes(response, credentialsSent(call), 'credential'),
} as const;

export const secretRules = [
  callRule('passive.secret.router-credential-is-not-echoed', {
    sentence: 'No response of the router contains the credential of its call.',
    requirements: ['MR-ERR-03', 'MR-AUT-02', 'MR-AUT-04'],
    requiredOf: ['sandbox', 'live'],
    ...credentialEchoes,
  }),
  callRule('passive.secret.workflow-credential-is-not-echoed', {
    sentence: 'No response of the workflow API contains the credential of its call.',
    requirements: ['WX-AUT-01'],
    api: 'workflow',
    requiredOf: ['mock', 'sandbox'],
    ...credentialEchoes,
  }),
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
    sentence: 'No response contains the idempotency key of its call, or of the submission that it is about.',
    requirements: ['MR-IDM-39'],
    requiredOf: ['mock', 'sandbox'],
    check: (responses) => {
      // Calls for a queued request don't send the key, so the rule looks it up by request id.
      const keys = new Map<unknown, readonly string[]>();
      return responses.flatMap((observed) => {
        const id = observed.parameters['request_id'] ?? readMember(observed, '/request_id');
        const known = [...new Set([...(keys.get(id) ?? []), ...keySent(observed)])];
        if (id !== undefined) keys.set(id, known);
        return findEchoes(observed, known, 'idempotency key');
      });
    },
  }),
];
