import { isJsonObject } from '../../../../specs/src/index.ts';
import type { Fault } from '../decorator.ts';
import {
  cutAfter,
  headerOf,
  parseBody,
  rewriteAnswer,
  setHeader,
  withBody,
  withHeader,
} from '../making/answer-rewrite.ts';
import { bytesOf, readAs, whenTold } from '../making/told-run.ts';

export const outcomeResultFaults: readonly Fault[] = [
  {
    id: 'outcomes.file.collected-as-octet-stream',
    requirements: ['MR-COL-05'],
    description: 'A collected file loses the media type of its provider.',
    decorate: rewriteAnswer({ on: ['collectRequest'], status: 200 }, (answer) =>
      answer.headers.get('content-type')?.startsWith('audio/')
        ? withHeader(answer, 'content-type', 'application/octet-stream')
        : answer,
    ),
  },
  {
    id: 'outcomes.file.collected-cut',
    requirements: ['MR-COL-06'],
    description: 'A collected file lacks its last bytes.',
    decorate: rewriteAnswer({ on: ['collectRequest'], status: 200 }, (answer) =>
      answer.headers.get('content-type')?.startsWith('audio/') ? { ...answer, body: answer.body.slice(0, -4) } : answer,
    ),
  },
  {
    id: 'outcomes.file.may-be-sniffed',
    requirements: ['MR-RUN-31', 'MR-HDR-22'],
    description: 'A file that a run gives may be sniffed.',
    decorate: whenTold(
      ({ input }) => input['media_type'] !== undefined,
      (answer) => withHeader(answer, 'X-Content-Type-Options', 'sniff'),
    ),
  },
  {
    id: 'outcomes.file.collected-may-be-sniffed',
    requirements: ['MR-COL-08', 'MR-HDR-22'],
    description: 'A collected result may be sniffed.',
    decorate: setHeader({ on: ['collectRequest'], status: 200 }, 'X-Content-Type-Options', 'none'),
  },
  {
    id: 'outcomes.body.normalised',
    requirements: ['MR-RUN-17'],
    description: 'A body is parsed and written anew before it reaches the provider.',
    decorate: readAs(
      ({ query }) => !query.has('model_provider'),
      ({ input }, request) => (request.headers.get('content-length') === '0' ? {} : { body: bytesOf(input) }),
    ),
    trips: ['MR-RUN-38', 'MR-RUN-48'],
  },
  {
    id: 'outcomes.body.defaults-filled-in',
    requirements: ['MR-RUN-17'],
    description: 'Defaults of the schema are filled in before the body reaches the provider.',
    decorate: readAs(
      ({ input }) => input['outcome'] === 'echo',
      ({ input }) => ({ body: bytesOf({ ...input, delay_ms: 0 }) }),
    ),
  },
  {
    id: 'outcomes.result.collected-anew',
    requirements: ['MR-COL-06'],
    description: 'A collected result is the result of another run.',
    decorate: rewriteAnswer({ on: ['collectRequest'], status: 200 }, (answer) => {
      const body = parseBody(answer);
      return isJsonObject(body) && 'received' in body ? withBody(answer, { ...body, received: {} }) : answer;
    }),
  },
  {
    id: 'outcomes.credits.replayed',
    requirements: ['MR-HDR-27', 'MR-IDM-02'],
    description: 'A replay tells the credits of the first call.',
    decorate: whenTold(
      ({ input }) => input['credits_used'] !== undefined,
      (answer, { context }) =>
        answer.status === 200 ? withHeader(answer, headerOf({ branded: 'Credits-Used' }, context), '7') : answer,
    ),
  },
  {
    id: 'outcomes.collected.long-ones-cut',
    requirements: ['MR-COL-06', 'MR-COL-04'],
    description: 'Collected results end after 65536 bytes.',
    decorate: rewriteAnswer({ on: ['collectRequest'], status: 200 }, cutAfter(65_536)),
  },
];
