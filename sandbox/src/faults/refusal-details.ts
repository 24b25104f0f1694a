import type { ServerRequest } from '../http/messages.ts';
import { onReply, onRequest, set } from './builders/changes.ts';
import { type Change, type Fault, fault, group, only } from './builders/fault.ts';
import { routerOperations } from './builders/operations.ts';
import { objectOf, withHeader, withJson } from './builders/replies.ts';
import { asMain, mainKey } from './builders/requests.ts';

function credentialOf({ headers }: ServerRequest): string {
  return (headers['x-api-key'] ?? headers['authorization'] ?? '').replace(/^Bearer /, '');
}

const echoed = (form: (credential: string) => string): Change =>
  onReply((reply, { request }) =>
    credentialOf(request) === '' ? reply : withHeader(reply, 'X-Caller', form(credentialOf(request))),
  );

const toldInDetail = onReply((reply, { request }) =>
  withJson(reply, { ...objectOf(reply), detail: `Nothing for ${credentialOf(request)} here.` }),
);
const toldInMessage = onReply((reply, { request }) =>
  withJson(reply, { error: { code: 'not_found', message: `Nothing for ${credentialOf(request)} here.` } }),
);

const isOfRouter = ({ target }: ServerRequest): boolean => target.startsWith('/v2');
const serves = (picks: (request: ServerRequest) => boolean): Change => only({ when: picks }, onRequest(asMain));
const isWrongToken = ({ headers }: ServerRequest): boolean =>
  headers['x-api-key'] === undefined && headers['authorization'] !== undefined;
const hasKey =
  (picks: (key: string) => boolean) =>
  ({ headers }: ServerRequest): boolean =>
    headers['x-api-key'] !== undefined && picks(headers['x-api-key']);

export const refusalDetailFaults: readonly Fault[] = [
  ...group(
    {
      id: 'errors.credential',
      on: routerOperations,
      status: (status) => status >= 400,
      subject: 'Refusals tell the credential',
    },
    [
      fault(
        'in-base64',
        'MR-ERR-03',
        'in base64',
        echoed((one) => btoa(one)),
      ),
      fault(
        'in-hexadecimal',
        'MR-ERR-03',
        'in hexadecimal',
        echoed((one) => Buffer.from(one).toString('hex')),
      ),
      fault(
        'reversed-case',
        'MR-ERR-03',
        'in capitals',
        echoed((one) => one.toUpperCase()),
      ),
    ],
  ),
  ...group({ id: 'errors.unlisted', on: ['unlisted'], status: 404, subject: 'An unknown path' }, [
    fault('tells-the-credential', 'MR-ERR-03', 'tells the API key', toldInDetail, { when: isOfRouter }),
    fault('tells-the-workflow-credential', 'WX-AUT-01', 'tells the token', toldInMessage, {
      when: (request) => !isOfRouter(request),
    }),
  ]),
  ...group({ id: 'authentication.wrong', on: routerOperations, subject: 'A wrong credential' }, [
    fault(
      'token-called-otherwise',
      ['MR-AUT-07', 'MR-CTG-11'],
      'is called invalid_token',
      set.category('invalid_token'),
      {
        status: 401,
        when: isWrongToken,
      },
    ),
    fault(
      'shorter-key-accepted',
      'MR-AUT-07',
      'that lacks its last character is accepted',
      serves(hasKey((key) => key === mainKey.slice(0, -1))),
    ),
    fault(
      'longer-key-accepted-for-runs',
      'MR-AUT-07',
      'with more behind it may run models',
      serves(hasKey((key) => key === `${mainKey}0`)),
      {
        on: ['runModel', 'submitRequest'],
      },
    ),
    fault(
      'capitals-accepted-for-the-queue',
      'MR-AUT-07',
      'in capitals may poll',
      serves(hasKey((key) => key === mainKey.toUpperCase())),
      {
        on: ['readStatus', 'collectRequest', 'cancelRequest'],
      },
    ),
    fault(
      'empty-key-accepted-for-documents',
      'MR-AUT-07',
      'that is empty may read documents',
      serves(hasKey((key) => key === '')),
      {
        on: ['readSchemaDocument'],
      },
    ),
  ]),
  ...group(
    {
      id: 'schema-document.unknown',
      on: ['readSchemaDocument'],
      status: 404,
      subject: 'The document of an unknown model',
    },
    [
      fault(
        'called-otherwise',
        ['MR-CTG-10', 'MR-SCH-20'],
        'is called no_such_document',
        set.category('no_such_document'),
      ),
    ],
  ),
];
