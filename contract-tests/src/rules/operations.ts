import { unknownRequestId } from './calls.ts';

export type RouterOperation = (typeof routerOperations)[number];

const request = `/requests/${unknownRequestId}`;

/** Operations with the requirements for their responses 401, 403, 503 and 404; the listing has no 404. */
const rows = [
  ['list', 'listModels', 'GET', '', 'MR-CAT-53', 'MR-CAT-54', 'MR-CAT-55', undefined],
  ['read', 'readModel', 'GET', '', 'MR-MOD-10', 'MR-MOD-11', 'MR-MOD-12', 'MR-MOD-09'],
  ['run', 'runModel', 'POST', '', 'MR-RUN-43', 'MR-RUN-44', 'MR-RUN-57', 'MR-RUN-45'],
  ['schema-document', 'readSchemaDocument', 'GET', '/openapi.json', 'MR-SCH-18', 'MR-SCH-19', 'MR-SCH-22', 'MR-SCH-20'],
  ['submit', 'submitRequest', 'POST', '/requests', 'MR-SUB-14', 'MR-SUB-16', 'MR-SUB-20', 'MR-SUB-17'],
  ['collect', 'collectRequest', 'GET', request, 'MR-COL-13', 'MR-COL-14', 'MR-COL-19', 'MR-COL-15'],
  ['status', 'readStatus', 'GET', `${request}/status`, 'MR-STA-06', 'MR-STA-07', 'MR-STA-10', 'MR-STA-08'],
  ['cancel', 'cancelRequest', 'PUT', `${request}/cancel`, 'MR-CAN-16', 'MR-CAN-17', 'MR-CAN-19', 'MR-CAN-18'],
] as const;

/**
 * Operations of the router. `tail`: end of the path, after the path of the model. For operations on a request, it contains
 * an unknown id.
 */
export const routerOperations = rows.map(([name, operationId, method, tail, on401, on403, on503, on404]) => {
  const refusals = { 401: on401, 403: on403, 503: on503, 404: on404 };
  return { name, words: name.replace('-', ' '), operationId, method, tail, refusals };
});

/** The two operations that start a run, with the requirements for the body, for its rejection, and for the key. */
export const startOperations = [
  { name: 'run', noun: 'run', object: 'MR-RUN-15', refusal: 'MR-RUN-38', key: 'MR-RUN-04' },
  { name: 'submit', noun: 'submission', object: 'MR-SUB-06', refusal: 'MR-SUB-13', key: 'MR-SUB-04' },
] as const;
export type StartOperation = (typeof startOperations)[number];
