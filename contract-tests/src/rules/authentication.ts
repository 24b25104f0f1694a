import type { ProbeContext } from '../contract/context.ts';
import { readResponse } from '../contract/evidence.ts';
import { notApplicable } from '../contract/finding.ts';
import type { CredentialUse, Evidence, Probe, ProbeRequest, RawHeaders, Step } from '../contract/probe.ts';
import { defineFamily, type Family, type NamedMember, type Rule, type Shown } from '../contract/rule.ts';
import { step } from '../contract/steps.ts';
import { apiKey, authentication, credential } from '../requires.ts';
import { asRead, onResponse, unless } from './builders/checks.ts';
import * as expect from './builders/expectations.ts';
import { rejected } from './builders/keyed-calls.ts';
import { malformedBody } from './builders/model-inputs.ts';
import { type RouterOperation, routerOperations } from './builders/operations.ts';
import { asCaller, jsonBody, list, run, submit } from './builders/router-steps.ts';

const wordName = ({ name }: RouterOperation): string => name.replaceAll('-', ' ');
const names = routerOperations.map(({ name }) => name);
const unauthorizedRequirements = routerOperations.map(({ refusals }) => refusals[401]);

type Caller = Required<Pick<ProbeRequest, 'credentials'>> & Pick<ProbeRequest, 'headers'>;

/** A call that cannot run anything, even if its credential is accepted. The listing needs no model. */
function callWith(operation: RouterOperation, context: ProbeContext, caller: Caller): Step {
  const {
    name,
    call: [method, tail],
  } = operation;
  if (name === 'list') return list(name, '', caller);
  const model = context.authored;
  const { input, invalidInput } = model;
  const harmless = () => {
    if (context.kind === 'mock') return jsonBody(input);
    return invalidInput === undefined ? malformedBody : jsonBody(invalidInput);
  };
  const body = method === 'POST' ? harmless() : {};
  return step(name, { api: 'router', method, to: model.path + tail, ...caller, ...body });
}

const eachOperation =
  (...credentials: readonly CredentialUse[]) =>
  (context: ProbeContext): Probe =>
    routerOperations.map((operation) => callWith(operation, context, { credentials }));

const use = (as: CredentialUse['as'], who: CredentialUse['who']): CredentialUse => ({ as, who });
const [key, token] = [use('api-key', 'main'), use('bearer', 'main')];
const [wrongKey, wrongToken] = [use('api-key', 'wrong'), use('bearer', 'wrong')];

const everywhere: Family = { requiredOf: ['mock', 'sandbox', 'live'] };

const missingCredentialRules = defineFamily(
  everywhere,
  routerOperations.map(
    (operation): NamedMember => [
      `authentication.none.is-refused.${operation.name}`,
      {
        sentence: `A call without a credential is refused with 401 unauthorized (${wordName(operation)}).`,
        requirements: ['MR-AUT-01', 'MR-AUT-06', 'MR-STC-02', 'MR-CTG-11', operation.refusals[401]],
        probe: (context) => [callWith(operation, context, { credentials: [] })],
        check: onResponse(operation.name, expect.error(401, 'unauthorized')),
      },
    ],
  ),
);

/** What is no credential in either of the two forms; no secret, and known to no target. */
const malformed: Readonly<Record<string, RawHeaders>> = {
  'another scheme': [['Authorization', `Basic ${btoa('switchyard:wrong-credential')}`]],
  'a token without a scheme': [['Authorization', 'switchyard-wrong-credential']],
  'a scheme without a token': [['Authorization', 'Bearer']],
  'two tokens': [['Authorization', 'Bearer switchyard wrong-credential']],
  'a token that a program left out': [['Authorization', 'Bearer undefined']],
  'an empty key': [['X-API-Key', '']],
  'a key that a program left out': [['X-API-Key', 'null']],
};

const told: Family = { requires: [authentication], requiredOf: ['sandbox', 'live'] };

