import type { Prebuilt } from '../../../specs/src/index.ts';
import type { Files } from '../ports.ts';
import { prebuildSources, readPackageSources } from './package-sources.ts';
import { prebuildScripts } from './transpile-runtime.ts';

/** What a build can work out beforehand of the packages: their handwritten part, compiled. */
export async function prebuildPackages(files: Files): Promise<Prebuilt[]> {
  const { runtime, validation } = readPackageSources(files);
  return [await prebuildScripts(runtime), await prebuildScripts(validation), prebuildSources(files)];
}
