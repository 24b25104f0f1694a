import { sandboxCredentials } from '../http/authentication.ts';
import type { ServerRequest } from '../http/messages.ts';
import { onRequest, refuse, resend, serves, set } from './builders/changes.ts';
import { type Fault, fault, group, type OperationId, routerOperations, rowIn } from './builders/fault.ts';
import { asMain, caller, mainKey, readCredential, withHeaders } from './builders/requests.ts';

const withoutApiKey = (request: ServerRequest): ServerRequest => withHeaders(request, { 'x-api-key': undefined });
const ignoreApiKey = onRequest(withoutApiKey);
const ignoreToken = onRequest((request) => withHeaders(request, { authorization: undefined }));

/** With the requirements on callers without a credential, and on those without access. */
const operations: readonly [on: OperationId, name: string, open: string, denied: string][] = [
  ['listModels', 'listing', 'MR-CAT-53', 'MR-CAT-54'],
  ['readModel', 'model-detail', 'MR-MOD-10', 'MR-MOD-11'],
  ['runModel', 'synchronous-run', 'MR-RUN-43', 'MR-RUN-44'],
  ['readSchemaDocument', 'schema-document', 'MR-SCH-18', 'MR-SCH-19'],
  ['submitRequest', 'submission', 'MR-SUB-14', 'MR-SUB-16'],
  ['collectRequest', 'collection', 'MR-COL-13', 'MR-COL-14'],
  ['readStatus', 'status', 'MR-STA-06', 'MR-STA-07'],
  ['cancelRequest', 'cancellation', 'MR-CAN-16', 'MR-CAN-17'],
];

const operationFaults = operations.flatMap(([on, name, open, denied]) =>
  group({ id: 'authentication', on: [on] }, [
    fault(`none.${name}-open`, `MR-AUT-01 MR-AUT-06 ${open}`, serves(caller.hasNoCredential)),
    fault(`malformed.${name}-takes-any-scheme`, `MR-AUT-07 ${open}`, serves(caller.hasOtherScheme)),
    fault(`no-access.${name}-granted`, `MR-AUT-08 ${denied}`, serves(caller.isDenied)),
  ]),
);

/** Rows of credentials that are taken for the main one. */
const acceptedRow = rowIn((isAccepted: (credential: string) => boolean) =>
  serves((request) => !caller.hasNoCredential(request) && isAccepted(readCredential(request))),
);

/** Not a credential of either form. */
const isMalformed = ({ headers }: ServerRequest): boolean =>
  headers['x-api-key'] === '' || /^(?!bearer [^ ]+$)./i.test(headers['authorization'] ?? '');

const { revoked, expiredToken } = sandboxCredentials.router;
const bearer = 'MR-AUT-03 MR-AUT-04 MR-AUT-10';

export const authenticationFaults: readonly Fault[] = [
  ...operationFaults,
  ...group({ id: 'authentication', on: routerOperations, status: 401 }, [
    fault('none.wrong-category', 'MR-AUT-06 MR-AUT-07 MR-CTG-11', set.category('forbidden')),
    fault('wrong.key-accepted', 'MR-AUT-07', resend(asMain), { when: caller.hasApiKey }),
    fault('wrong.token-accepted', 'MR-AUT-07', resend(asMain), { when: caller.hasTokenOnly }),
    fault('malformed.answered-with-400', 'MR-AUT-06 MR-AUT-07', refuse(400, 'invalid_input'), { when: isMalformed }),
  ]),
  ...group({ id: 'authentication', on: routerOperations, subject: 'A wrong credential' }, [
    // The word for a missing value, which a program has put in place of a credential.
    acceptedRow('malformed.left-out-accepted', 'MR-AUT-07', (sent) => /^(?:null|undefined|none|nil)$/i.test(sent)),
    acceptedRow('wrong.accepted-in-capitals', 'MR-AUT-07', (sent) => sent.toLowerCase() === mainKey),
    acceptedRow('wrong.longer-key-accepted', 'MR-AUT-07', (sent) => sent.startsWith(mainKey)),
    acceptedRow('wrong.accepted-when-empty', 'MR-AUT-06', (sent) => sent === ''),
    acceptedRow('revoked.accepted', 'MR-AUT-07', (sent) => sent === revoked),
    acceptedRow('expired-token.accepted', 'MR-AUT-07', (sent) => sent === expiredToken),
  ]),
  ...group({ id: 'authentication', on: routerOperations }, [
    fault('bearer.refused', 'MR-AUT-04 MR-AUT-10', ignoreToken),
    fault('bearer.refused-for-submissions', bearer, ignoreToken, { on: 'submitRequest', when: caller.hasTokenOnly }),
    fault(
      'api-key.refused-for-the-listing',
      'MR-AUT-02 MR-AUT-10 also MR-AUT-08 MR-CAT-17 MR-STC-15 MR-STC-17',
      ignoreApiKey,
      {
        on: 'listModels',
      },
    ),
  ]),
  ...group({ id: 'authentication.precedence', on: routerOperations, when: caller.hasToken }, [
    fault('token-first', 'MR-AUT-05', ignoreApiKey),
    fault('token-first-for-runs', 'MR-AUT-05', ignoreApiKey, { on: 'runModel' }),
    fault('either-will-do', 'MR-AUT-05', resend(withoutApiKey), { status: 401 }),
    fault('either-will-do-for-schema-documents', 'MR-AUT-05', resend(withoutApiKey), {
      on: 'readSchemaDocument',
      status: 401,
    }),
  ]),
  ...group({ id: 'authentication', on: routerOperations, status: 403, subject: 'A caller without access' }, [
    fault('no-access.as-not-found', 'MR-AUT-08 MR-STC-04 also MR-CTG-17 MR-SUB-07', refuse(404, 'model_not_found')),
    fault('no-access.wrong-category', 'MR-AUT-08 MR-CTG-12 also MR-CTG-17', set.category('unauthorized')),
    fault('not-enabled.unnamed', 'MR-CTG-17', set.category('forbidden'), {
      sentence: 'A caller without access to the router as such is called forbidden.',
    }),
    fault('barred-model.let-in', 'MR-AUT-08 MR-RUN-44 MR-SUB-16 MR-MOD-11 MR-SCH-19', resend(asMain), {
      when: caller.isBarredFromModel,
    }),
  ]),
];
