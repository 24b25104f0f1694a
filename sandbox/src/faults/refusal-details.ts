import type { ServerRequest } from '../http/messages.ts';
import { onReply, serves, set } from './builders/changes.ts';
import { type Change, type Fault, fault, group } from './builders/fault.ts';
import { routerOperations } from './builders/operations.ts';
import { isRefusal, readObject, withHeader, withJson } from './builders/replies.ts';
import { isOfRouter, mainKey } from './builders/requests.ts';

function readCredential({ headers }: ServerRequest): string {
  return (headers['x-api-key'] ?? headers['authorization'] ?? '').replace(/^Bearer /, '');
}

const echoed = (form: (credential: string) => string): Change =>
  onReply((reply, { request }) =>
    readCredential(request) === '' ? reply : withHeader(reply, 'X-Caller', form(readCredential(request))),
  );

const toldInDetail = onReply((reply, { request }) =>
  withJson(reply, { ...readObject(reply), detail: `Nothing for ${readCredential(request)} here.` }),
);
const toldInMessage = onReply((reply, { request }) =>
  withJson(reply, { error: { code: 'not_found', message: `Nothing for ${readCredential(request)} here.` } }),
);

const servesKey = (key: string): Change => serves(({ headers }) => headers['x-api-key'] === key);

const told = { id: 'errors.credential', subject: 'Refusals tell the credential' };
const inHexadecimal = echoed((credential) => Buffer.from(credential).toString('hex'));
const inCapitals = echoed((credential) => credential.toUpperCase());
const lacksLast = servesKey(mainKey.slice(0, -1));
const unknown = { id: 'schema-document.unknown', subject: 'The document of an unknown model' };

export const refusalDetailFaults: readonly Fault[] = [
  ...group({ ...told, on: routerOperations, status: isRefusal }, [
    fault('in-base64', 'MR-ERR-03', 'in base64', echoed(btoa)),
    fault('in-hexadecimal', 'MR-ERR-03', 'in hexadecimal', inHexadecimal),
    fault('reversed-case', 'MR-ERR-03', 'in capitals', inCapitals),
  ]),
  ...group({ id: 'errors.unlisted', on: ['unlisted'], status: 404, subject: 'An unknown path' }, [
    fault('tells-the-credential', 'MR-ERR-03', 'tells the API key', toldInDetail, { when: isOfRouter }),
    fault('tells-the-workflow-credential', 'WX-AUT-01', 'tells the token', toldInMessage, {
      when: (request) => !isOfRouter(request),
    }),
  ]),
  ...group({ id: 'authentication.wrong', on: routerOperations, subject: 'A wrong credential' }, [
    fault('token-called-otherwise', 'MR-AUT-07 MR-CTG-11', 'is called invalid_token', set.category('invalid_token'), {
      status: 401,
      when: ({ headers }) => headers['x-api-key'] === undefined && headers['authorization'] !== undefined,
    }),
    fault('shorter-key-accepted', 'MR-AUT-07', 'that lacks its last character is accepted', lacksLast),
    fault('longer-key-accepted-for-runs', 'MR-AUT-07', 'with more behind it may run models', servesKey(`${mainKey}0`), {
      on: ['runModel', 'submitRequest'],
    }),
    fault('capitals-accepted-for-the-queue', 'MR-AUT-07', 'in capitals may poll', servesKey(mainKey.toUpperCase()), {
      on: ['readStatus', 'collectRequest', 'cancelRequest'],
    }),
    fault('empty-key-accepted-for-documents', 'MR-AUT-07', 'that is empty may read documents', servesKey(''), {
      on: ['readSchemaDocument'],
    }),
  ]),
  ...group({ ...unknown, on: ['readSchemaDocument'], status: 404 }, [
    fault('called-otherwise', 'MR-CTG-10 MR-SCH-20', 'is called no_such_document', set.category('no_such_document')),
  ]),
];
