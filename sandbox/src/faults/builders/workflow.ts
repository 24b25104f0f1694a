import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { ServerRequest } from '../../http/messages.ts';
import { onJson } from './changes.ts';
import type { Change } from './fault.ts';
import { readPath } from './operations.ts';

export function readJobId(request: ServerRequest): string {
  return readPath(request).split('/')[4] ?? '';
}

export function isOfJob(...ids: readonly string[]): (request: ServerRequest) => boolean {
  return (request) => ids.includes(readJobId(request));
}

export function changeError(change: (error: JsonObject, jobId: string) => JsonValue): Change {
  return onJson((body, { request }) =>
    isJsonObject(body['error']) ? { ...body, error: change(body['error'], readJobId(request)) } : body,
  );
}

/** Changes the workflow in a reply, of jobs in one format or in any. */
export function changeWorkflow(change: (workflow: JsonObject) => JsonValue, format?: 'save' | 'api'): Change {
  return onJson((body) => {
    const { workflow } = body;
    const isWanted = format === undefined || body['format'] === format;
    return isWanted && isJsonObject(workflow) ? { ...body, workflow: change(workflow) } : body;
  });
}
