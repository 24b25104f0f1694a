import type { EmitSettings, EmittedFile } from './emitted-file.ts';
import type { PackageSources } from './package-sources.ts';
import { json } from './source.ts';
import { renderTemplate } from './template.ts';

/** The configuration that compiles the whole output folder in place. */
export async function emitWorkspace(sources: PackageSources, { packageNames }: EmitSettings): Promise<EmittedFile[]> {
  const slots = {
    routerPackage: json(packageNames.modelRouter),
    workflowPackage: json(packageNames.workflowExecution),
    modelsPattern: json(`${packageNames.models}/*`),
  };
  return [
    { path: 'tsconfig.json', contents: await renderTemplate(sources.templates.get('tsconfig.json.hbs') ?? '', slots) },
  ];
}
