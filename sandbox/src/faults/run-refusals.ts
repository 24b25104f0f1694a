import { errorType, type ServerRequest } from '../http/messages.ts';
import { breakRow, drop, refuse, resend, set } from './builders/changes.ts';
import { type Fault, fault, group } from './builders/fault.ts';
import { readCategory } from './builders/replies.ts';
import { isOfModel, readModelId, readQuery, withBody } from './builders/requests.ts';

const parameters = ['model_provider', 'fallback_provider', 'strict_mode'];
const hasUnknownParameter = (request: ServerRequest): boolean =>
  [...readQuery(request).keys()].some((name) => !parameters.includes(name));

const badRequest = refuse(400, 'invalid_input');

const anyInput = resend((request) => withBody(request, { input: 'anything' }));

export const runRefusalFaults: readonly Fault[] = [
  ...group({ id: 'run.malformed', on: ['runModel'], status: 400, subject: 'A run without a JSON body' }, [
    fault('wrong-category', 'MR-CTG-01 also MR-CTG-09 MR-HDR-11 MR-RUN-38', set.category('provider_error')),
  ]),
  ...group({ id: 'run.invalid', on: ['runModel'], status: 422, subject: 'Input that the schema refuses' }, [
    fault(
      'runs-anyway',
      'MR-RUN-49 MR-SCH-27 MR-STC-11 also MR-COL-04 MR-COL-08 MR-HDR-11 MR-STC-12 MR-RUN-35 MR-RUN-36 MR-RUN-37',
      set.text('{"images": []}', 200),
    ),
    fault('answered-with-400', 'MR-RUN-49 MR-STC-11 also MR-HDR-11 MR-STC-12', badRequest),
    fault('wrong-category', 'MR-CTG-03 also MR-HDR-11', set.header(errorType, 'validation_error')),
  ]),
  ...group({ id: 'run.unknown', on: ['runModel'], status: 404, subject: 'A run of an unknown model' }, [
    fault('wrong-category', 'MR-CTG-10', set.category('invalid_input')),
    fault('of-a-known-provider', 'MR-RUN-45 MR-STC-05 MR-CTG-10', badRequest, {
      when: (request) => !readModelId(request).startsWith('no-such-provider/'),
    }),
  ]),
  ...group({ id: 'run.validation', on: ['runModel'], status: 422, when: isOfModel('text-provider/embed') }, [
    fault('left-out-for-one-model', 'MR-SCH-27 MR-RUN-49', anyInput),
  ]),
  ...group({ id: 'run.rate-limit', on: ['runModel'], status: 429, subject: 'The 429 of a run' }, [
    fault('wrong-category', 'MR-RUN-51 MR-IDM-10 MR-CTG-19', set.category('quota_exceeded')),
    fault('no-retry-after', 'MR-IDM-11', drop.header('Retry-After')),
  ]),
  ...group({ id: 'run.spend-cap', on: ['runModel'], status: 429, subject: 'The 429 of a run' }, [
    fault('let-through-as-rate', 'MR-IDM-13', set.category('rate_limited'), {
      sentence: 'The 429 of a run above the cap is called rate_limited.',
    }),
  ]),
  ...group({ id: 'run', on: ['runModel'] }, [
    breakRow('query.unknown-parameter-breaks', 'MR-RUN-02', hasUnknownParameter),
  ]),
  ...group({ id: 'run.credits', on: ['runModel'], status: [400, 402] }, [
    fault('unnamed', 'MR-CTG-09', refuse(403, 'forbidden'), {
      reply: (reply) => readCategory(reply) === 'insufficient_credits',
      sentence: 'A run without credits is called forbidden, with 403.',
    }),
  ]),
];
