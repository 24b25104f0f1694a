import { hash } from 'node:crypto';
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
  /** The same for the same documents, where that is known without building them. */
  identity?: string;
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
  const texts = documentKeys.map((key) => readText(pathOf(key)));
  const build = (): EffectiveSpecs => applySettings(settings, readOwnDocuments());
  if (settings.overlays.length > 0) return build();
  checkSettings(settings);
  // Without overlays nothing of a caller's can be wrong, and most runs of a build never look at the documents.
  let built: EffectiveSpecs | undefined;
  const whole = (): EffectiveSpecs => {
    built ??= build();
    return built;
  };
  return {
    settings,
    identity: hash('sha256', JSON.stringify([settings, texts])),
    get modelRouter() {
      return whole().modelRouter;
    },
    get workflowExecution() {
      return whole().workflowExecution;
    },
  };
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

function readOwnDocuments(): AuthoredDocuments {
  return { modelRouter: readOwnDocument('modelRouter'), workflowExecution: readOwnDocument('workflowExecution') };
}

function pathOf(key: DocumentKey): string {
  return join(packageRoot(), 'specs', documentNames[key]);
}

function readOwnDocument(key: DocumentKey): JsonObject {
  const path = pathOf(key);
  const text = readText(path);
  const prebuilt = readPrebuilt('document', text);
  return prebuilt === undefined ? documentAsJson(readDocument(text, path)) : JSON.parse(prebuilt);
}

/** What a build can work out beforehand: our documents as JSON, and their types under the default settings. */
export async function prebuildDocuments(): Promise<Prebuilt[]> {
  const specs = await buildEffectiveSpecs(defaultSpecSettings);
  const made = documentKeys.map(async (key): Promise<Prebuilt[]> => {
    const text = readText(pathOf(key));
    const document = JSON.stringify(readDocument(text, key));
    return [
      { kind: 'document', input: text, output: document },
      { kind: 'paths', input: JSON.stringify(specs[key]), output: await printPaths(specs[key]) },
    ];
  });
  return (await Promise.all(made)).flat();
}
