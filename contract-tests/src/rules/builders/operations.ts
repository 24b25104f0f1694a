import { unknownRequestId } from './router-steps.ts';

export type RouterOperation = {
  readonly name: string;
  readonly operationId: string;
  /** Method, and the path below that of a model; the listing has a path of its own. */
  readonly call: readonly [method: 'GET' | 'POST' | 'PUT', tail: string];
  /** By status, the requirement of the operation's own refusal. */
  readonly refusals: { readonly 401: string; readonly 403: string; readonly 404?: string; readonly 503: string };
};

const request = `/requests/${unknownRequestId}`;

/** The operations of the router; those on a request ask for one that nobody has. */
export const routerOperations: readonly RouterOperation[] = [
  {
    name: 'list',
    operationId: 'listModels',
    call: ['GET', ''],
    refusals: { 401: 'MR-CAT-53', 403: 'MR-CAT-54', 503: 'MR-CAT-55' },
  },
  {
    name: 'read',
    operationId: 'readModel',
    call: ['GET', ''],
    refusals: { 401: 'MR-MOD-10', 403: 'MR-MOD-11', 404: 'MR-MOD-09', 503: 'MR-MOD-12' },
  },
  {
    name: 'run',
    operationId: 'runModel',
    call: ['POST', ''],
    refusals: { 401: 'MR-RUN-43', 403: 'MR-RUN-44', 404: 'MR-RUN-45', 503: 'MR-RUN-57' },
  },
  {
    name: 'schema-document',
    operationId: 'readSchemaDocument',
    call: ['GET', '/openapi.json'],
    refusals: { 401: 'MR-SCH-18', 403: 'MR-SCH-19', 404: 'MR-SCH-20', 503: 'MR-SCH-22' },
  },
  {
    name: 'submit',
    operationId: 'submitRequest',
    call: ['POST', '/requests'],
    refusals: { 401: 'MR-SUB-14', 403: 'MR-SUB-16', 404: 'MR-SUB-17', 503: 'MR-SUB-20' },
  },
  {
    name: 'collect',
    operationId: 'collectRequest',
    call: ['GET', request],
    refusals: { 401: 'MR-COL-13', 403: 'MR-COL-14', 404: 'MR-COL-15', 503: 'MR-COL-19' },
  },
  {
    name: 'status',
    operationId: 'readStatus',
    call: ['GET', `${request}/status`],
    refusals: { 401: 'MR-STA-06', 403: 'MR-STA-07', 404: 'MR-STA-08', 503: 'MR-STA-10' },
  },
  {
    name: 'cancel',
    operationId: 'cancelRequest',
    call: ['PUT', `${request}/cancel`],
    refusals: { 401: 'MR-CAN-16', 403: 'MR-CAN-17', 404: 'MR-CAN-18', 503: 'MR-CAN-19' },
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
