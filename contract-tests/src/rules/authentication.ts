import type { ProbeContext } from '../contract/context.ts';
import type { DiscoveredModel } from '../contract/discovery.ts';
import { NotApplicable } from '../contract/endings.ts';
import { readResponse } from '../contract/evidence.ts';
import type { CredentialUse, Evidence, Probe, ProbeRequest, Step } from '../contract/probe.ts';
import { defineFamily, type Family, type NamedMember, type Shown } from '../contract/rule.ts';
import { anyOf, apiKey, authentication, credential, hook, input } from '../requires.ts';
import * as expect from './builders/expect.ts';
import { type RouterOperation, routerOperations } from './builders/operations.ts';
import * as send from './builders/send.ts';

type Caller = Required<Pick<ProbeRequest, 'credentials'>> & Pick<ProbeRequest, 'headers'>;

/** A call that cannot run anything, even if its credential is accepted. The listing needs no model. */
function callWith(operation: RouterOperation, context: ProbeContext, caller: Caller): Step {
  const { name, method, tail } = operation;
  if (name === 'list') return send.list(name, '', caller);
  const model = context.authored;
  const { input, invalidInput } = model;
  const harmless = () => {
    if (context.kind === 'mock') return send.jsonBody(input);
    return invalidInput === undefined ? send.malformedBody : send.jsonBody(invalidInput);
  };
  const body = method === 'POST' ? harmless() : {};
  return send.step(name, { api: 'router', method, to: model.path + tail, ...caller, ...body });
}

type Callers = Readonly<Record<string, Caller>>;

const callAs =
  (callers: Callers, operations = routerOperations) =>
  (context: ProbeContext): Probe =>
    Object.entries(callers).flatMap(([name, caller]) =>
      operations.map((operation) => ({
        ...callWith(operation, context, caller),
        name: `${operation.name} ${name}`.trim(),
      })),
    );

function refused(callers: Callers, operations = routerOperations): Shown {
  const each = expect.answers(callAs(callers, operations), expect.error(401, 'unauthorized'));
  const because = 'a body that cannot be read, the only one that runs nothing here, is refused before the credential';
  return { ...each, check: expect.unless(isReadFirst, because, each.check) };
}

/** The text gives the refusals no order. */
const isReadFirst = (evidence: Evidence, { kind, authored }: ProbeContext): boolean =>
  kind !== 'mock' &&
  authored.invalidInput === undefined &&
  evidence.some(({ request, result }) => request.method === 'POST' && 'status' in result && result.status === 400);

const use = (as: CredentialUse['as'], who: CredentialUse['who']): CredentialUse => ({ as, who });
const [key, token] = [use('api-key', 'main'), use('bearer', 'main')];
const [wrongKey, wrongToken] = [use('api-key', 'wrong'), use('bearer', 'wrong')];
const under = (...credentials: readonly CredentialUse[]): Callers => ({ '': { credentials } });

const everywhere: Family = { requiredOf: ['mock', 'sandbox', 'live'] };
const distinct: Family = { requires: [authentication], requiredOf: ['sandbox', 'live'] };

function refusedByEach(behaviour: string, noun: string, callers: Callers, ...requirements: readonly string[]) {
  return routerOperations.map(
    (operation): NamedMember => [
      `authentication.${behaviour}.is-refused.${operation.name}`,
      {
        sentence: `A call ${noun} is refused with 401 unauthorized (${operation.words}).`,
        requirements: [...requirements, 'MR-STC-02', 'MR-CTG-11', operation.refusals[401]],
        ...refused(callers, [operation]),
      },
    ],
  );
}

/** Malformed credentials in both forms; they are not secret, and no target accepts them. */
const malformed: Callers = {
  'another scheme': sending('Authorization', `Basic ${btoa('switchyard:wrong-credential')}`),
  'a token without a scheme': sending('Authorization', 'switchyard-wrong-credential'),
  'a scheme without a token': sending('Authorization', 'Bearer'),
  'two tokens': sending('Authorization', 'Bearer switchyard wrong-credential'),
  'a token that a program left out': sending('Authorization', 'Bearer undefined'),
  'an empty key': sending('X-API-Key', ''),
  'a key that a program left out': sending('X-API-Key', 'null'),
};

function sending(header: string, value: string): Caller {
  return { credentials: [], headers: [[header, value]] };
}
/** A valid credential with extra characters: a server that only compares the beginning accepts it. */
const lengthened: Callers = {
  'api-key': { credentials: [use('api-key', 'lengthened')] },
  bearer: { credentials: [use('bearer', 'lengthened')] },
};

const wrong = ['MR-AUT-07', 'MR-STC-02', 'MR-CTG-11', ...routerOperations.map(({ refusals }) => refusals[401])];

