import type { OpenApiDocument } from '../documents/read-document.ts';
import type { EffectiveSpecs } from '../effective-specs.ts';
import { applyAction } from './apply-overlays.ts';

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
  const listed = structuredClone(document);
  applyAction(listed, { place: 'default responses', target: '$.paths.*.*.responses.default', update: undefined });
  // In this order: a response refers to headers and examples.
  return ['responses', 'headers', 'examples'].reduce(withoutUnused, listed);
}

function withoutUnused(document: OpenApiDocument, kind: string): OpenApiDocument {
  const text = JSON.stringify(document);
  const used = Object.entries(document.components[kind] ?? {}).filter(([name]) =>
    text.includes(`"#/components/${kind}/${name}"`),
  );
  return { ...document, components: { ...document.components, [kind]: Object.fromEntries(used) } };
}
