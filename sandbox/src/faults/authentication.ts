import type { ServerRequest } from '../http/messages.ts';
import { onRequest, refuse, resend, serves, set } from './builders/changes.ts';
import { type Fault, fault, group, rowIn } from './builders/fault.ts';
import { type OperationId, posts, routerOperations } from './builders/operations.ts';
import { asMain, hasHeader, hasNoCredential, isFrom, mainKey, withHeaders } from './builders/requests.ts';

const hasApiKey = hasHeader('x-api-key');
const hasToken = hasHeader('authorization');
const hasTokenOnly = (request: ServerRequest): boolean => hasToken(request) && !hasApiKey(request);

const withoutApiKey = (request: ServerRequest): ServerRequest => withHeaders(request, { 'x-api-key': undefined });
const withoutToken = (request: ServerRequest): ServerRequest => withHeaders(request, { authorization: undefined });
const ofModels: readonly OperationId[] = ['readModel', 'readSchemaDocument', 'runModel', 'submitRequest'];
const servesBarred = serves(isFrom('no-access'));
const hasOtherScheme = ({ headers }: ServerRequest): boolean =>
  headers['x-api-key'] === undefined && /^(?!bearer\b)./i.test(headers['authorization'] ?? '');
/** Nothing that a caller of either form would send. */
const isMalformed = ({ headers }: ServerRequest): boolean =>
  headers['x-api-key'] === '' || /^(?!bearer [^ ]+$)./i.test(headers['authorization'] ?? '');

const operations: readonly { on: OperationId; name: string; open: string; barred?: string }[] = [
  { on: 'listModels', name: 'listing', open: 'MR-CAT-53', barred: 'MR-CAT-54' },
  { on: 'readModel', name: 'model-detail', open: 'MR-MOD-10', barred: 'MR-MOD-11' },
  { on: 'runModel', name: 'synchronous-run', open: 'MR-RUN-43' },
  { on: 'readSchemaDocument', name: 'schema-document', open: 'MR-SCH-18', barred: 'MR-SCH-19' },
  { on: 'submitRequest', name: 'submission', open: 'MR-SUB-14' },
  { on: 'collectRequest', name: 'collection', open: 'MR-COL-13', barred: 'MR-COL-14' },
  { on: 'readStatus', name: 'status', open: 'MR-STA-06', barred: 'MR-STA-07' },
  { on: 'cancelRequest', name: 'cancellation', open: 'MR-CAN-16', barred: 'MR-CAN-17' },
];

const operationFaults = operations.flatMap(({ on, name, open, barred }) => {
  const toStrange = { status: 401, when: isMalformed };
  return group({ id: 'authentication', on: [on] }, [
    fault(`none.${name}-open`, `MR-AUT-01 MR-AUT-06 ${open}`, serves(hasNoCredential)),
    fault(`malformed.${name}-takes-any-scheme`, `MR-AUT-07 ${open}`, serves(hasOtherScheme)),
    fault(`malformed.${name}-breaks`, `MR-AUT-07 ${open}`, refuse(500, 'internal_error'), toStrange),
    ...(barred === undefined ? [] : [fault(`no-access.${name}-granted`, `MR-AUT-08 ${barred}`, servesBarred)]),
  ]);
});

/** Compares no more than the length of the known key. */
function beginsLikeMain({ headers }: ServerRequest): boolean {
  const { 'x-api-key': key = '', authorization: token = '' } = headers;
  return key.startsWith(mainKey) || (key === '' && token.startsWith(`Bearer ${mainKey}`));
}

const inLowerCase = onRequest((request) => {
  const { 'x-api-key': key, authorization: token } = request.headers;
  if (key !== undefined) return withHeaders(request, { 'x-api-key': key.toLowerCase() });
  return withHeaders(request, { authorization: token?.toLowerCase().replace(/^bearer/, 'Bearer') });
});

const hasExpired = ({ headers }: ServerRequest): boolean =>
  headers['authorization']?.endsWith('-expired-token') === true;
/** The word for a missing value, which a program put in place of a credential. */
const isLeftOut = ({ headers }: ServerRequest): boolean =>
  /^(?:Bearer )?(?:null|undefined|none|nil)$/i.test(headers['x-api-key'] ?? headers['authorization'] ?? '');
/** The fault accepts this API key. */
const keyFault = rowIn((key: string) => serves(({ headers }) => headers['x-api-key'] === key));
const both = 'MR-AUT-03 MR-AUT-04 MR-AUT-10';

const refused = 'MR-AUT-06 MR-AUT-07';

