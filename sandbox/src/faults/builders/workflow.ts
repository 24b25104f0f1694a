import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { ServerRequest } from '../../http/messages.ts';
import { type JsonChange, onJson, onMember } from './changes.ts';
import type { Change } from './fault.ts';
import { readPath } from './operations.ts';

export function readJobId(request: ServerRequest): string {
  return readPath(request).split('/')[4] ?? '';
}

export function isOfJob(...ids: readonly string[]): (request: ServerRequest) => boolean {
  return (request) => ids.includes(readJobId(request));
}

export const changeError = (change: JsonChange): Change => onMember('error', change);

/** Changes the workflow of jobs in one format. */
export function changeWorkflow(format: 'save' | 'api', change: (workflow: JsonObject) => JsonValue): Change {
  return onJson((body) => {
    const { workflow } = body;
    return body['format'] === format && isJsonObject(workflow) ? { ...body, workflow: change(workflow) } : body;
  });
}
