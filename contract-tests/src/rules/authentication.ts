import { usualCauses } from '../contract/concerns.ts';
import { NotApplicable } from '../contract/endings.ts';
import type { CredentialUse, RawHeaders } from '../contract/exchange.ts';
import { type CheckResult, notApplicable } from '../contract/finding.ts';
import { modelPath } from '../contract/requests.ts';
import { type Rule, type RuleDefinition, ruleIn } from '../contract/rule.ts';
import type { Answer, FreeContext, Runnable, TargetContext } from '../contract/scenario.ts';
import { scenario } from '../contract/scenario.ts';
import type { Condition, CredentialName } from '../requires.ts';
import { anyOf, apiKey, authentication, credential, hook, input } from '../requires.ts';
import { alternatePath, json, malformedBody, withUnknownId } from './calls.ts';
import * as expect from './expect.ts';
import { type RouterOperation, routerOperations } from './operations.ts';

const rule = ruleIn('authentication');

type Caller = { readonly credentials: readonly CredentialUse[]; readonly headers?: RawHeaders };

/** Makes a call that cannot start a run, even if its credential is accepted. */
function callAs(server: FreeContext, operation: RouterOperation, caller: Caller, name: string): Promise<Answer> {
  if (operation.name === 'list') return server.listModels('', { ...caller, name });
  const { method, tail } = operation;
  const { path, input, invalidInput } = server.authored;
  const harmless = () => {
    if (server.kind === 'mock') return json(input);
    return invalidInput === undefined ? malformedBody(server) : json(invalidInput);
  };
  const request = { ...caller, ...(isStart(operation) ? harmless() : {}) };
  return server.send({ api: 'router', method, to: path + withUnknownId(tail, server), ...request }, { name });
}

type Callers = Readonly<Record<string, Caller>>;

const isStart = ({ method }: RouterOperation): boolean => method === 'POST';

/** Calls each operation as each caller. Without a budget, omits calls that could start a run, unless all calls could. */
const callOperationsAs = (callers: Callers, requires: readonly Condition[], operations = routerOperations) =>
  scenario({ requires }, async (server) => {
    const callEach = (isIncluded: (operation: RouterOperation) => boolean) => {
      const calls = Object.entries(callers).flatMap(([name, caller]) =>
        operations.filter(isIncluded).map((operation) => ({ operation, caller, name })),
      );
      return server.sendRejectedCalls(calls, ({ operation, caller, name }) =>
        callAs(server, operation, caller, `${operation.name} ${name}`.trim()),
      );
    };
    if (operations.every(isStart)) return { answers: await callEach(isStart) };
    const reads = await callEach((operation) => !isStart(operation));
    return { answers: [...reads, ...((await server.ifPossible(() => callEach(isStart))) ?? [])] };
  });

const listOperation = routerOperations.filter(({ name }) => name === 'list');

type CallResponses = { readonly answers: readonly Answer[] };

/** Ignores calls that were rejected for a malformed body: the API text doesn't define which error has priority. */
const checkRejected =
  (expectation: expect.Expectation) =>
  ({ answers }: CallResponses, context: TargetContext): CheckResult => {
    const isBodyMalformed = context.kind !== 'mock' && context.authored.invalidInput === undefined;
    const conclusive = answers.filter(
      ({ status, exchange }) => !(isBodyMalformed && status === 400 && exchange.request.method === 'POST'),
    );
    return conclusive.length === 0 && answers.length > 0
      ? notApplicable(
          "the call deliberately has a malformed body, so that it can't start a run, but the server checks the body before the credential",
        )
      : expect.on(conclusive, expectation);
  };
const expectUnauthorized = checkRejected(expect.error(401, 'unauthorized'));

const use = (as: CredentialUse['as'], who: CredentialUse['who']): CredentialUse => ({ as, who });
const [key, token] = [use('api-key', 'main'), use('bearer', 'main')];
const [wrongKey, wrongToken] = [use('api-key', 'wrong'), use('bearer', 'wrong')];
const asCaller = (...credentials: readonly CredentialUse[]): Callers => ({ '': { credentials } });
const sendingHeader = (header: string, value: string): Caller => ({ credentials: [], headers: [[header, value]] });

