/** Returns a schema document of a model whose input and output have these properties. `more`: other members of the document. */
export function smallDocument(id: string, properties: object = { prompt: { type: 'string' } }, more: object = {}) {
  const content = { 'application/json': { schema: { type: 'object', properties } } };
  const post = { requestBody: { content }, responses: { 200: { description: 'Done.', content } } };
  return { openapi: '3.1.0', info: { title: id, version: '1' }, paths: { [`/v2/models/${id}`]: { post } }, ...more };
}
