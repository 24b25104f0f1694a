import type { ServerRequest } from '../http/messages.ts';
import { parseJson } from '../parse-json.ts';
import { breakRow, resend } from './builders/changes.ts';
import { type Change, type Fault, fault, group, only } from './builders/fault.ts';
import { startOperations } from './builders/operations.ts';
import { asEmptyRun, readBodyText } from './builders/requests.ts';

/** Runs such a body as an empty input of a model that accepts one. */
const acceptedWhere = (picks: (text: string) => boolean): Change =>
  only({ status: [400, 422], when: (request) => picks(readBodyText(request)) }, resend(asEmptyRun));

const isEmpty = (text: string): boolean => text.trim() === '';
const isMalformed = (text: string): boolean => !isEmpty(text) && parseJson(text) === undefined;

/** Kinds of body that a server may mistake for an input, with what tells them. */
const kinds: readonly { name: string; picks: (text: string) => boolean }[] = [
  { name: 'array', picks: (text) => Array.isArray(parseJson(text)) },
  { name: 'string', picks: (text) => typeof parseJson(text) === 'string' },
  { name: 'number', picks: (text) => typeof parseJson(text) === 'number' },
  { name: 'boolean', picks: (text) => typeof parseJson(text) === 'boolean' },
  { name: 'null', picks: (text) => parseJson(text) === null },
  { name: 'empty', picks: isEmpty },
  { name: 'cut', picks: (text) => isMalformed(text) && parseJson(`${text}}`) !== undefined },
  {
    name: 'followed-by-more',
    picks: (text) => isMalformed(text) && parseJson(text.slice(0, text.lastIndexOf('}') + 1)) !== undefined,
  },
  { name: 'form', picks: (text) => isMalformed(text) && /^\w+=/.test(text) },
  { name: 'latin1', picks: (text) => text.includes('\uFFFD') },
];

const isDeep = (request: ServerRequest): boolean => readBodyText(request).includes('[[[[[[[[');

export const bodyFaults: readonly Fault[] = [
  ...startOperations.flatMap(({ on, name, body, refusal }) =>
    group({ id: `bodies.${name}`, on: [on] }, [
      ...kinds.map((kind) => fault(`${kind.name}-accepted`, `${body} ${refusal}`, acceptedWhere(kind.picks))),
      breakRow('deep-ones-break', body, isDeep),
    ]),
  ),
  ...group({ id: 'bodies.run', on: ['runModel'] }, [
    breakRow('label-breaks', 'MR-RUN-15', ({ headers }) =>
      /^(?!application\/json)./.test(headers['content-type'] ?? ''),
    ),
  ]),
];
