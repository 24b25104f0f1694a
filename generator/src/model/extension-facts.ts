import { type Brand, extensionKey, isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { type ModelId, segmentsOf } from '../catalog/model-id.ts';
import type { Diagnostic } from '../diagnostics.ts';
import type { Providers } from './model-binding.ts';
import type { SchemaDocument } from './schema-document.ts';

/** What a document says about its model in keys of the maker's own. */
export type ExtensionFacts = {
  inputAuthored: boolean;
  outputAuthored: boolean;
  providers: Providers;
  /** The id of which this model is another name. */
  aliasOf: string | undefined;
  diagnostics: readonly Omit<Diagnostic, 'model'>[];
};

/** Searched at the root, then `info`, then the operation. Without a flag, a schema that is there counts as authored. */
export function readExtensionFacts(document: SchemaDocument, modelId: ModelId, brand: Brand): ExtensionFacts {
  const find = (suffix: string): JsonValue | undefined => findExtension(document, extensionKey(brand, suffix));
  const diagnostics: Omit<Diagnostic, 'model'>[] = [];
  const readFlag = (suffix: string, fallback: boolean): boolean => {
    const value = find(suffix);
    if (typeof value === 'boolean') return value;
    if (value !== undefined) {
      const message = `${extensionKey(brand, suffix)} is no boolean; taken as ${fallback}`;
      diagnostics.push({ severity: 'warning', code: 'flag-malformed', pointer: '', message });
    }
    return fallback;
  };
  return {
    inputAuthored: readFlag('input-schema-authored', document.input !== undefined),
    outputAuthored: readFlag(
      'output-schema-authored',
      document.outputs.some(({ mediaType }) => mediaType !== '*/*'),
    ),
    aliasOf: textOf(find('router-alias-of')),
    providers: { default: segmentsOf(modelId)[0], alternates: readAlternates(find('router-alt-providers')) },
    diagnostics,
  };
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function findExtension({ root, operation }: SchemaDocument, key: string): JsonValue | undefined {
  const info = root['info'];
  for (const holder of [root, isJsonObject(info) ? info : undefined, operation] satisfies (JsonObject | undefined)[]) {
    if (holder !== undefined && Object.hasOwn(holder, key)) return holder[key];
  }
  return undefined;
}

function readAlternates(value: JsonValue | undefined): Providers['alternates'] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry) => {
    if (!isJsonObject(entry) || typeof entry['provider'] !== 'string') return [];
    const modelId = entry['model_id'];
    return [{ provider: entry['provider'], modelId: typeof modelId === 'string' ? modelId : '' }];
  });
}
