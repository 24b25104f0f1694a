import { join } from 'node:path';
import { generate, nodePorts } from '../../../generator/src/index.ts';
import { configureGeneration } from '../../../scripts/tests/with-sandbox.ts';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../../specs/src/index.ts';
import { catalogHttp } from '../../documents/catalog-http.ts';
import type { Candidate } from './candidate.ts';

/** The output of `switchyard generate`, imported as by a consumer. */
export const switchyard: Candidate = {
  name: 'switchyard',
  async make(documents, folder) {
    const outDir = join(folder, 'generated');
    const served = { url: 'http://router.test', specs: await buildEffectiveSpecs(defaultSpecSettings) };
    const config = configureGeneration(served, { outDir, cacheDir: join(folder, 'cache') }, 'write');
    const report = await generate({ ...config, concurrency: 16 }, { ...nodePorts(), http: catalogHttp(documents) });
    const failed = new Map(
      report.diagnostics.flatMap(({ severity, model, message }) =>
        severity === 'error' && model !== undefined ? [[model, message]] : [],
      ),
    );
    return {
      failed,
      findFile: (model) => join(outDir, 'models', `${model}.d.ts`),
      declare: ({ model, direction }) =>
        `import type { ${direction === 'input' ? 'Input' : 'Output'} as Subject } from '@switchyard/models/${model}';`,
      paths: {
        '@switchyard/models/*': [join(outDir, 'models', '*.d.ts')],
        '@switchyard/model-router': [join(outDir, 'model-router', 'index.d.ts')],
      },
    };
  },
};