const malformedCredentialRules = defineFamily(
  told,
  routerOperations.map(
    (operation): NamedMember => [
      `authentication.malformed.is-refused.${operation.name}`,
      {
        sentence: `A call with a malformed credential is refused with 401 unauthorized (${wordName(operation)}).`,
        requirements: ['MR-AUT-01', 'MR-AUT-06', 'MR-AUT-07', 'MR-STC-02', 'MR-CTG-11', operation.refusals[401]],
        probe: (context) =>
          Object.entries(malformed).map(([name, headers]) => ({
            ...callWith(operation, context, { credentials: [], headers }),
            name,
          })),
        check: onResponse(Object.keys(malformed), expect.error(401, 'unauthorized')),
      },
    ],
  ),
);

/** Credentials that are almost right: each with the name of its step. */
const similar: Readonly<Record<string, CredentialUse>> = {
  'key cut short': use('api-key', 'shortened'),
  'token cut short': use('bearer', 'shortened'),
  'key in capitals': use('api-key', 'recased'),
  'token in capitals': use('bearer', 'recased'),
  'empty key': use('api-key', 'empty'),
};
/** A good credential with more behind it: a comparison of the beginning alone accepts it. */
const lengthened: Readonly<Record<string, CredentialUse>> = {
  'api-key': use('api-key', 'lengthened'),
  bearer: use('bearer', 'lengthened'),
};

/** Each operation under each of the credentials. */
const callWithEach =
  (uses: Readonly<Record<string, CredentialUse>>) =>
  (context: ProbeContext): Probe =>
    Object.entries(uses).flatMap(([name, use]) =>
      routerOperations.map((operation) => ({
        ...callWith(operation, context, { credentials: [use] }),
        name: `${operation.name} ${name}`,
      })),
    );
const nameCalls = (uses: Readonly<Record<string, CredentialUse>>): readonly string[] =>
  Object.keys(uses).flatMap((name) => names.map((operation) => `${operation} ${name}`));

const wrongCredential: Family = { requires: [authentication] };

const wrongCredentialRules = defineFamily(wrongCredential, {
  'authentication.wrong.is-refused.key': {
    sentence: 'A wrong API key is refused with 401 unauthorized.',
    requirements: ['MR-AUT-07', 'MR-STC-02', 'MR-CTG-11', ...unauthorizedRequirements],
    requiredOf: ['sandbox', 'live'],
    probe: eachOperation(wrongKey),
    check: onResponse(names, expect.error(401, 'unauthorized')),
  },
  'authentication.wrong.is-refused.token': {
    sentence: 'A wrong bearer token is refused with 401 unauthorized.',
    requirements: ['MR-AUT-07', 'MR-STC-02', 'MR-CTG-11', ...unauthorizedRequirements],
    requiredOf: ['sandbox', 'live'],
    probe: eachOperation(wrongToken),
    check: onResponse(names, expect.error(401, 'unauthorized')),
  },
  'authentication.wrong.is-refused.key-with-more-behind-it': {
    sentence: 'A valid API key with more behind it is refused with 401 unauthorized.',
    requirements: ['MR-AUT-07', 'MR-STC-02', 'MR-CTG-11', ...unauthorizedRequirements],
    probe: callWithEach(lengthened),
    check: onResponse(nameCalls(lengthened), expect.error(401, 'unauthorized')),
  },
  'authentication.wrong.is-refused.however-alike': {
    sentence: 'A credential that only resembles a valid one is refused with 401 unauthorized.',
    requirements: ['MR-AUT-07', 'MR-AUT-06', 'MR-CTG-11', ...unauthorizedRequirements],
    needs: ['authentication.wrong.is-refused.key'],
    probe: callWithEach(similar),
    check: onResponse(nameCalls(similar), expect.error(401, 'unauthorized')),
  },
  'authentication.revoked.is-refused': {
    sentence: 'A credential that was revoked is refused with 401 unauthorized.',
    requirements: ['MR-AUT-07', 'MR-STC-02', 'MR-CTG-11', ...unauthorizedRequirements],
    requires: [authentication, ...credential('router', 'revoked')],
    probe: eachOperation(use('usual', 'revoked')),
    check: onResponse(names, expect.error(401, 'unauthorized')),
  },
  'authentication.expired-token.is-refused': {
    sentence: 'A bearer token whose time is over is refused with 401 unauthorized.',
    requirements: ['MR-AUT-07', 'MR-STC-02', 'MR-CTG-11', ...unauthorizedRequirements],
    requires: [authentication, ...credential('router', 'expiredToken')],
    probe: eachOperation(use('bearer', 'expiredToken')),
    check: onResponse(names, expect.error(401, 'unauthorized')),
  },
});

