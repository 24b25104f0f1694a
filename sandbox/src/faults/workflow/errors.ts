import { isJsonObject } from '../../../../specs/src/index.ts';
import type { Fault } from '../decorator.ts';
import { rewriteJson, type Where } from '../making/answer-rewrite.ts';
import { without } from '../making/json-change.ts';
import { changeErrors } from './envelope.ts';

const refused: Where = { on: ['readJobWorkflow'], status: (status) => status >= 400 };

export const workflowErrorFaults: readonly Fault[] = [
  {
    id: 'workflow.error.of-the-other-api',
    requirements: ['WX-ERR-01', 'WX-ERR-02'],
    description: 'Errors of the workflow API have the envelope of the router.',
    decorate: rewriteJson(refused, (body) => {
      const error = isJsonObject(body['error']) ? body['error'] : {};
      return { detail: error['message'] ?? '', error_type: error['code'] ?? '' };
    }),
    trips: ['WX-COD-09', 'WX-COD-10', 'WX-COD-11', 'WX-COD-14'],
  },
  {
    id: 'workflow.error.code-missing',
    requirements: ['WX-ERR-03'],
    description: 'Errors have no code.',
    decorate: changeErrors(refused, (error) => without(error, 'code')),
    trips: ['WX-COD-09', 'WX-COD-10', 'WX-COD-11', 'WX-COD-14'],
  },
  {
    id: 'workflow.error.code-as-number',
    requirements: ['WX-ERR-03'],
    description: 'The code of errors is their status.',
    decorate: changeErrors(refused, (error) => ({ ...error, code: 400 })),
    trips: ['WX-COD-09', 'WX-COD-10', 'WX-COD-11', 'WX-COD-14'],
  },
  {
    id: 'workflow.error.message-missing',
    requirements: ['WX-ERR-04'],
    description: 'Errors have no message.',
    decorate: changeErrors(refused, (error) => without(error, 'message')),
  },
  {
    id: 'workflow.error.details-as-list',
    requirements: ['WX-ERR-05'],
    description: 'The details of errors are a list.',
    decorate: changeErrors(refused, (error) => ({ ...error, details: [] })),
  },
  {
    id: 'workflow.error.as-text',
    requirements: ['WX-ERR-02'],
    description: 'The error is a sentence.',
    decorate: rewriteJson(refused, (body) => ({
      error: isJsonObject(body['error']) ? (body['error']['message'] ?? '') : '',
    })),
    trips: ['WX-COD-09', 'WX-COD-10', 'WX-COD-11', 'WX-COD-14'],
  },
];
