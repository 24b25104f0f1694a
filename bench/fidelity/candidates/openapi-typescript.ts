import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString, type OpenAPITSOptions } from 'openapi-typescript';
import ts from 'typescript';
import { type Candidate, type Made, toMessage } from './candidate.ts';

const text = ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword);

export const openapiTypescript = candidate('openapi-typescript', {});
/** With the options that help: defaults stay optional, empty objects are open, bytes inside JSON are text. */
export const openapiTypescriptTuned = candidate('openapi-typescript tuned', {
  defaultNonNullable: false,
  emptyObjectsUnknown: true,
  // The option's type omits boolean schemas.
  transform: (schema) => (Object(schema)['format'] === 'binary' ? text : undefined),
});

function candidate(name: string, options: OpenAPITSOptions): Candidate {
  return {
    name,
    async make(documents, folder) {
      const failed = new Map<string, string>();
      const files = new Map(documents.map(({ id }, index) => [id, join(folder, `m${index}.ts`)]));
      await mkdir(folder, { recursive: true });
      for (const { id, bytes } of documents) {
        try {
          const made = astToString(await openapiTS(Buffer.from(bytes), options));
          await writeFile(files.get(id) ?? '', made);
        } catch (error) {
          failed.set(id, toMessage(error));
        }
      }
      return made(failed, files);
    },
  };
}

function made(failed: Made['failed'], files: ReadonlyMap<string, string>): Made {
  const findFile = (model: string): string => files.get(model) ?? '';
  return {
    failed,
    findFile,
    declare({ model, direction, path, mediaTypes, status }) {
      const operation = `paths[${JSON.stringify(path)}]['post']`;
      const holder =
        direction === 'input' ? `NonNullable<${operation}['requestBody']>` : `${operation}['responses'][${status}]`;
      return `import type { paths } from '${findFile(model)}'; type Subject = ${holder}['content'][${mediaTypes.map((one) => JSON.stringify(one)).join(' | ')}];`;
    },
  };
}
