import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { Decorator, Fault } from '../decorator.ts';
import { dropHeader, rewriteJson, setHeader, type Where } from '../making/answer-rewrite.ts';
import { setMember, without } from '../making/json-change.ts';

const invalid: Where = { on: ['runModel', 'submitRequest'], status: 422 };

function changeDetail(change: (entries: readonly JsonValue[]) => JsonValue): Decorator {
  return rewriteJson(invalid, (body) => ({
    ...body,
    detail: change(Array.isArray(body['detail']) ? body['detail'] : []),
  }));
}

function changeEntries(change: (entry: JsonObject) => JsonValue): Decorator {
  return changeDetail((entries) => entries.map((entry) => (isJsonObject(entry) ? change(entry) : entry)));
}

function changeLoc(change: (loc: readonly JsonValue[]) => JsonValue): Decorator {
  return changeEntries((entry) => ({ ...entry, loc: change(Array.isArray(entry['loc']) ? entry['loc'] : []) }));
}

export const errorValidationFaults: readonly Fault[] = [
  {
    id: 'errors.validation.detail-as-text',
    requirements: ['MR-ERR-10'],
    description: 'The detail of a 422 is a sentence.',
    decorate: changeDetail(() => 'The input is invalid.'),
    trips: ['MR-ERR-11'],
  },
  {
    id: 'errors.validation.detail-by-field',
    requirements: ['MR-ERR-10'],
    description: 'The detail of a 422 is an object with a member for each field.',
    decorate: changeDetail((entries) => ({ fields: [...entries] })),
    trips: ['MR-ERR-11'],
  },
  {
    id: 'errors.validation.detail-empty',
    requirements: ['MR-ERR-10', 'MR-ERR-11'],
    description: 'The detail of a 422 has no entry.',
    decorate: changeDetail(() => []),
  },
  {
    id: 'errors.validation.first-field-only',
    requirements: ['MR-ERR-11'],
    description: 'A 422 names the first failing field only.',
    decorate: changeDetail((entries) => entries.slice(0, 1)),
    trips: ['MR-ERR-13', 'MR-ERR-14'],
  },
  {
    id: 'errors.validation.loc-as-text',
    requirements: ['MR-ERR-12'],
    description: 'loc is a path in one string.',
    decorate: changeLoc((loc) => loc.join('.')),
    trips: ['MR-ERR-11'],
  },
  {
    id: 'errors.validation.loc-inside-out',
    requirements: ['MR-ERR-13'],
    description: 'loc begins with the innermost part.',
    decorate: changeLoc((loc) => loc.toReversed()),
    trips: ['MR-ERR-14'],
  },
  {
    id: 'errors.validation.loc-index-as-text',
    requirements: ['MR-ERR-14'],
    description: 'An array index in loc is a string.',
    decorate: changeLoc((loc) => loc.map(String)),
  },
  {
    id: 'errors.validation.msg-missing',
    requirements: ['MR-ERR-15'],
    description: 'Entries of a 422 have no msg.',
    decorate: changeEntries((entry) => without(entry, 'msg')),
  },
  {
    id: 'errors.validation.type-as-number',
    requirements: ['MR-ERR-16'],
    description: 'The type of entries is a number.',
    decorate: changeEntries((entry) => ({ ...entry, type: 12 })),
  },
  {
    id: 'errors.validation.ctx-null',
    requirements: ['MR-ERR-17'],
    description: 'Entries without a bound have a ctx of null.',
    decorate: changeEntries((entry) => ({ ...entry, ctx: null })),
  },
  {
    id: 'errors.validation.category-in-body',
    requirements: ['MR-ERR-22'],
    description: 'The body of a 422 names the category.',
    decorate: setMember(invalid, 'error_type', 'invalid_input'),
  },
  {
    id: 'errors.validation.category-not-in-header',
    requirements: ['MR-ERR-21', 'MR-HDR-04'],
    description: 'A 422 carries no category header.',
    decorate: dropHeader(invalid, { branded: 'Error-Type' }),
    trips: ['MR-CTG-03', 'MR-HDR-11'],
  },
  {
    id: 'errors.validation.category-empty',
    requirements: ['MR-ERR-21', 'MR-HDR-04'],
    description: 'The category header of a 422 is empty.',
    decorate: setHeader(invalid, { branded: 'Error-Type' }, ''),
    trips: ['MR-CTG-03', 'MR-HDR-11'],
  },
  {
    id: 'errors.validation.request-id-missing',
    requirements: ['MR-HDR-01'],
    description: 'A 422 carries no request id.',
    decorate: dropHeader(invalid, { branded: 'Request-Id' }),
  },
];
