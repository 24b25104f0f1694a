import type { ServerRequest } from '../http/messages.ts';
import { breakRow, onRequest, refuse, resend } from './builders/changes.ts';
import { type Change, type Fault, fault, group } from './builders/fault.ts';
import { type OperationId, routerOperations, startOperations } from './builders/operations.ts';
import { atOutcomes, hasKey, readKey, readModelId, readRequestId, withoutKey } from './builders/requests.ts';

const hasKeyOfLength =
  (from: number, to: number = from) =>
  (request: ServerRequest): boolean =>
    hasKey(request) && readKey(request).length >= from && readKey(request).length <= to;

/** Runs a call whose key is refused without its key. */
const withoutItsKey = onRequest(withoutKey);

const broken: Change = refuse(500, 'internal_error');

const keyFaults = startOperations.flatMap(({ on, name, key: limit, refusal }) =>
  group({ id: `limits.${name}-key`, on: [on] }, [
    fault('of-256-accepted', limit, withoutItsKey, { when: hasKeyOfLength(256) }),
    fault('of-any-length-accepted', limit, withoutItsKey, { when: hasKeyOfLength(1_001, Number.POSITIVE_INFINITY) }),
    fault('empty-accepted', limit, withoutItsKey, { when: hasKeyOfLength(0) }),
    fault('of-255-refused', name === 'run' ? `${limit} also MR-IDM-32` : limit, refuse(400, 'invalid_input'), {
      when: hasKeyOfLength(255),
      status: [200, 201],
    }),
    fault('too-long-as-500', `${limit} ${refusal}`, broken, { when: hasKeyOfLength(256, Number.POSITIVE_INFINITY) }),
    breakRow('odd-characters-break', limit, (request) => /[^\x21-\x7e]/.test(readKey(request))),
  ]),
);

/** Ids beyond what this server reads without breaking. */
const isOddModel = (request: ServerRequest): boolean => /%|\*|[A-Z]{3}|[^/]{65}/.test(readModelId(request));
const isOddRequest = (request: ServerRequest): boolean => !/^[0-9a-f-]{36}$/.test(readRequestId(request));

const modelCalls: readonly { on: OperationId; name: string; requirement: string }[] = [
  { on: 'readModel', name: 'read', requirement: 'MR-MOD-09' },
  { on: 'runModel', name: 'run', requirement: 'MR-RUN-45' },
  { on: 'readSchemaDocument', name: 'schema-document', requirement: 'MR-SCH-20' },
  { on: 'submitRequest', name: 'submit', requirement: 'MR-SUB-17' },
  { on: 'collectRequest', name: 'collect', requirement: 'MR-COL-15' },
  { on: 'readStatus', name: 'status', requirement: 'MR-STA-08' },
  { on: 'cancelRequest', name: 'cancel', requirement: 'MR-CAN-18' },
];
const queueCalls = modelCalls.slice(4);

const firstModel = resend(atOutcomes);

const idFaults = [
  ...group({ id: 'limits.submit-key', on: ['submitRequest'], when: hasKeyOfLength(1) }, [
    fault('of-one-character-refused', 'MR-SUB-04', refuse(400, 'invalid_input')),
  ]),
  ...group({ id: 'limits.model-id', on: routerOperations, status: 404, when: isOddModel }, [
    ...modelCalls.map(({ on, name, requirement }) =>
      fault(`odd-breaks-${name}`, `${requirement} MR-STC-05`, broken, { on: [on] }),
    ),
  ]),
  ...group({ id: 'limits.request-id', on: routerOperations, status: [400, 404], when: isOddRequest }, [
    ...queueCalls.map(({ on, name, requirement }) =>
      fault(`odd-breaks-${name}`, name === 'cancel' ? `${requirement} also MR-CAN-15` : requirement, broken, {
        on: [on],
      }),
    ),
  ]),
  ...group({ id: 'limits.model-id', on: ['readModel'], status: 404, subject: 'A model id' }, [
    fault('cut-to-a-known-one', 'MR-MOD-09', firstModel, { when: (request) => readModelId(request).length > 100 }),
  ]),
];

export const limitFaults: readonly Fault[] = [...keyFaults, ...idFaults];
