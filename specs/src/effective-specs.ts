import { join } from 'node:path';
import { applyOverlays, readOverlays } from './apply-overlays.ts';
import { applyBrand } from './brand.ts';
import type { OpenApiDocument } from './document.ts';
import { readText } from './files.ts';
import type { JsonObject } from './json.ts';
import { packageRoot } from './package-root.ts';
import { applyQueueStatuses } from './queue-statuses.ts';
import { documentAsJson, parseDocument, readDocument } from './read-document.ts';
import { checkSettings, type SpecSettings } from './settings.ts';

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
  return documentAsJson(readDocument(readText(path), path));
}
