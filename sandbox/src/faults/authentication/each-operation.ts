import type { Decorator, Fault } from '../decorator.ts';
import type { OperationId } from '../making/operation-match.ts';
import { rewriteRequest } from '../making/request-rewrite.ts';

const main = 'sk-sandbox-main';
const bearer = `Bearer ${main}`;

/** Each breach stands on one operation only, where no look at another one finds it. */
const withoutTokens = (operation: OperationId): Decorator =>
  rewriteRequest([operation], (request) =>
    request.headers.has('x-api-key') ? {} : { headers: { authorization: undefined } },
  );

const tokenFirst = (operation: OperationId): Decorator =>
  rewriteRequest([operation], (request) =>
    request.headers.has('authorization') ? { headers: { 'x-api-key': undefined } } : {},
  );

const eitherWillDo = (operation: OperationId): Decorator =>
  rewriteRequest([operation], (request) =>
    request.headers.get('authorization') === bearer ? { headers: { 'x-api-key': main } } : {},
  );

/** Compares no more than the length of the key that it knows. */
const byBeginning: Decorator = rewriteRequest('router', (request) => {
  const key = request.headers.get('x-api-key') ?? '';
  const token = request.headers.get('authorization') ?? '';
  return key.startsWith(main) || (key === '' && token.startsWith(bearer)) ? { headers: { 'x-api-key': main } } : {};
});

/** Letters count the same in either case. */
const inAnyCase: Decorator = rewriteRequest('router', (request) => {
  const [key, token] = [request.headers.get('x-api-key'), request.headers.get('authorization')];
  if (key !== null) return { headers: { 'x-api-key': key.toLowerCase() } };
  return token === null ? {} : { headers: { authorization: token.toLowerCase().replace(/^bearer/, 'Bearer') } };
});

const emptyIsMain: Decorator = rewriteRequest('router', (request) =>
  request.headers.get('x-api-key') === '' ? { headers: { 'x-api-key': main } } : {},
);

export const authenticationOperationFaults: readonly Fault[] = [
  {
    id: 'authentication.wrong.accepted-in-capitals',
    requirements: ['MR-AUT-07'],
    description: 'The case of letters in a credential says nothing.',
    decorate: inAnyCase,
  },
  {
    id: 'authentication.wrong.accepted-when-empty',
    requirements: ['MR-AUT-06'],
    description: 'An empty key is taken for a good one.',
    decorate: emptyIsMain,
  },
  {
    id: 'authentication.bearer.refused-for-cancellations',
    requirements: ['MR-AUT-03', 'MR-AUT-04', 'MR-AUT-10'],
    description: 'Cancelling takes API keys only.',
    decorate: withoutTokens('cancelRequest'),
  },
  {
    id: 'authentication.bearer.refused-for-submissions',
    requirements: ['MR-AUT-03', 'MR-AUT-04', 'MR-AUT-10'],
    description: 'Submitting takes API keys only.',
    decorate: withoutTokens('submitRequest'),
  },
  {
    id: 'authentication.precedence.token-first-for-runs',
    requirements: ['MR-AUT-05'],
    description: 'On runs the bearer token takes precedence over the API key.',
    decorate: tokenFirst('runModel'),
  },
  {
    id: 'authentication.precedence.either-will-do-for-schema-documents',
    requirements: ['MR-AUT-05'],
    description: 'For schema documents a wrong API key is overlooked when the bearer token is good.',
    decorate: eitherWillDo('readSchemaDocument'),
  },
  {
    id: 'authentication.wrong.longer-key-accepted',
    requirements: ['MR-AUT-07'],
    description: 'Of a credential only the beginning is compared.',
    decorate: byBeginning,
  },
];
