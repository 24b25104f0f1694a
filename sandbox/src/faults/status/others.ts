import { isJsonObject } from '../../../../specs/src/index.ts';
import type { Decorator, Fault } from '../decorator.ts';
import { parseBody, putTogether, rewriteJson, takeApart, touches } from '../making/answer-rewrite.ts';
import { type OperationId, operationOf, requestIdOf } from '../making/operation-match.ts';
import { forgetModel } from '../making/ownership.ts';
import { changeRequest, rewriteRequest } from '../making/request-rewrite.ts';

const main = 'sk-sandbox-main';

const byToken = (on: readonly OperationId[]): Decorator =>
  rewriteRequest(on, (request) =>
    request.headers.get('authorization')?.endsWith('-neighbour') ? { headers: { 'x-api-key': main } } : {},
  );

/** What has ended is no secret any more. */
const openAtTheEnd = (on: readonly OperationId[]): Decorator => {
  return (app) => {
    const ended = new Set<string>();
    return async (request) => {
      const id = requestIdOf(request) ?? '';
      const isOpen = touches({ on }, request) && ended.has(id);
      const answer = await takeApart(
        await app(isOpen ? await changeRequest(request, { headers: { 'x-api-key': main } }) : request),
      );
      const body = operationOf(request) === 'readStatus' ? parseBody(answer) : undefined;
      if (isJsonObject(body) && body['status'] === 'COMPLETED') ended.add(id);
      return putTogether(answer);
    };
  };
};

/** The answer is right, and the cancellation is carried out nonetheless. */
const carriedOutFor = (picks: (request: Request) => boolean): Decorator => {
  return (app) => async (request) => {
    if (operationOf(request) === 'cancelRequest' && picks(request))
      await app(await changeRequest(request.clone(), { headers: { 'x-api-key': main, authorization: undefined } }));
    return app(request);
  };
};

const broken = (member: string, on: 'readStatus' | 'collectRequest'): Decorator =>
  rewriteJson({ on: [on], status: on === 'readStatus' ? 200 : 202 }, (status) => {
    const url = status[member];
    return typeof url === 'string' ? { ...status, [member]: url.replace('/requests/', '/requests/00') } : status;
  });

export const statusOtherFaults: readonly Fault[] = [
  {
    id: 'status.links.exchanged',
    requirements: ['MR-QUE-20', 'MR-QUE-23'],
    description: 'A status gives the address of the result for that of the status, and the other way round.',
    decorate: rewriteJson({ on: ['readStatus'], status: 200 }, (body) => ({
      ...body,
      ...(body['status_url'] === undefined ? {} : { response_url: body['status_url'] }),
      ...(body['response_url'] === undefined ? {} : { status_url: body['response_url'] }),
    })),
  },
  {
    id: 'status.links.status-url-leads-nowhere',
    requirements: ['MR-QUE-19', 'MR-QUE-20'],
    description: 'The status_url of a status response leads nowhere.',
    decorate: broken('status_url', 'readStatus'),
  },
  {
    id: 'status.links.response-url-leads-nowhere',
    requirements: ['MR-QUE-22', 'MR-QUE-23', 'MR-COL-10'],
    description: 'The response_url of an early collect leads nowhere.',
    decorate: broken('response_url', 'collectRequest'),
  },
  {
    id: 'status.links.cancel-url-leads-nowhere',
    requirements: ['MR-QUE-25', 'MR-QUE-26'],
    description: 'The cancel_url of a status response leads nowhere.',
    decorate: broken('cancel_url', 'readStatus'),
  },
  {
    id: 'status.foreign.visible-by-token',
    requirements: ['MR-CTG-24'],
    description: 'The status of a request can be read from another workspace with a bearer token.',
    decorate: byToken(['readStatus']),
  },
  {
    id: 'status.foreign.visible-at-the-end',
    requirements: ['MR-CTG-24'],
    description: 'The result of a request whose end was told can be collected from another workspace.',
    decorate: openAtTheEnd(['collectRequest']),
  },
  {
    id: 'status.foreign.cancelled-in-spite-of-404',
    requirements: ['MR-CTG-24'],
    description: 'A cancellation from another workspace is answered with 404 and carried out.',
    decorate: carriedOutFor((request) => request.headers.get('x-api-key')?.endsWith('-neighbour') === true),
  },
  {
    id: 'status.foreign.cancelled-in-spite-of-401',
    requirements: ['MR-AUT-06', 'MR-CAN-16'],
    description: 'A cancellation without a credential is answered with 401 and carried out.',
    decorate: carriedOutFor(({ headers }) => !headers.has('x-api-key') && !headers.has('authorization')),
  },
  {
    id: 'status.other-model.can-be-cancelled',
    requirements: ['MR-CTG-24', 'MR-CAN-18'],
    description: 'A request can be cancelled under another model.',
    decorate: forgetModel(['cancelRequest']),
  },
];