const refusalRules = [
  ...defineFamily(everywhere)(refusedByEach('none', 'without a credential', under(), 'MR-AUT-01', 'MR-AUT-06')),
  ...defineFamily(distinct)(
    refusedByEach('malformed', 'with a malformed credential', malformed, 'MR-AUT-01', 'MR-AUT-06', 'MR-AUT-07'),
    {
      'authentication.wrong.is-refused.key': {
        sentence: 'A wrong API key is refused with 401 unauthorized.',
        requirements: wrong,
        ...refused(under(wrongKey)),
      },
      'authentication.wrong.is-refused.token': {
        sentence: 'A wrong bearer token is refused with 401 unauthorized.',
        requirements: wrong,
        ...refused(under(wrongToken)),
      },
    },
  ),
  ...defineFamily({ requires: [authentication] })({
    'authentication.wrong.is-refused.key-with-more-behind-it': {
      sentence: 'A valid API key with more behind it is refused with 401 unauthorized.',
      requirements: wrong,
      ...refused(lengthened),
    },
    'authentication.wrong.is-refused.however-alike': {
      sentence: 'A credential that only resembles a valid one is refused with 401 unauthorized.',
      requirements: ['MR-AUT-06', ...wrong],
      needs: ['authentication.wrong.is-refused.key'],
      ...refused({
        'key cut short': { credentials: [use('api-key', 'shortened')] },
        'token cut short': { credentials: [use('bearer', 'shortened')] },
        'key in capitals': { credentials: [use('api-key', 'recased')] },
        'token in capitals': { credentials: [use('bearer', 'recased')] },
        'empty key': { credentials: [use('api-key', 'empty')] },
      }),
    },
    'authentication.revoked.is-refused': {
      sentence: 'A credential that was revoked is refused with 401 unauthorized.',
      requirements: wrong,
      requires: [authentication, ...credential('router', 'revoked')],
      ...refused(under(use('usual', 'revoked'))),
    },
    'authentication.expired-token.is-refused': {
      sentence: 'A bearer token whose time is over is refused with 401 unauthorized.',
      requirements: wrong,
      requires: [authentication, ...credential('router', 'expiredToken')],
      ...refused(under(use('bearer', 'expiredToken'))),
    },
  }),
];

const onListing = (status: 200 | 401, ...credentials: readonly CredentialUse[]): Shown =>
  expect.answers([send.list('list', '', { credentials })], expect.status(status));

/** Expects on all eight operations what the listing shows of a credential; they may reject a valid one for another reason. */
const onEachOperation = (status: 200 | 401, ...credentials: readonly CredentialUse[]): Shown =>
  expect.answers(
    callAs(under(...credentials)),
    status === 401 ? expect.status(401) : expect.notStatus([401], 'the credential accepted'),
  );

const aloneRules = defineFamily(everywhere)({
  'authentication.api-key.is-accepted': {
    sentence: 'An API key in X-API-Key is accepted.',
    requirements: ['MR-AUT-02', 'MR-AUT-10'],
    requires: [apiKey],
    ...onListing(200, key),
  },
  'authentication.bearer.is-accepted': {
    sentence: 'A credential in the bearer form is accepted.',
    requirements: ['MR-AUT-03', 'MR-AUT-04', 'MR-AUT-10'],
    ...onListing(200, token),
  },
});

/** The key decides: a token beside it is not read. */
const togetherRules = defineFamily(distinct)({
  'authentication.precedence.good-key-beside-wrong-token': {
    sentence: 'A valid API key is accepted beside a wrong bearer token.',
    requirements: ['MR-AUT-05'],
    needs: ['authentication.api-key.is-accepted'],
    ...onListing(200, key, wrongToken),
  },
  'authentication.precedence.wrong-key-beside-good-token': {
    sentence: 'A wrong API key is refused beside a valid bearer token.',
    requirements: ['MR-AUT-05'],
    needs: ['authentication.bearer.is-accepted', 'authentication.wrong.is-refused.key'],
    ...onListing(401, wrongKey, token),
  },
  'authentication.bearer.is-accepted.everywhere': {
    sentence: 'A credential in the bearer form is accepted by every operation.',
    requirements: ['MR-AUT-03', 'MR-AUT-04', 'MR-AUT-10'],
    needs: ['authentication.bearer.is-accepted'],
    requiredOf: ['sandbox'],
    ...onEachOperation(200, token),
  },
  'authentication.precedence.good-key-beside-wrong-token.everywhere': {
    sentence: 'A valid API key is accepted beside a wrong bearer token by every operation.',
    requirements: ['MR-AUT-05'],
    needs: ['authentication.precedence.good-key-beside-wrong-token'],
    requiredOf: ['sandbox'],
    ...onEachOperation(200, key, wrongToken),
  },
  'authentication.precedence.wrong-key-beside-good-token.everywhere': {
    sentence: 'A wrong API key is refused beside a valid bearer token by every operation.',
    requirements: ['MR-AUT-05'],
    needs: ['authentication.precedence.wrong-key-beside-good-token'],
    requiredOf: ['sandbox'],
    ...onEachOperation(401, wrongKey, token),
  },
});

