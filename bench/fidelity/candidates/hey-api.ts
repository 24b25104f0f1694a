import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { type Candidate, messageOf } from './candidate.ts';

export const heyApi: Candidate = {
  name: '@hey-api/openapi-ts',
  async make(documents, folder) {
    const failed = new Map<string, string>();
    const folders = new Map(documents.map(({ id }, index) => [id, join(folder, `m${index}`)]));
    for (const { id, root } of documents) {
      try {
        await createClient({
          input: structuredClone(root),
          output: { path: folders.get(id) ?? '', entryFile: false },
          plugins: ['@hey-api/typescript'],
          logs: { level: 'silent', file: false },
        });
      } catch (error) {
        failed.set(id, messageOf(error));
      }
    }
    const fileOf = (model: string): string => join(folders.get(model) ?? '', 'types.gen.ts');
    return {
      failed,
      fileOf,
      declare({ model, direction, status }) {
        const [name, type] =
          direction === 'input'
            ? ['RunModelData', "NonNullable<RunModelData['body']>"]
            : ['RunModelResponses', `RunModelResponses[${status}]`];
        return `import type { ${name} } from '${fileOf(model)}'; type Subject = ${type};`;
      },
    };
  },
};
