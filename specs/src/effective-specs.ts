import { join } from 'node:path';
import { type OpenApiDocument, parseDocument, printYaml, readYaml } from './documents/read-document.ts';
import { packageRoot, writeTexts } from './files.ts';
import { asObject, type JsonObject } from './json.ts';
import { applyOverlays, readOverlays } from './overlays/overlays.ts';
import {
  applyBrand,
  applyQueueStatuses,
  checkSettings,
  defaultSpecSettings,
  parseBrand,
  type SpecSettings,
} from './settings.ts';

/** Both documents with brand, overlays and queue statuses applied. Every `$ref` is still local. */
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
/** The documents as written in the files. */
export type AuthoredDocuments = Record<DocumentKey, JsonObject>;

/** Settings of a caller. Missing settings get defaults; the brand isn't checked yet. */
export type WantedSettings = Partial<Omit<SpecSettings, 'brand'>> & { readonly brand?: string };

/** Reads the documents and applies the settings. Throws SpecError with the invalid setting, file or overlay action. */
export function buildEffectiveSpecs(wanted: WantedSettings = {}): EffectiveSpecs {
  const { brand, queueStatuses = defaultSpecSettings.queueStatuses, overlays = defaultSpecSettings.overlays } = wanted;
  const settings = {
    brand: brand === undefined ? defaultSpecSettings.brand : parseBrand(brand),
    queueStatuses,
    overlays,
  };
  return applySettings(settings, {
    modelRouter: readOwnDocument('modelRouter'),
    workflowExecution: readOwnDocument('workflowExecution'),
  });
}

/** Applies the settings to documents that were already read. */
export function applySettings(settings: SpecSettings, authored: AuthoredDocuments): EffectiveSpecs {
  checkSettings(settings);
  // Overlays are applied after the brand, so their targets may use the header names with or without the brand.
  const branded = new Map(documentKeys.map((key) => [documentNames[key], applyBrand(authored[key], settings.brand)]));
  const overlaid = applyOverlays(branded, readOverlays(settings.overlays, settings.brand));
  const finish = (key: DocumentKey): OpenApiDocument => {
    const name = documentNames[key];
    return parseDocument(applyQueueStatuses(overlaid.get(name) ?? {}, settings.queueStatuses), name);
  };
  return { settings, modelRouter: finish('modelRouter'), workflowExecution: finish('workflowExecution') };
}

function readOwnDocument(key: DocumentKey): JsonObject {
  return asObject(readYaml(join(packageRoot(), 'specs', documentNames[key])));
}

/**
 * Writes both effective documents as YAML and as JSON and returns the paths. Each file is self-contained. Throws SpecError if a
 * file can't be written.
 */
export function writeEffectiveSpecs(specs: EffectiveSpecs, outDir: string): readonly string[] {
  const files = documentKeys.flatMap((key) => {
    const document = specs[key];
    const path = join(outDir, documentNames[key]);
    return [
      { path, text: printYaml(document) },
      { path: path.replace(/\.yaml$/, '.json'), text: `${JSON.stringify(document, null, 2)}\n` },
    ];
  });
  writeTexts(files);
  return files.map(({ path }) => path);
}
