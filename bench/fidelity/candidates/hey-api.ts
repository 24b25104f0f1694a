import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import type { JsonObject } from '../../../specs/src/index.ts';
import { type Candidate, toMessage } from './candidate.ts';

export const heyApi = candidate('@hey-api/openapi-ts', (root) => root);
/** Without `nullable` a document can be passed as 3.1, whose keywords most 3.0 documents use as well. */
export const heyApiTuned = candidate('@hey-api/openapi-ts tuned', (root) =>
  JSON.stringify(root).includes('"nullable":') ? root : { ...root, openapi: '3.1.0' },
);

function candidate(name: string, prepare: (root: JsonObject) => JsonObject): Candidate {
  return {
    name,
    async make(documents, folder) {
      const failed = new Map<string, string>();
      const folders = new Map(documents.map(({ id }, index) => [id, join(folder, `m${index}`)]));
      for (const { id, root } of documents) {
        try {
          await createClient({
            input: structuredClone(prepare(root)),
            output: { path: folders.get(id) ?? '', entryFile: false },
            plugins: ['@hey-api/typescript'],
            logs: { level: 'silent', file: false },
          });
        } catch (error) {
          failed.set(id, toMessage(error));
        }
      }
      const findFile = (model: string): string => join(folders.get(model) ?? '', 'types.gen.ts');
      return {
        failed,
        findFile,
        declare({ model, direction, status }) {
          const [name, type] =
            direction === 'input'
              ? ['RunModelData', "NonNullable<RunModelData['body']>"]
              : ['RunModelResponses', `RunModelResponses[${status}]`];
          return `import type { ${name} } from '${findFile(model)}'; type Subject = ${type};`;
        },
      };
    },
  };
}
