import type { EffectiveSpecs } from '../effective-specs.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { OpenApiDocument } from './read-document.ts';

/**
 * The documents without `default` responses, for tools that report every status that is not listed. Components that
 * nothing refers to any more are left out too.
 */
export function withoutDefaultResponses(specs: EffectiveSpecs): EffectiveSpecs {
  return {
    ...specs,
    modelRouter: listedOnly(specs.modelRouter),
    workflowExecution: listedOnly(specs.workflowExecution),
  };
}

function listedOnly(document: OpenApiDocument): OpenApiDocument {
  const paths = mapObjects(document.paths, (item) =>
    mapObjects(item, (operation) => {
      const { responses } = operation;
      if (!isJsonObject(responses)) return operation;
      const { default: _, ...listed } = responses;
      return { ...operation, responses: listed };
    }),
  );
  // In this order: a response refers to headers and examples.
  return ['responses', 'headers', 'examples'].reduce(withoutUnused, { ...document, paths });
}

function withoutUnused(document: OpenApiDocument, kind: string): OpenApiDocument {
  const text = JSON.stringify(document);
  const used = Object.entries(document.components[kind] ?? {}).filter(([name]) =>
    text.includes(`"#/components/${kind}/${name}"`),
  );
  return { ...document, components: { ...document.components, [kind]: Object.fromEntries(used) } };
}

function mapObjects(object: JsonObject, change: (member: JsonObject) => JsonObject): Record<string, JsonObject> {
  const changed = Object.entries(object).map(([key, member]) => [key, isJsonObject(member) ? change(member) : member]);
  return Object.fromEntries(changed);
}
