import type { ModelId } from '../catalog/model-id.ts';
import { subpathOf } from '../model/subpath.ts';
import type { EmitSettings, EmittedFile } from './emitted-file.ts';
import type { PackageSources } from './package-sources.ts';
import { code, codeSpan, join, json, word } from './source.ts';
import { renderTemplate } from './template.ts';

/** What holds the subpaths together: the manifest with an entry for each, and the list for people. */
export async function emitModelsPackage(
  models: readonly ModelId[],
  sources: PackageSources,
  settings: EmitSettings,
): Promise<EmittedFile[]> {
  const name = `${settings.scope}/models`;
  const router = `${settings.scope}/model-router`;
  const listed = models
    .map((id) => ({ id, subpath: subpathOf(id) }))
    .sort((left, right) => (left.subpath < right.subpath ? -1 : 1));
  const entries = listed.map(({ subpath }) => [
    `./${subpath}`,
    { types: `./${subpath}/index.d.ts`, default: `./${subpath}/index.js` },
  ]);
  const extras = {
    './all': { types: './all.d.ts', default: './all.js' },
    ...(settings.schemas ? { './*/schema.json': './*/schema.json' } : {}),
    ...(settings.validators === 'none'
      ? {}
      : { './formats': { types: './validation/formats.d.ts', default: './validation/formats.js' } }),
    './package.json': './package.json',
  };
  const manifest = {
    name: json(name),
    version: json(sources.version),
    routerPackage: json(router),
    exports: json({ ...Object.fromEntries(entries), ...extras }, 2),
  };
  const readme = {
    name: word(name),
    version: word(sources.version),
    routerPackage: word(router),
    count: word(String(models.length)),
    models: join(
      listed.map(({ id, subpath }) =>
        String(id) === subpath ? code`- ${codeSpan(id)}` : code`- ${codeSpan(id)} as ${codeSpan(subpath)}`,
      ),
      code`\n`,
    ),
  };
  const frame = (file: string): string => sources.templates.get(file) ?? '';
  return [
    { path: 'models/package.json', contents: await renderTemplate(frame('models-package.json.hbs'), manifest) },
    { path: 'models/README.md', contents: await renderTemplate(frame('models-readme.md.hbs'), readme) },
  ];
}