/** Malformed API keys and bearer tokens. They are not secret, and no target accepts them. */
const malformedCredentials: Callers = {
  'the Basic scheme': sendingHeader('Authorization', `Basic ${btoa('switchyard:wrong-credential')}`),
  'a token without a scheme': sendingHeader('Authorization', 'switchyard-wrong-credential'),
  'a scheme without a token': sendingHeader('Authorization', 'Bearer'),
  'two tokens': sendingHeader('Authorization', 'Bearer switchyard wrong-credential'),
  'undefined as token': sendingHeader('Authorization', 'Bearer undefined'),
  'an empty key': sendingHeader('X-API-Key', ''),
  'null as key': sendingHeader('X-API-Key', 'null'),
};

/** Credentials that only resemble a valid one. A server that compares only the beginning would accept a longer one. */
const similarCredentials: Callers = {
  'key with more behind it': { credentials: [use('api-key', 'lengthened')] },
  'token with more behind it': { credentials: [use('bearer', 'lengthened')] },
  'key cut short': { credentials: [use('api-key', 'shortened')] },
  'token cut short': { credentials: [use('bearer', 'shortened')] },
  'key in capitals': { credentials: [use('api-key', 'recased')] },
  'token in capitals': { credentials: [use('bearer', 'recased')] },
  'empty key': { credentials: [use('api-key', 'empty')] },
};

const requirements401 = [
  'MR-AUT-07',
  'MR-STC-02',
  'MR-CTG-11',
  ...routerOperations.map(({ refusals }) => refusals[401]),
];

const requireCredential = (who: CredentialName<'router'>) => [authentication, ...credential('router', who)];
const requiredOfServers = { requiredOf: ['sandbox', 'live'] } as const;

const rejectedCredentialRule = (
  id: string,
  credential: string,
  callers: Callers,
  { requires = [authentication], ...more }: Partial<RuleDefinition<CallResponses>> = {},
) =>
  rule(`authentication.${id}`, callOperationsAs(callers, requires), {
    sentence: `${credential} is rejected with 401 unauthorized.`,
    requirements: requirements401,
    check: expectUnauthorized,
    ...more,
  });

const refusalRules = [
  ...routerOperations.flatMap((operation) => {
    const { name, words, refusals } = operation;
    const requirements = ['MR-AUT-01', 'MR-AUT-06', 'MR-AUT-07', 'MR-STC-02', 'MR-CTG-11', refusals[401]];
    return [
      rule(`authentication.none.is-refused.${name}`, callOperationsAs(asCaller(), [], [operation]), {
        sentence: `A call without a credential is rejected with 401 unauthorized (${words}).`,
        requirements,
        requiredOf: ['mock', 'sandbox', 'live'],
        check: expectUnauthorized,
      }),
    ];
  }),
  rejectedCredentialRule('malformed.is-refused', 'A malformed credential', malformedCredentials, requiredOfServers),
  rejectedCredentialRule('wrong.is-refused.key', 'A wrong API key', asCaller(wrongKey), requiredOfServers),
  rejectedCredentialRule('wrong.is-refused.token', 'A wrong bearer token', asCaller(wrongToken), requiredOfServers),
  rejectedCredentialRule(
    'wrong.is-refused.however-alike',
    'A credential that only resembles a valid one',
    similarCredentials,
    {
      requirements: ['MR-AUT-06', ...requirements401],
      needs: ['authentication.wrong.is-refused.key'],
    },
  ),
  rejectedCredentialRule('revoked.is-refused', 'A revoked credential', asCaller(use('usual', 'revoked')), {
    requires: requireCredential('revoked'),
  }),
  rejectedCredentialRule(
    'expired-token.is-refused',
    'An expired bearer token',
    asCaller(use('bearer', 'expiredToken')),
    {
      requires: requireCredential('expiredToken'),
    },
  ),
];

const expectAccepted = ({ answers }: CallResponses) => expect.on(answers, expect.notStatus(401));

/** If both credentials are sent, the key takes effect and the token is ignored. */
const precedenceRule = ruleIn('authentication', {
  requires: [authentication],
  requiredOf: ['sandbox', 'live'],
  usualCause: usualCauses.precedence,
});

/** True if a live target answers a read with 200 or 404: it may reject a caller's runs and still allow reads. */
function mayRead({ status, context, exchange }: Answer): boolean {
  return exchange.request.method !== 'POST' && context.kind === 'live' && (status === 200 || status === 404);
}

const notEnabledRun = scenario(
  { cost: 'billed', requires: credential('router', 'notEnabled') },
  async ({ run, authored }) => ({ run: await run(authored, { as: 'notEnabled', rejected: true }) }),
);

/** Returns the model that the caller `barred` may not use; in a sandbox, the outcomes model of the alternate provider. */
function findBarredModel({ kind, owned }: TargetContext): Runnable {
  if (kind !== 'live') return { path: alternatePath, input: {} };
  const model = owned.find(({ barred }) => barred);
  if (model === undefined) throw new NotApplicable('no model in conform.live.models is marked as barred');
  return { path: modelPath(model.id), input: model.input };
}

