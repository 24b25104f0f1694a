import { sandboxCredentials } from '../http/authentication.ts';
import type { ServerRequest } from '../http/messages.ts';
import { onRequest, replyWithError, resend, resendAsMainCaller, set, treatAsMainCaller } from './builders/changes.ts';
import {
  type Change,
  type Fault,
  fault,
  group,
  type OperationId,
  restrictTo,
  routerOperations,
} from './builders/fault.ts';
import { caller, mainKey, readRequest, withHeaders } from './builders/requests.ts';

const withoutApiKey = (request: ServerRequest): ServerRequest => withHeaders(request, { 'x-api-key': undefined });
const ignoreApiKey = onRequest(withoutApiKey);
const ignoreToken = onRequest((request) => withHeaders(request, { authorization: undefined }));

/** Operations, each with its requirements about callers without a credential, and about callers without access. */
const operations: readonly [on: OperationId, name: string, requirement: string, accessRequirement: string][] = [
  ['listModels', 'listing', 'MR-CAT-53', 'MR-CAT-54'],
  ['readModel', 'model-detail', 'MR-MOD-10', 'MR-MOD-11'],
  ['runModel', 'synchronous-run', 'MR-RUN-43', 'MR-RUN-44'],
  ['readSchemaDocument', 'schema-document', 'MR-SCH-18', 'MR-SCH-19'],
  ['submitRequest', 'submission', 'MR-SUB-14', 'MR-SUB-16'],
  ['collectRequest', 'collection', 'MR-COL-13', 'MR-COL-14'],
  ['readStatus', 'status', 'MR-STA-06', 'MR-STA-07'],
  ['cancelRequest', 'cancellation', 'MR-CAN-16', 'MR-CAN-17'],
];
const accessRequirements = operations.map(([, , , accessRequirement]) => accessRequirement);

/** Treats callers whose credential matches `isAccepted` as the main caller. */
const acceptCredentials = (isAccepted: (credential: string) => boolean): Change =>
  restrictTo({ when: (request) => isAccepted(readRequest.credential(request)) }, treatAsMainCaller);
const acceptOtherLetterCase = acceptCredentials((credential) => credential.toLowerCase() === mainKey);
const acceptLongerKeys = acceptCredentials((credential) => credential.startsWith(mainKey));
const acceptRevoked = acceptCredentials((credential) => credential === sandboxCredentials.router.revoked);
const acceptExpired = acceptCredentials((credential) => credential === sandboxCredentials.router.expiredToken);

/** True if the credential is neither an API key nor a bearer token. */
const hasMalformedCredential = ({ headers }: ServerRequest): boolean =>
  headers['x-api-key'] === '' || /^(?!bearer [^ ]+$)./i.test(headers['authorization'] ?? '');

export const authenticationFaults: readonly Fault[] = [
  ...operations.flatMap(([on, name, requirement]) =>
    group({ id: 'authentication.none', on, when: caller.hasNoCredential }, [
      fault(`${name}-open`, ['MR-AUT-01', 'MR-AUT-06', requirement], treatAsMainCaller),
    ]),
  ),
  ...group({ id: 'authentication', on: routerOperations, status: 401 }, [
    fault('none.wrong-category', ['MR-AUT-06', 'MR-AUT-07', 'MR-CTG-11'], set.category('forbidden')),
    fault('wrong.key-accepted', ['MR-AUT-07'], resendAsMainCaller, { when: caller.hasApiKey }),
    fault('malformed.answered-with-400', ['MR-AUT-06', 'MR-AUT-07'], replyWithError(400, 'invalid_input'), {
      when: hasMalformedCredential,
    }),
  ]),
  ...group({ id: 'authentication', on: routerOperations }, [
    fault('malformed.any-scheme-accepted', ['MR-AUT-07'], treatAsMainCaller, { when: caller.hasOtherScheme }),
    fault('wrong.accepted-in-capitals', ['MR-AUT-07'], acceptOtherLetterCase),
    fault('wrong.longer-key-accepted', ['MR-AUT-07'], acceptLongerKeys),
    fault('revoked.accepted', ['MR-AUT-07'], acceptRevoked),
    fault('expired-token.accepted', ['MR-AUT-07'], acceptExpired),
    fault('bearer.refused', ['MR-AUT-04', 'MR-AUT-10'], ignoreToken),
    fault('bearer.refused-for-submissions', ['MR-AUT-03', 'MR-AUT-04', 'MR-AUT-10'], ignoreToken, {
      on: 'submitRequest',
      when: caller.hasTokenOnly,
    }),
    fault('api-key.refused-for-the-listing', ['MR-AUT-02', 'MR-AUT-10'], ignoreApiKey, {
      also: ['MR-AUT-08', 'MR-CAT-17', 'MR-STC-17'],
      on: 'listModels',
    }),
    fault('precedence.token-first', ['MR-AUT-05'], ignoreApiKey, { when: caller.hasToken }),
    fault('precedence.token-first-for-runs', ['MR-AUT-05'], ignoreApiKey, { on: 'runModel', when: caller.hasToken }),
    fault('precedence.either-will-do', ['MR-AUT-05'], resend(withoutApiKey), { status: 401, when: caller.hasToken }),
    fault('no-access.granted', ['MR-AUT-08', ...accessRequirements], treatAsMainCaller, {
      also: ['MR-CTG-12'],
      when: caller.isDenied,
    }),
    fault('no-access.as-not-found', ['MR-AUT-08', 'MR-STC-04'], replyWithError(404, 'model_not_found'), {
      also: ['MR-CTG-17', 'MR-SUB-07'],
      status: 403,
    }),
    fault('no-access.wrong-category', ['MR-AUT-08', 'MR-CTG-12'], set.category('unauthorized'), {
      also: ['MR-CTG-17'],
      status: 403,
    }),
    fault('not-enabled.unnamed', ['MR-CTG-17'], set.category('forbidden'), { status: 403 }),
    fault(
      'barred-model.let-in',
      ['MR-AUT-08', 'MR-RUN-44', 'MR-SUB-16', 'MR-MOD-11', 'MR-SCH-19'],
      resendAsMainCaller,
      {
        status: 403,
        when: caller.isBarredFromModel,
      },
    ),
  ]),
];
