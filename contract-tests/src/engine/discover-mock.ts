import {
  type EffectiveSpecs,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  resolvePointer,
} from '../../../specs/src/index.ts';
import type { Survey, SurveyedModel } from '../survey.ts';
import { modelPath } from './surveyed-model.ts';

/** A mock responds with the examples of the specification, so the model of those examples serves as every kind of model. */
export function discoverMock(specs: EffectiveSpecs): Survey {
  const examples = examplesOf(specs);
  const id = firstListedId(examples.catalog) ?? 'image-provider/image-model';
  const [provider = '', model = ''] = id.split('/');
  const example: SurveyedModel = {
    id,
    provider,
    model,
    path: modelPath(id),
    input: isJsonObject(examples.input) ? examples.input : {},
    invalidInput: undefined,
    inputSchema: true,
    outputs: { 'application/json': true },
    document: isJsonObject(examples.document) ? examples.document : {},
  };
  return { models: { authored: example, unauthored: example, binary: example }, listed: [id], problems: [] };
}

function examplesOf({ modelRouter }: EffectiveSpecs): { catalog?: JsonValue; input?: JsonValue; document?: JsonValue } {
  const operations = Object.values(modelRouter.paths).flatMap((item) => Object.values(item).filter(isJsonObject));
  const operation = (id: string): JsonObject => operations.find((one) => one['operationId'] === id) ?? {};
  const follow = (value: JsonValue | undefined): JsonObject => {
    if (!isJsonObject(value)) return {};
    const reference = value['$ref'];
    // The effective document is JSON; only its declared type is narrower.
    const root = modelRouter as JsonObject;
    return typeof reference === 'string' ? follow(resolvePointer(root, reference.slice(1))) : value;
  };
  const response = (operationId: string) => follow(follow(operation(operationId)['responses'])['200']);
  const parts = {
    catalog: firstExample(response('listModels'), follow),
    input: firstExample(follow(operation('runModel')['requestBody']), follow),
    document: firstExample(response('readSchemaDocument'), follow),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

function firstExample(owner: JsonObject, follow: (value: JsonValue | undefined) => JsonObject): JsonValue | undefined {
  const media = follow(follow(owner['content'])['application/json']);
  const [first] = Object.values(follow(media['examples']));
  return media['example'] ?? follow(first)['value'];
}

function firstListedId(catalog: JsonValue | undefined): string | undefined {
  const data = isJsonObject(catalog) ? catalog['data'] : undefined;
  const [first] = Array.isArray(data) ? data : [];
  return isJsonObject(first) && typeof first['id'] === 'string' ? first['id'] : undefined;
}
