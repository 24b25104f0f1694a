import type { Fault } from '../decorator.ts';
import { changeStatus, refusal, rewriteAnswer, setCategory, type Where } from '../making/answer-rewrite.ts';
import { asMain, forgetModel } from '../making/ownership.ts';

const on = ['readStatus'] as const;
const missing: Where = { on, status: 404 };

export const statusUnknownFaults: readonly Fault[] = [
  {
    id: 'status.unknown.answered-with-410',
    requirements: ['MR-STA-08'],
    description: 'The status of an unknown request is answered with 410.',
    decorate: changeStatus(missing, 410),
    trips: ['MR-CTG-24'],
  },
  {
    id: 'status.unknown.wrong-category',
    requirements: ['MR-CTG-24'],
    description: 'The status of an unknown request is called model_not_found.',
    decorate: setCategory(missing, 'model_not_found'),
  },
  {
    id: 'status.unknown.as-completed',
    requirements: ['MR-STA-08', 'MR-STC-05'],
    description: 'The status of an unknown request is COMPLETED with an error_type.',
    decorate: rewriteAnswer(missing, (answer) => {
      const body = { request_id: '99999999-9999-4999-8999-999999999999', status: 'COMPLETED', error_type: 'cancelled' };
      return { ...answer, status: 200, body: new TextEncoder().encode(JSON.stringify(body)) };
    }),
    trips: ['MR-COL-10', 'MR-CTG-24'],
  },
  {
    id: 'status.foreign.visible',
    requirements: ['MR-CTG-24'],
    description: 'The status of a request can be read from another workspace.',
    decorate: asMain(on),
  },
  {
    id: 'status.foreign.forbidden',
    requirements: ['MR-CTG-24'],
    description: 'The status of a request of another workspace is answered with 403.',
    decorate: rewriteAnswer(missing, (answer, { request, context }) =>
      request.headers.get('x-api-key')?.endsWith('-neighbour')
        ? refusal(answer, context, { status: 403, category: 'forbidden' })
        : answer,
    ),
  },
  {
    id: 'status.other-model.visible',
    requirements: ['MR-CTG-24'],
    description: 'The status of a request can be read under another model.',
    decorate: forgetModel(on),
  },
];
