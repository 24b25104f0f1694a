import { modelDocument } from './fake-router.ts';

/** Creates a document that contains the text in every place where a document may have a text. */
export function hostileDocument(id: string, text: string): object {
  const described = {
    type: 'object',
    title: text,
    description: text,
    default: { [text]: text },
    example: text,
    examples: [text, { [text]: [text] }],
    format: text,
    pattern: text,
    minimum: text,
    'x-enum': text,
    $comment: text,
    deprecated: true,
    properties: {
      [text]: { type: 'string', enum: [text, 'plain'], description: text, default: text, externalDocs: { url: text } },
    },
    required: [text],
  };
  const components = {
    [`${text}Part`]: described,
    Other: { type: 'object', properties: { kind: { type: 'string' } } },
    Fixed: { const: { [text]: [text] } },
  };
  const pointer = `#/components/schemas/${`${text}Part`.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25')}`;
  const input = {
    type: 'object',
    description: text,
    properties: {
      part: { $ref: pointer, description: text },
      choice: {
        oneOf: [{ $ref: '#/components/schemas/Other' }, { $ref: pointer }],
        discriminator: { propertyName: text, mapping: { [text]: '#/components/schemas/Other' } },
      },
      fixed: { $ref: '#/components/schemas/Fixed' },
      map: { type: 'object', additionalProperties: { const: text } },
      lost: { $ref: text },
    },
  };
  return modelDocument(id, {
    input,
    components,
    content: { [text]: { schema: { const: text } }, 'application/json': { schema: { $ref: pointer } } },
    operation: { operationId: text },
    root: {
      info: { title: text, version: text, description: text },
      servers: [{ url: text, variables: { [text]: { default: text } } }],
      tags: [{ name: text }],
      'x-service-router-alt-providers': [{ provider: text, model_id: text }],
      'x-service-router-input-modalities': [text],
    },
  });
}