export const authenticationFaults: readonly Fault[] = [
  ...operationFaults,
  ...group({ id: 'authentication', on: routerOperations, status: 401 }, [
    fault('none.wrong-category', `${refused} MR-CTG-11`, set.category('forbidden')),
    fault('wrong.key-accepted', 'MR-AUT-07', resend(asMain), { when: hasApiKey }),
    fault('wrong.token-accepted', 'MR-AUT-07', resend(asMain), { when: hasTokenOnly }),
    fault('wrong.accepted-in-capitals', 'MR-AUT-07', inLowerCase),
    fault('malformed.answered-with-400', refused, refuse(400, 'invalid_input'), { when: isMalformed }),
    fault('malformed.left-out-accepted', 'MR-AUT-07', serves(isLeftOut)),
    fault('revoked.accepted', 'MR-AUT-07', serves(isFrom('revoked'))),
    fault('expired-token.accepted', 'MR-AUT-07', serves(hasExpired)),
    fault('wrong.longer-key-accepted', 'MR-AUT-07', serves(beginsLikeMain)),
  ]),
  ...group({ id: 'authentication.wrong', on: routerOperations, subject: 'A wrong credential' }, [
    fault('token-called-otherwise', 'MR-AUT-07 MR-CTG-11', set.category('invalid_token'), {
      status: 401,
      when: hasTokenOnly,
    }),
    keyFault('shorter-key-accepted', 'MR-AUT-07', mainKey.slice(0, -1)),
    keyFault('longer-key-accepted-for-runs', 'MR-AUT-07', `${mainKey}0`, { on: posts }),
    keyFault('capitals-accepted-for-the-queue', 'MR-AUT-07', mainKey.toUpperCase(), {
      on: ['readStatus', 'collectRequest', 'cancelRequest'],
    }),
    keyFault('empty-key-accepted-for-documents', 'MR-AUT-07', '', { on: ['readSchemaDocument'] }),
    keyFault('accepted-when-empty', 'MR-AUT-06', ''),
  ]),
  ...group({ id: 'authentication', on: routerOperations }, [
    fault('bearer.refused', 'MR-AUT-04 MR-AUT-10', onRequest(withoutToken)),
    fault('bearer.refused-for-cancellations', both, onRequest(withoutToken), {
      on: ['cancelRequest'],
      when: hasTokenOnly,
    }),
    fault('bearer.refused-for-submissions', both, onRequest(withoutToken), {
      on: ['submitRequest'],
      when: hasTokenOnly,
    }),
    fault(
      'api-key.refused-for-the-listing',
      'MR-AUT-02 MR-AUT-10 also MR-AUT-08 MR-CAT-17 MR-STC-15',
      onRequest(withoutApiKey),
      { on: ['listModels'] },
    ),
  ]),
  ...group({ id: 'authentication.precedence', on: routerOperations, when: hasToken }, [
    fault('token-first', 'MR-AUT-05', onRequest(withoutApiKey)),
    fault('token-first-for-runs', 'MR-AUT-05', onRequest(withoutApiKey), { on: ['runModel'] }),
    fault('either-will-do', 'MR-AUT-05', resend(withoutApiKey), { status: 401 }),
    fault(
      'either-will-do-for-schema-documents',
      'MR-AUT-05',
      serves(({ headers }) => headers['authorization'] === `Bearer ${mainKey}`),
      { on: ['readSchemaDocument'] },
    ),
  ]),
  ...group({ id: 'authentication', on: routerOperations, status: 403, subject: 'A caller without access' }, [
    fault('no-access.let-in', 'MR-AUT-08 MR-RUN-44 MR-SUB-16', servesBarred),
    fault('no-access.as-not-found', 'MR-AUT-08 MR-STC-04 also MR-CTG-17 MR-SUB-07', refuse(404, 'model_not_found')),
    fault('no-access.wrong-category', 'MR-AUT-08 MR-CTG-12 also MR-CTG-17', set.category('unauthorized')),
    fault('not-enabled.unnamed', 'MR-CTG-17', set.category('forbidden'), {
      sentence: 'A caller without access to the router as such is called forbidden.',
    }),
  ]),
  ...group({ id: 'authentication.barred-model', status: 403, when: isFrom('barred'), on: ofModels }, [
    fault('let-in', 'MR-AUT-08 MR-RUN-44 MR-SUB-16 MR-MOD-11 MR-SCH-19', resend(asMain)),
    fault('as-not-found', 'MR-AUT-08 MR-STC-04', refuse(404, 'model_not_found')),
  ]),
];
