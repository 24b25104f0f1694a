import type { Fault } from './decorator.ts';
import {
  changeStatus,
  dropHeader,
  parseBody,
  refusal,
  rewriteAnswer,
  setCategory,
  setHeader,
  type Where,
  withText,
} from './making/answer-rewrite.ts';
import { dropMember } from './making/json-change.ts';
import { asMain, forgetModel } from './making/ownership.ts';

const on = ['collectRequest'] as const;
const early: Where = { on, status: 202 };
const collected: Where = { on, status: 200 };
const missing: Where = { on, status: 404 };

export const collectFaults: readonly Fault[] = [
  {
    id: 'collect.pending.answered-with-200',
    requirements: ['MR-COL-09'],
    description: 'Collecting a pending request is answered with 200.',
    decorate: changeStatus(early, 200),
    trips: ['MR-COL-04', 'MR-COL-08'],
  },
  {
    id: 'collect.pending.answered-with-404',
    requirements: ['MR-COL-09'],
    description: 'Collecting a pending request is answered with 404.',
    decorate: rewriteAnswer(early, (answer, { context }) =>
      refusal(answer, context, { status: 404, category: 'request_not_found' }),
    ),
    trips: ['MR-SUB-02'],
  },
  {
    id: 'collect.pending.empty',
    requirements: ['MR-COL-10'],
    description: 'Collecting a pending request gives an empty object.',
    decorate: rewriteAnswer(early, (answer) => withText(answer, '{}')),
    trips: ['MR-SUB-02'],
  },
  {
    id: 'collect.pending.without-urls',
    requirements: ['MR-COL-10'],
    description: 'Collecting a pending request gives a status response without its status URL.',
    decorate: dropMember(early, 'status_url'),
  },
  {
    id: 'collect.pending.no-retry-after',
    requirements: ['MR-COL-12'],
    description: 'Collecting a pending request does not say when to try again.',
    decorate: dropHeader(early, 'Retry-After'),
  },
  {
    id: 'collect.pending.retry-after-with-unit',
    requirements: ['MR-HDR-15'],
    description: 'Retry-After of an early collect names its unit.',
    decorate: setHeader(early, 'Retry-After', '2s'),
  },
  {
    id: 'collect.pending.request-id-header-missing',
    requirements: ['MR-COL-11', 'MR-HDR-01'],
    description: 'An early collect carries no request id header.',
    decorate: dropHeader(early, { branded: 'Request-Id' }),
  },
  {
    id: 'collect.result.answered-with-204',
    requirements: ['MR-COL-04'],
    trips: ['MR-CAN-13'],
    description: 'Collecting a successful request is answered with 204 and nothing.',
    decorate: rewriteAnswer(collected, (answer) => ({ ...answer, status: 204, body: new Uint8Array() })),
  },
  {
    id: 'collect.result.refused',
    requirements: ['MR-COL-04'],
    trips: ['MR-CAN-13'],
    description: 'Collecting a successful request is answered with 410.',
    decorate: rewriteAnswer(collected, (answer, { context }) =>
      refusal(answer, context, { status: 410, category: 'internal_error' }),
    ),
  },
  {
    id: 'collect.result.request-id-header-missing',
    requirements: ['MR-COL-07', 'MR-HDR-01'],
    description: 'A collected result carries no request id header.',
    decorate: dropHeader(collected, { branded: 'Request-Id' }),
  },
  {
    id: 'collect.result.nosniff-missing',
    requirements: ['MR-COL-08', 'MR-HDR-22'],
    description: 'A collected result lacks X-Content-Type-Options.',
    decorate: dropHeader(collected, 'X-Content-Type-Options'),
  },
  {
    id: 'collect.result.media-type-lost',
    requirements: ['MR-COL-05'],
    description: 'A collected result is labelled as bytes.',
    decorate: setHeader(collected, 'Content-Type', 'application/octet-stream'),
  },
  {
    id: 'collect.result.other-white-space',
    requirements: ['MR-COL-06'],
    description: 'A collected result differs from the synchronous one in its white space.',
    decorate: rewriteAnswer(collected, (answer) => {
      const body = parseBody(answer);
      return body === undefined ? answer : withText(answer, `${JSON.stringify(body, null, 3)}\n`);
    }),
  },
  {
    id: 'collect.result.wrapped',
    requirements: ['MR-COL-06'],
    description: 'A collected result is wrapped in an object with its request id.',
    decorate: rewriteAnswer(collected, (answer) => {
      const body = parseBody(answer);
      return body === undefined ? answer : withText(answer, JSON.stringify({ output: body }));
    }),
    trips: ['MR-COL-04'],
  },
  {
    id: 'collect.unknown.answered-with-400',
    requirements: ['MR-COL-15', 'MR-STC-05'],
    description: 'Collecting an unknown request is answered with 400.',
    decorate: changeStatus(missing, 400),
    trips: ['MR-CTG-24'],
  },
  {
    id: 'collect.unknown.pending-for-ever',
    requirements: ['MR-COL-15', 'MR-STC-05'],
    description: 'Collecting an unknown request is answered with 202.',
    decorate: rewriteAnswer(missing, (answer) => ({ ...withText(answer, '{"status": "IN_QUEUE"}'), status: 202 })),
    trips: ['MR-CTG-24', 'MR-COL-10', 'MR-COL-12'],
  },
  {
    id: 'collect.unknown.wrong-category',
    requirements: ['MR-CTG-24'],
    description: 'Collecting an unknown request is called model_not_found.',
    decorate: setCategory(missing, 'model_not_found'),
  },
  {
    id: 'collect.foreign.visible',
    requirements: ['MR-CTG-24'],
    description: 'A result can be collected from another workspace.',
    decorate: asMain(on),
  },
  {
    id: 'collect.other-model.visible',
    requirements: ['MR-CTG-24'],
    description: 'A result can be collected under another model.',
    decorate: forgetModel(on),
  },
];
