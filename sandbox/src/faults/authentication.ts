import { authenticationOperationFaults } from './authentication/each-operation.ts';
import type { Decorator, Fault } from './decorator.ts';
import { changeStatus, refusal, rewriteAnswer, setCategory, type Where } from './making/answer-rewrite.ts';
import { type OperationId, operationOf, routerOperations } from './making/operation-match.ts';
import { changeRequest, rewriteRequest } from './making/request-rewrite.ts';

const key = 'sk-sandbox-main';
const unauthorized: Where = { on: 'router', status: 401 };
const forbidden: Where = { on: 'router', status: 403 };

function hasCredential(request: Request): boolean {
  return request.headers.has('x-api-key') || request.headers.has('authorization');
}

function isRouterCall(request: Request): boolean {
  const operation = operationOf(request);
  return operation !== undefined && routerOperations.includes(operation);
}

/** A refused call is tried again with changed credentials, for which `headers` may also say to leave it. */
function tryAgain(headers: (request: Request) => Record<string, string | undefined> | undefined): Decorator {
  return (app) => async (request) => {
    const changed = isRouterCall(request) ? headers(request) : undefined;
    if (changed === undefined) return app(request);
    const untouched = request.clone();
    const response = await app(request);
    return response.status === 401 ? app(await changeRequest(untouched, { headers: changed })) : response;
  };
}

function letIn(who: string): Decorator {
  return rewriteRequest('router', (request) =>
    request.headers.get('x-api-key')?.endsWith(who) ? { headers: { 'x-api-key': key } } : {},
  );
}

const openOperations: readonly (readonly [OperationId, string, string])[] = [
  ['listModels', 'MR-CAT-53', 'listing'],
  ['readModel', 'MR-MOD-10', 'model detail'],
  ['runModel', 'MR-RUN-43', 'synchronous run'],
  ['readSchemaDocument', 'MR-SCH-18', 'schema document'],
  ['submitRequest', 'MR-SUB-14', 'submission'],
  ['collectRequest', 'MR-COL-13', 'collection'],
  ['readStatus', 'MR-STA-06', 'status'],
  ['cancelRequest', 'MR-CAN-16', 'cancellation'],
];

const openFaults: readonly Fault[] = openOperations.map(([operation, requirement, name]) => ({
  id: `authentication.none.${name.replace(' ', '-')}-open`,
  requirements: ['MR-AUT-01', 'MR-AUT-06', requirement],
  description: `The ${name} needs no credential.`,
  decorate: rewriteRequest([operation], (request) => (hasCredential(request) ? {} : { headers: { 'x-api-key': key } })),
}));

const readOperations: readonly (readonly [OperationId, string, string])[] = [
  ['listModels', 'MR-CAT-54', 'listing'],
  ['readModel', 'MR-MOD-11', 'model detail'],
  ['readSchemaDocument', 'MR-SCH-19', 'schema document'],
  ['collectRequest', 'MR-COL-14', 'collection'],
  ['readStatus', 'MR-STA-07', 'status'],
  ['cancelRequest', 'MR-CAN-17', 'cancellation'],
];

const barredFaults: readonly Fault[] = readOperations.map(([operation, requirement, name]) => ({
  id: `authentication.no-access.${name.replace(' ', '-')}-granted`,
  requirements: ['MR-AUT-08', requirement],
  description: `A caller without access is granted the ${name}.`,
  decorate: rewriteRequest([operation], (request) =>
    request.headers.get('x-api-key')?.endsWith('-no-access') ? { headers: { 'x-api-key': key } } : {},
  ),
}));

export const authenticationFaults: readonly Fault[] = [
  ...openFaults,
  ...barredFaults,
  {
    id: 'authentication.none.answered-with-403',
    requirements: ['MR-AUT-06', 'MR-AUT-07', 'MR-STC-02'],
    description: 'Missing and invalid credentials are answered with 403.',
    decorate: changeStatus(unauthorized, 403),
  },
  {
    id: 'authentication.none.wrong-category',
    requirements: ['MR-AUT-06', 'MR-AUT-07', 'MR-CTG-11'],
    description: 'Missing and invalid credentials are called forbidden.',
    decorate: setCategory(unauthorized, 'forbidden'),
  },
  {
    id: 'authentication.wrong.key-accepted',
    requirements: ['MR-AUT-07'],
    description: 'Any API key is good enough.',
    decorate: tryAgain((request) => (request.headers.has('x-api-key') ? { 'x-api-key': key } : undefined)),
  },
  {
    id: 'authentication.wrong.token-accepted',
    requirements: ['MR-AUT-07'],
    description: 'Any bearer token is good enough.',
    decorate: tryAgain((request) =>
      request.headers.has('authorization') && !request.headers.has('x-api-key') ? { 'x-api-key': key } : undefined,
    ),
  },
  {
    id: 'authentication.bearer.refused',
    requirements: ['MR-AUT-04', 'MR-AUT-10'],
    description: 'An API key as bearer token is refused.',
    decorate: rewriteRequest('router', () => ({ headers: { authorization: undefined } })),
  },
  {
    id: 'authentication.api-key.refused-for-the-listing',
    requirements: ['MR-AUT-02', 'MR-AUT-10'],
    description: 'The listing takes bearer tokens only.',
    decorate: rewriteRequest(['listModels'], () => ({ headers: { 'x-api-key': undefined } })),
    trips: ['MR-AUT-08', 'MR-CAT-17'],
  },
  {
    id: 'authentication.precedence.token-first',
    requirements: ['MR-AUT-05'],
    description: 'The bearer token takes precedence over the API key.',
    decorate: rewriteRequest('router', (request) =>
      request.headers.has('authorization') ? { headers: { 'x-api-key': undefined } } : {},
    ),
  },
  {
    id: 'authentication.precedence.either-will-do',
    requirements: ['MR-AUT-05'],
    description: 'A wrong API key is overlooked when the bearer token is good.',
    decorate: tryAgain((request) => (request.headers.has('authorization') ? { 'x-api-key': undefined } : undefined)),
  },
  {
    id: 'authentication.no-access.let-in',
    requirements: ['MR-AUT-08', 'MR-RUN-44', 'MR-SUB-16'],
    description: 'A caller without access may run models.',
    decorate: letIn('-no-access'),
  },
  {
    id: 'authentication.no-access.as-not-found',
    requirements: ['MR-AUT-08', 'MR-STC-04'],
    description: 'A caller without access is told that there is no such model.',
    decorate: rewriteAnswer(forbidden, (answer, { context }) =>
      refusal(answer, context, { status: 404, category: 'model_not_found' }),
    ),
    trips: ['MR-CTG-17'],
  },
  {
    id: 'authentication.no-access.wrong-category',
    requirements: ['MR-AUT-08', 'MR-CTG-12'],
    description: 'A caller without access is called unauthorized.',
    decorate: setCategory(forbidden, 'unauthorized'),
    trips: ['MR-CTG-17'],
  },
  {
    id: 'authentication.not-enabled.unnamed',
    requirements: ['MR-CTG-17'],
    description: 'A caller for whom the router is not enabled is called forbidden.',
    decorate: setCategory(forbidden, 'forbidden'),
  },
  ...authenticationOperationFaults,
];
