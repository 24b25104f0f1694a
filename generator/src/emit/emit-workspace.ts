import type { EmitSettings, EmittedFile } from './emitted-file.ts';
import type { PackageSources } from './package-sources.ts';
import { json } from './source.ts';
import { renderTemplate } from './template.ts';

/** The configuration that compiles the whole output folder in place. */
export async function emitWorkspace(sources: PackageSources, { scope }: EmitSettings): Promise<EmittedFile[]> {
  const slots = {
    routerPackage: json(`${scope}/model-router`),
    workflowPackage: json(`${scope}/workflow-execution`),
    modelsPattern: json(`${scope}/models/*`),
  };
  return [
    { path: 'tsconfig.json', contents: await renderTemplate(sources.templates.get('tsconfig.json.hbs') ?? '', slots) },
  ];
}
