import { join } from 'node:path';
import { applyOverlays, readOverlays } from './apply-overlays.ts';
import { applyBrand } from './brand.ts';
import type { OpenApiDocument } from './document.ts';
import { readText } from './files.ts';
import type { JsonObject } from './json.ts';
import { printPaths } from './openapi-types.ts';
import { packageRoot } from './package-root.ts';
import { type Prebuilt, readPrebuilt } from './prebuilt.ts';
import { applyQueueStatuses } from './queue-statuses.ts';
import { documentAsJson, parseDocument, readDocument } from './read-document.ts';
import { checkSettings, defaultSpecSettings, type SpecSettings } from './settings.ts';

/** Both documents with brand, overlays and queue statuses applied; every `$ref` is still local. */
export type EffectiveSpecs = {
  settings: SpecSettings;
  modelRouter: OpenApiDocument;
  workflowExecution: OpenApiDocument;
};
export const documentNames = {
  modelRouter: 'model-router.openapi.yaml',
  workflowExecution: 'workflow-execution.openapi.yaml',
} as const;
type DocumentKey = keyof typeof documentNames;
const documentKeys: readonly DocumentKey[] = ['modelRouter', 'workflowExecution'];
/** Our documents as they stand in the files. */
export type AuthoredDocuments = Record<DocumentKey, JsonObject>;

/** Reads our documents and applies the settings. Throws SpecError naming the file or action at fault. */
export async function buildEffectiveSpecs(settings: SpecSettings): Promise<EffectiveSpecs> {
  return applySettings(settings, {
    modelRouter: readOwnDocument(documentNames.modelRouter),
    workflowExecution: readOwnDocument(documentNames.workflowExecution),
  });
}

/** The same on documents already read. */
export function applySettings(settings: SpecSettings, authored: AuthoredDocuments): EffectiveSpecs {
  checkSettings(settings);
  // Overlays meet documents that carry the brand, so their targets may name headers as printed or as branded.
  const branded = new Map(
    documentKeys.map((key) => [documentNames[key], documentAsJson(applyBrand(authored[key], settings.brand))]),
  );
  const overlaid = applyOverlays(branded, readOverlays(settings.overlays, settings.brand));
  const finish = (key: DocumentKey): OpenApiDocument => {
    const name = documentNames[key];
    return parseDocument(applyQueueStatuses(overlaid.get(name) ?? {}, settings.queueStatuses), name);
  };
  return { settings, modelRouter: finish('modelRouter'), workflowExecution: finish('workflowExecution') };
}

function readOwnDocument(name: string): JsonObject {
  const path = join(packageRoot(), 'specs', name);
  const text = readText(path);
  const prebuilt = readPrebuilt('document', text);
  return prebuilt === undefined ? documentAsJson(readDocument(text, path)) : JSON.parse(prebuilt);
}

/** What a build can work out beforehand: our documents as JSON, and their types under the default settings. */
export async function prebuildDocuments(): Promise<Prebuilt[]> {
  const specs = await buildEffectiveSpecs(defaultSpecSettings);
  const made = documentKeys.map(async (key): Promise<Prebuilt[]> => {
    const text = readText(join(packageRoot(), 'specs', documentNames[key]));
    const document = JSON.stringify(readDocument(text, key));
    return [
      { kind: 'document', input: text, output: document },
      { kind: 'paths', input: JSON.stringify(specs[key]), output: await printPaths(specs[key]) },
    ];
  });
  return (await Promise.all(made)).flat();
}