/** What the listing shows of these credentials. */
const onListing = (status: 200 | 401, ...credentials: readonly CredentialUse[]): Shown => ({
  probe: [list('list', '', { credentials })],
  check: onResponse('list', expect.status(status)),
});

/** What the listing shows of a credential holds for all eight operations; they may refuse a good one for another reason. */
const onEachOperation = (status: 200 | 401, ...credentials: readonly CredentialUse[]): Shown => ({
  probe: eachOperation(...credentials),
  check: onResponse(
    names,
    status === 401 ? expect.status(401) : expect.statusThat((given) => given !== 401, 'the credential accepted'),
  ),
});

const aloneRules = defineFamily(everywhere, {
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
const togetherRules = defineFamily(told, {
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

/** A live target may keep a caller from runs alone: then it reads, or finds no such request. */
const mayReadHere =
  (name: string) =>
  (evidence: Evidence, { kind }: ProbeContext): boolean => {
    const { status } = readResponse(evidence, name);
    return kind === 'live' && (status === 200 || status === 404);
  };

/** Reading operations cost nothing and may be open to the caller; those that start a run cost where they are open. */
function barred(operation: RouterOperation): NamedMember {
  const {
    name,
    call: [method, tail],
  } = operation;
  const forbidden = expect.error(403, 'forbidden');
  // Nobody has the request, and which error comes first is not given.
  const isOnRequest = tail.startsWith('/requests/');
  const isForbidden = onResponse(name, ...(isOnRequest ? [expect.refused, asRead('NS-31', forbidden)] : [forbidden]));
  const mayRead = notApplicable('the credential "noAccess" has access to this operation');
  return [
    `authentication.no-access.is-forbidden.${name}`,
    {
      sentence: `A caller without access to the API is refused with 403 (${wordName(operation)}).`,
      requirements: ['MR-AUT-08', 'MR-STC-04', 'MR-CTG-12', operation.refusals[403]],
      ...(isOnRequest && { partReading: 'NS-31' }),
      ...(method === 'POST'
        ? {
            probe: ({ authored }) => [(name === 'run' ? run : submit)(name, authored, asCaller('noAccess'), rejected)],
            check: isForbidden,
          }
        : {
            cost: 'free',
            probe: (context) => [callWith(operation, context, asCaller('noAccess'))],
            check: unless(mayReadHere(name), mayRead, isForbidden),
          }),
    },
  ];
}

const access: Family = { cost: 'billed', requires: credential('router', 'noAccess') };

const accessRules = defineFamily(access, routerOperations.map(barred), {
  'authentication.not-enabled.is-called-so': {
    sentence: 'A caller for whom the router is not enabled is refused as not_enabled.',
    requirements: ['MR-CTG-17'],
    requires: credential('router', 'notEnabled'),
    probe: (context) => [run('run', context.authored, asCaller('notEnabled'), { mustBeRejected: true })],
    // NS-18: the documents give the category no status.
    check: onResponse('run', expect.category('not_enabled')),
  },
});

export const authenticationRules: readonly Rule[] = [
  missingCredentialRules,
  malformedCredentialRules,
  wrongCredentialRules,
  aloneRules,
  togetherRules,
  accessRules,
].flat();
