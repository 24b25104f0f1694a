import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import { generate, nodePorts } from '../../generator/src/index.ts';
import { configureGeneration } from '../../scripts/tests/with-sandbox.ts';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../specs/src/index.ts';
import { type BenchDocument, catalogHttp } from '../documents.ts';
import type { Subject } from './subject.ts';

/** A tool that generates types from model documents. It runs with its default settings. */
export type Tool = {
  name: string;
  /** Writes types for all documents below `folder`; a document that fails does not affect the others. */
  make(documents: readonly BenchDocument[], folder: string): Promise<GeneratedTypes>;
};
export type GeneratedTypes = {
  /** Reasons for missing types, by model id. */
  failed: ReadonlyMap<string, string>;
  /** Returns the statement that declares the type `Subject` for the input or output of a model. */
  declare(subject: Subject): string;
  /** The compiler option `paths` that the types need. */
  paths?: Record<string, string[]>;
};

const switchyard: Tool = {
  name: 'switchyard',
  async make(documents, folder) {
    const outDir = join(folder, 'generated');
    const served = { url: 'http://router.test', specs: await buildEffectiveSpecs(defaultSpecSettings) };
    const config = configureGeneration(served, { outDir, cacheDir: join(folder, 'cache') }, 'write');
    const report = await generate({ ...config, concurrency: 16 }, { ...nodePorts(), http: catalogHttp(documents) });
    const errors = report.diagnostics.filter(({ severity }) => severity === 'error');
    return {
      failed: new Map(errors.flatMap(({ model, message }) => (model === undefined ? [] : [[model, message]]))),
      declare: ({ model, direction }) =>
        `import type { ${direction === 'input' ? 'Input' : 'Output'} as Subject } from '@switchyard/models/${model}';`,
      paths: {
        '@switchyard/models/*': [join(outDir, 'models', '*.d.ts')],
        '@switchyard/model-router': [join(outDir, 'model-router', 'index.d.ts')],
      },
    };
  },
};

const openapiTypescript: Tool = {
  name: 'openapi-typescript',
  async make(documents, folder) {
    const { failed, pathOf } = await printEach(documents, folder, async ({ bytes }, path) => {
      await writeFile(`${path}.ts`, astToString(await openapiTS(Buffer.from(bytes))));
    });
    return {
      failed,
      declare({ model, direction, path, mediaTypes, status }) {
        const operation = `paths[${JSON.stringify(path)}]['post']`;
        const holder =
          direction === 'input' ? `NonNullable<${operation}['requestBody']>` : `${operation}['responses'][${status}]`;
        const types = mediaTypes.map((one) => JSON.stringify(one)).join(' | ');
        return `import type { paths } from '${pathOf(model)}.ts'; type Subject = ${holder}['content'][${types}];`;
      },
    };
  },
};

const heyApi: Tool = {
  name: '@hey-api/openapi-ts',
  async make(documents, folder) {
    const { failed, pathOf } = await printEach(documents, folder, async ({ root }, path) => {
      await createClient({
        input: structuredClone(root),
        output: { path, entryFile: false },
        plugins: ['@hey-api/typescript'],
        logs: { level: 'silent', file: false },
      });
    });
    return {
      failed,
      declare({ model, direction, status }) {
        const [name, type] =
          direction === 'input'
            ? ['RunModelData', "NonNullable<RunModelData['body']>"]
            : ['RunModelResponses', `RunModelResponses[${status}]`];
        return `import type { ${name} } from '${pathOf(model)}/types.gen.ts'; type Subject = ${type};`;
      },
    };
  },
};

export const tools: readonly Tool[] = [switchyard, openapiTypescript, heyApi];

type Print = (document: BenchDocument, path: string) => Promise<void>;

async function printEach(documents: readonly BenchDocument[], folder: string, print: Print) {
  const failed = new Map<string, string>();
  const paths = new Map(documents.map(({ id }, index) => [id, join(folder, `m${index}`)]));
  const pathOf = (model: string): string => paths.get(model) ?? '';
  await mkdir(folder, { recursive: true });
  for (const document of documents) {
    try {
      await print(document, pathOf(document.id));
    } catch (error) {
      failed.set(document.id, String(error).split('\n', 1)[0] ?? '');
    }
  }
  return { failed, pathOf };
}
