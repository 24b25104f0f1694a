import { isJsonObject } from '../../../../specs/src/index.ts';
import type { Fault } from '../decorator.ts';
import { dropHeader, parseBody, rewriteAnswer, setHeader, type Where } from '../making/answer-rewrite.ts';
import { changeMember, dropMember, setMember, without } from '../making/json-change.ts';
import { relative } from '../submit.ts';
import { whilePending } from './phases.ts';

const read: Where = { on: ['readStatus'], status: 200 };

export const statusAnswerFaults: readonly Fault[] = [
  {
    id: 'status.read.pending-as-202',
    requirements: ['MR-STA-03'],
    description: 'The status of a pending request is answered with 202.',
    decorate: rewriteAnswer(read, (answer) => {
      const body = parseBody(answer);
      const isPending = isJsonObject(body) && body['status'] !== 'COMPLETED';
      return isPending ? { ...answer, status: 202 } : answer;
    }),
  },
  {
    id: 'status.read.request-id-header-missing',
    requirements: ['MR-STA-04', 'MR-HDR-01'],
    description: 'The status carries no request id header.',
    decorate: dropHeader(read, { branded: 'Request-Id' }),
  },
  {
    id: 'status.read.no-retry-after',
    requirements: ['MR-STA-05'],
    description: 'The status does not say when to poll again.',
    decorate: dropHeader(read, 'Retry-After'),
  },
  {
    id: 'status.read.retry-after-fraction',
    requirements: ['MR-HDR-15'],
    description: 'Retry-After of the status is a fraction of a second.',
    decorate: setHeader(read, 'Retry-After', '0.5'),
  },
  {
    id: 'status.read.of-another-request',
    requirements: ['MR-QUE-20', 'MR-STA-03'],
    description: 'The status names another request.',
    decorate: setMember(read, 'request_id', '99999999-9999-4999-8999-999999999999'),
    trips: ['MR-CTG-21'],
  },
  {
    id: 'status.read.status-missing',
    requirements: ['MR-QUE-29'],
    description: 'The status response of a pending request has no status.',
    decorate: whilePending((status) => without(status, 'status')),
  },
  ...(['status_url', 'response_url', 'cancel_url'] as const).map((member, index) => ({
    id: `status.read.${member.replace('_', '-')}-missing`,
    requirements: [['MR-QUE-19', 'MR-QUE-22', 'MR-QUE-25'][index] ?? ''],
    description: `The status response has no ${member}.`,
    decorate: dropMember(read, member),
  })),
  {
    id: 'status.read.urls-relative',
    requirements: ['MR-QUE-19', 'MR-QUE-22', 'MR-QUE-25'],
    description: 'The URLs of the status response are paths without an origin.',
    decorate: (app, context) =>
      ['status_url', 'response_url', 'cancel_url']
        .map((member) => changeMember(read, member, relative))
        .reduce((inner, decorate) => decorate(inner, context), app),
  },
  {
    id: 'status.read.position-negative',
    requirements: ['MR-QUE-08'],
    description: 'The queue position of the status is -1.',
    decorate: setMember(read, 'queue_position', -1),
  },
];