/**
 * A caller without access to the API, or only to a model. The API text only defines the 403 for a known model
 * (MR-AUT-08), and leaves open who can read the details of a model.
 */
function forbiddenRule(who: 'noAccess' | 'barred', operation: RouterOperation): Rule {
  const { name, words, method, tail, refusals } = operation;
  const isBarred = who === 'barred';
  const requires = [...credential('router', who), ...(isBarred ? [anyOf(input('barred'), hook('alternate'))] : [])];
  // Reads are free, so they are always tested. Operations that start a run would cost money if the caller had access.
  const called = scenario({ cost: isStart(operation) ? 'billed' : 'free', requires }, async (server) => {
    const model = () => (isBarred ? findBarredModel(server) : server.authored);
    const to = name === 'list' ? '/v2/models' : model().path + withUnknownId(tail, server);
    const body = isStart(operation) ? json(model().input) : {};
    const request = { api: 'router', method, to, credentials: [use('usual', who)], ...body } as const;
    return { call: await server.send(request, { rejected: true, ...(isBarred && { testsSetting: 'barred' }) }) };
  });
  const forbidden = expect.error(403, 'forbidden');
  // The request id is unknown, and the API text doesn't define whether 403 or 404 has priority.
  const isOnRequest = tail.startsWith('/requests/');
  return rule(`authentication.${isBarred ? 'barred-model' : 'no-access'}.is-forbidden.${name}`, called, {
    sentence: `A caller without access to ${isBarred ? 'a model' : 'the API'} is rejected with 403 (${words}).`,
    requirements: ['MR-AUT-08', 'MR-STC-04', 'MR-CTG-12', refusals[403]],
    ...(isOnRequest && { partReading: 'OP-031' }),
    check: ({ call }) => {
      if (mayRead(call)) return notApplicable(`the credential "${who}" has access to this operation`);
      return isOnRequest
        ? expect.on(call, expect.clientError, expect.withReading('OP-031', forbidden))
        : expect.on(call, forbidden);
    },
  });
}

const barredModelRules = routerOperations
  .filter(({ name, tail }) => name !== 'list' && !tail.startsWith('/requests/'))
  .map((operation) => forbiddenRule('barred', operation));

export const authenticationRules = [
  ...refusalRules,
  rule('authentication.api-key.is-accepted', callOperationsAs(asCaller(key), [apiKey], listOperation), {
    sentence: 'An API key in X-API-Key is accepted.',
    requirements: ['MR-AUT-02', 'MR-AUT-10'],
    requiredOf: ['mock', 'sandbox', 'live'],
    check: ({ answers }) => expect.on(answers, expect.status(200)),
  }),
  rule('authentication.bearer.is-accepted', callOperationsAs(asCaller(token), [authentication]), {
    sentence: 'Every operation accepts a credential sent as a bearer token.',
    requirements: ['MR-AUT-03', 'MR-AUT-04', 'MR-AUT-10'],
    requiredOf: ['sandbox', 'live'],
    check: expectAccepted,
  }),
  precedenceRule(
    'authentication.precedence.good-key-beside-wrong-token',
    callOperationsAs(asCaller(key, wrongToken), [apiKey]),
    {
      sentence: 'Every operation accepts a valid API key even if a wrong bearer token is sent with it.',
      requirements: ['MR-AUT-05'],
      needs: ['authentication.api-key.is-accepted'],
      check: expectAccepted,
    },
  ),
  precedenceRule(
    'authentication.precedence.wrong-key-beside-good-token',
    callOperationsAs(asCaller(wrongKey, token), []),
    {
      sentence: 'Every operation rejects a wrong API key even if a valid bearer token is sent with it.',
      requirements: ['MR-AUT-05'],
      needs: ['authentication.bearer.is-accepted', 'authentication.wrong.is-refused.key'],
      check: checkRejected(expect.status(401)),
    },
  ),
  ...routerOperations.map((operation) => forbiddenRule('noAccess', operation)),
  rule('authentication.not-enabled.is-called-so', notEnabledRun, {
    sentence: 'A caller whose workspace is not enabled is rejected with the category not_enabled.',
    requirements: ['MR-CTG-17'],
    // OP-018: the documents define no status for this category.
    check: ({ run }) => expect.on(run, expect.clientError, expect.category('not_enabled')),
  }),
  ...barredModelRules,
];
