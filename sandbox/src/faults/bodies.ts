import type { ServerRequest } from '../http/messages.ts';
import { parseJson } from '../parse-json.ts';
import { breakRow, onReply } from './builders/changes.ts';
import { type Change, type Fault, fault, group, only } from './builders/fault.ts';
import type { OperationId } from './builders/operations.ts';
import { asEmptyRun, readBodyText } from './builders/requests.ts';

/** Runs such a body as an empty input of a model that accepts one. */
const acceptedWhere = (picks: (text: string) => boolean): Change =>
  only(
    { status: [400, 422], when: (request) => picks(readBodyText(request)) },
    onReply((_, { request, app }) => app(asEmptyRun(request))),
  );

const isEmpty = (text: string): boolean => text.trim() === '';
const isMalformed = (text: string): boolean => !isEmpty(text) && parseJson(text) === undefined;

/** Kinds of body that a server may mistake for an input, with what tells them. */
const kinds: readonly { name: string; sentence: string; picks: (text: string) => boolean }[] = [
  { name: 'array', sentence: 'that is an array', picks: (text) => Array.isArray(parseJson(text)) },
  { name: 'string', sentence: 'that is a string', picks: (text) => typeof parseJson(text) === 'string' },
  { name: 'number', sentence: 'that is a number', picks: (text) => typeof parseJson(text) === 'number' },
  { name: 'boolean', sentence: 'that is a boolean', picks: (text) => typeof parseJson(text) === 'boolean' },
  { name: 'null', sentence: 'that is null', picks: (text) => parseJson(text) === null },
  { name: 'empty', sentence: 'without any bytes', picks: isEmpty },
  {
    name: 'cut',
    sentence: 'that is cut short',
    picks: (text) => isMalformed(text) && parseJson(`${text}}`) !== undefined,
  },
  {
    name: 'followed-by-more',
    sentence: 'with more behind it',
    picks: (text) => isMalformed(text) && / and so on$/.test(text),
  },
  { name: 'form', sentence: 'that is a form', picks: (text) => isMalformed(text) && /^\w+=/.test(text) },
  { name: 'latin1', sentence: 'that is no UTF-8', picks: (text) => text.includes('\uFFFD') },
];

const operations: readonly { on: OperationId; name: string; body: string; valid: string; refused: string }[] = [
  { on: 'runModel', name: 'run', body: 'A body of a run', valid: 'MR-RUN-15', refused: 'MR-RUN-38' },
  { on: 'submitRequest', name: 'submit', body: 'A body of a submission', valid: 'MR-SUB-06', refused: 'MR-SUB-13' },
];

const isDeep = (request: ServerRequest): boolean => readBodyText(request).includes('[[[[[[[[');

export const bodyFaults: readonly Fault[] = [
  ...operations.flatMap(({ on, name, body, valid, refused }) =>
    group({ id: `bodies.${name}`, on: [on], subject: body }, [
      ...kinds.map((kind) =>
        fault(
          `${kind.name}-accepted`,
          `${valid} ${refused}`,
          `${kind.sentence} is accepted`,
          acceptedWhere(kind.picks),
        ),
      ),
      breakRow('deep-ones-break', valid, 'that is deeply nested gives a 500', isDeep),
    ]),
  ),
  ...group({ id: 'bodies.run', on: ['runModel'] }, [
    breakRow('label-breaks', 'MR-RUN-15', 'A run with another label than JSON gives a 500', ({ headers }) =>
      /^(?!application\/json)./.test(headers['content-type'] ?? ''),
    ),
  ]),
];
