import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { type Digest, digestOf } from '../digest.ts';
import type { LockedModel } from '../output/lockfile.ts';
import type { Rooted } from './compare-schemas.ts';
import type { OutputTree } from './output-tree.ts';
import { canonicalText } from './schema-change.ts';

/** A model as an output ships it. */
export type ShippedModel = {
  readonly id: string;
  readonly locked: LockedModel;
  /** Undefined when the output ships no schemas of the model. */
  readonly schemas: ShippedSchemas | undefined;
};
export type ShippedSchemas = {
  readonly input: Rooted | undefined;
  readonly outputs: ReadonlyMap<string, Rooted>;
  readonly facts: JsonObject;
  /** Over the schemas alone: the same for a model that only its id has changed of. */
  readonly digest: Digest;
  /** Whether the schemas say so little that many models have the same. */
  readonly isCommon: boolean;
};

export function readShippedModels(tree: OutputTree): Map<string, ShippedModel> {
  return new Map(
    Object.entries(tree.lock.models).map(([id, locked]) => {
      const path = Object.keys(locked.files).find((file) => file.endsWith('.schema.json'));
      const root = path === undefined ? undefined : tree.json(path);
      return [id, { id, locked, schemas: isJsonObject(root) ? readSchemas(root) : undefined }];
    }),
  );
}

// The router takes JSON objects only, whatever a schema admits beside them (MR-RUN-15).
const anyObject = { schema: { type: 'object' }, pointer: '/input' };

function readSchemas(root: JsonObject): ShippedSchemas {
  const { input } = root;
  const outputs = outputsOf(root);
  const text = canonicalText([
    input ?? null,
    Object.fromEntries([...outputs].map(([type, { schema }]) => [type, schema])),
    root['$defs'] ?? null,
  ]);
  return {
    input: input === undefined ? undefined : { schema: input, pointer: '/input', root, also: [anyObject] },
    outputs,
    facts: root,
    digest: digestOf(text),
    isCommon: text.length < 400,
  };
}

/** A list of media types with their schemas, an object by media type, or one schema for JSON. */
function outputsOf(root: JsonObject): Map<string, Rooted> {
  const { outputs, output } = root;
  const found = new Map<string, Rooted>();
  const add = (mediaType: string, schema: JsonValue | undefined, pointer: string): void => {
    found.set(mediaType, { schema: schema ?? true, pointer, root });
  };
  if (Array.isArray(outputs)) {
    for (const [index, one] of outputs.entries()) {
      if (isJsonObject(one) && typeof one['mediaType'] === 'string')
        add(one['mediaType'], one['schema'], `/outputs/${index}/schema`);
    }
  } else if (isJsonObject(outputs)) {
    for (const [mediaType, schema] of Object.entries(outputs))
      add(mediaType, schema, `/outputs/${mediaType.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  } else if (output !== undefined) add('application/json', output, '/output');
  return found;
}