/** A live target may bar a caller only from runs; such a caller can read, or gets a not-found error for the request. */
const mayReadHere =
  (name: string) =>
  (evidence: Evidence, { kind }: ProbeContext): boolean => {
    const { status } = readResponse(evidence, name);
    return kind === 'live' && (status === 200 || status === 404);
  };

/** Reading operations cost nothing and may be open to the caller; those that start a run cost where they are open. */
function barred(operation: RouterOperation): NamedMember {
  const { name, method, tail } = operation;
  const forbidden = expect.error(403, 'forbidden');
  // Nobody has the request, and which error comes first is not given.
  const isOnRequest = tail.startsWith('/requests/');
  const expected = isOnRequest ? [expect.refused, expect.asRead('OP-031', forbidden)] : [forbidden];
  const isForbidden = expect.on(name, ...expected);
  const mayRead = 'the credential "noAccess" has access to this operation';
  return [
    `authentication.no-access.is-forbidden.${name}`,
    {
      sentence: `A caller without access to the API is refused with 403 (${operation.words}).`,
      requirements: ['MR-AUT-08', 'MR-STC-04', 'MR-CTG-12', operation.refusals[403]],
      ...(isOnRequest && { partReading: 'OP-031' }),
      ...(method === 'POST'
        ? {
            probe: ({ authored }) => [
              (name === 'run' ? send.run : send.submit)(name, authored, send.asCaller('noAccess'), send.rejected),
            ],
            check: isForbidden,
          }
        : {
            cost: 'free',
            probe: (context) => [callWith(operation, context, send.asCaller('noAccess'))],
            check: expect.unless(mayReadHere(name), mayRead, isForbidden),
          }),
    },
  ];
}

const accessRules = defineFamily({ cost: 'billed', requires: credential('router', 'noAccess') })(
  routerOperations.map(barred),
  {
    'authentication.not-enabled.is-called-so': {
      sentence: 'A caller for whom the router is not enabled is refused as not_enabled.',
      requirements: ['MR-CTG-17'],
      requires: credential('router', 'notEnabled'),
      probe: (context) => [send.run('run', context.authored, send.asCaller('notEnabled'), { mustBeRejected: true })],
      // OP-018: the documents give the category no status.
      check: expect.on('run', expect.category('not_enabled')),
    },
  },
);

/** In a sandbox the caller is barred from the alternate scripted model. */
function findBarred({ kind, owned }: ProbeContext): Pick<DiscoveredModel, 'path' | 'input'> {
  if (kind !== 'live') return { path: send.alternatePath, input: {} };
  const model = owned.find(({ barred }) => barred);
  if (model === undefined) throw new NotApplicable('no model of conform.live.models is barred');
  return { path: send.modelPath(model.id), input: model.input };
}

/** The text gives no other answer for a known model (MR-AUT-08); whether its description can be read is left to the server. */
const barredModelRules = defineFamily({
  requires: [...credential('router', 'barred'), anyOf(input('barred'), hook('alternate'))],
})(
  routerOperations
    .filter(({ name, tail }) => name !== 'list' && !tail.startsWith('/requests/'))
    .map(({ name, words, method, tail, refusals }): NamedMember => {
      const isForbidden = expect.on(name, expect.error(403, 'forbidden'));
      return [
        `authentication.barred-model.is-forbidden.${name}`,
        {
          sentence: `A caller without access to a model is refused with 403 (${words}).`,
          requirements: ['MR-AUT-08', 'MR-STC-04', 'MR-CTG-12', refusals[403]],
          cost: method === 'POST' ? 'billed' : 'free',
          probe: (context) => {
            const { path, input: value } = findBarred(context);
            const parts = { ...send.asCaller('barred'), ...(method === 'POST' && send.jsonBody(value)) };
            return [
              send.step(
                name,
                { api: 'router', method, to: path + tail, ...parts },
                { states: 'barred', mustBeRejected: true },
              ),
            ];
          },
          check:
            method === 'POST'
              ? isForbidden
              : expect.unless(mayReadHere(name), 'the credential "barred" may read the model', isForbidden),
        },
      ];
    }),
);

export const authenticationRules = [refusalRules, aloneRules, togetherRules, accessRules, barredModelRules].flat();
