import { unknownRequestId } from './router-steps.ts';

export type RouterOperation = {
  readonly name: string;
  /** Method, and the path below that of a model; the listing has a path of its own. */
  readonly call: readonly [method: 'GET' | 'POST' | 'PUT', tail: string];
  /** By status, the requirement of the operation's own refusal. */
  readonly refusals: { readonly 401: string; readonly 403: string; readonly 404?: string };
};

const request = `/requests/${unknownRequestId}`;

/** The operations of the router; those on a request ask for one that nobody has. */
export const routerOperations: readonly RouterOperation[] = [
  { name: 'list', call: ['GET', ''], refusals: { 401: 'MR-CAT-53', 403: 'MR-CAT-54' } },
  { name: 'read', call: ['GET', ''], refusals: { 401: 'MR-MOD-10', 403: 'MR-MOD-11', 404: 'MR-MOD-09' } },
  { name: 'run', call: ['POST', ''], refusals: { 401: 'MR-RUN-43', 403: 'MR-RUN-44', 404: 'MR-RUN-45' } },
  {
    name: 'schema-document',
    call: ['GET', '/openapi.json'],
    refusals: { 401: 'MR-SCH-18', 403: 'MR-SCH-19', 404: 'MR-SCH-20' },
  },
  { name: 'submit', call: ['POST', '/requests'], refusals: { 401: 'MR-SUB-14', 403: 'MR-SUB-16', 404: 'MR-SUB-17' } },
  { name: 'collect', call: ['GET', request], refusals: { 401: 'MR-COL-13', 403: 'MR-COL-14', 404: 'MR-COL-15' } },
  {
    name: 'status',
    call: ['GET', `${request}/status`],
    refusals: { 401: 'MR-STA-06', 403: 'MR-STA-07', 404: 'MR-STA-08' },
  },
  {
    name: 'cancel',
    call: ['PUT', `${request}/cancel`],
    refusals: { 401: 'MR-CAN-16', 403: 'MR-CAN-17', 404: 'MR-CAN-18' },
  },
];

/** The two operations that start a run, with requirements on their body, on its refusal, and on their key. */
export const startOperations = [
  { name: 'run', noun: 'run', tail: '', object: 'MR-RUN-15', refusal: 'MR-RUN-38', key: 'MR-RUN-04' },
  {
    name: 'submit',
    noun: 'submission',
    tail: '/requests',
    object: 'MR-SUB-06',
    refusal: 'MR-SUB-13',
    key: 'MR-SUB-04',
  },
] as const;
export type StartOperation = (typeof startOperations)[number];
