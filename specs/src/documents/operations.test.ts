import { describe, expect, test } from 'vitest';
import { smallDocument } from '../../tests/fixtures/small-document.ts';
import { isJsonObject, type JsonValue, resolvePointer } from '../json.ts';
import { readOperations } from './operations.ts';
import { parseDocument } from './read-document.ts';

const get = '/paths/~1v2~1things~1{thing}/get';

function changed(pointer: string, change: Record<string, JsonValue>): ReturnType<typeof readOperations> {
  const document = smallDocument();
  const node = resolvePointer(document, pointer);
  if (!isJsonObject(node)) throw new Error(`no object at ${pointer}`);
  Object.assign(node, change);
  return readOperations('model-router', parseDocument(document, 'small'));
}

describe('listOperations', () => {
  test('follows references to parameters, headers and responses and keeps references to schemas', () => {
    expect(changed('', {})).toEqual([
      {
        api: 'model-router',
        operationId: 'readThing',
        method: 'GET',
        path: '/v2/things/{thing}',
        parameters: [
          expect.objectContaining({ name: 'thing', in: 'path', schema: { type: 'string', maxLength: 8 } }),
          expect.objectContaining({ name: 'limit', in: 'query' }),
        ],
        requestBody: undefined,
        responses: {
          '200': {
            headers: { 'X-Service-Request-Id': { required: true, schema: { type: 'string', minLength: 1 } } },
            content: { 'application/json': { $ref: '#/components/schemas/Thing' } },
          },
          '404': expect.objectContaining({ content: { 'application/json': { type: 'object' } } }),
          default: {
            headers: { 'X-Service-Error-Type': { required: false, schema: { type: 'string' } } },
            content: { 'application/json': { type: 'object' } },
          },
        },
        security: [{ Key: [] }],
      },
    ]);
  });

  test("prefers an operation's own parameters and security to inherited ones", () => {
    const parameters = [{ name: 'thing', in: 'path', required: true, schema: { maxLength: 2 } }];
    const [operation] = changed(get, { parameters, security: [{}, { Other: ['read'] }] });
    expect(operation?.parameters).toEqual(parameters);
    expect(operation?.security).toEqual([{}, { Other: ['read'] }]);
  });

  test('reads the request body of an operation', () => {
    const requestBody = { required: true, content: { 'application/json': { schema: true }, 'image/png': {} } };
    const [operation] = changed(get, { requestBody });
    expect(operation?.requestBody).toEqual({
      required: true,
      content: { 'application/json': true, 'image/png': undefined },
    });
  });

  const refused: [sentence: string, pointer: string, change: Record<string, JsonValue>, message: RegExp][] = [
    ['no operationId', get, { operationId: 1 }, /get: operationId is missing/],
    ['a parameter without a location', get, { parameters: [{ name: 'x' }] }, /has no name or no location/],
    ['a response that is a string', `${get}/responses`, { '500': 'x' }, /responses\/500: is not a response/],
    ['a header that is a string', `${get}/responses/200/headers`, { A: 'x' }, /headers\/A: is not a header/],
    ['a dangling reference', `${get}/responses`, { '500': { $ref: '#/x' } }, /responses\/500: #\/x does not exist/],
  ];
  test.each(refused)('listOperations rejects %s', (_sentence, pointer, change, message) => {
    expect(() => changed(pointer, change)).toThrow(message);
  });
});
