import { isJsonObject, type JsonObject } from '../../../specs/src/index.ts';
import type { Deviations } from '../deviations.ts';
import { rejectUnknownNames, SandboxError } from '../errors.ts';
import { type App, jsonReply, type ServerRequest } from '../http/messages.ts';
import { adminPrefix, createRouter, splitTarget } from '../http/router.ts';
import { explainTooLarge } from '../model-router/admission.ts';
import { parseJson } from '../parse-json.ts';
import type { World } from '../state/world.ts';

/** The parts of the sandbox that admin routes use. */
export type AdminContext = {
  world: World;
  /** The active faults and variants. */
  deviations(): Deviations;
  /** Activates exactly these faults and variants. Throws SandboxError for an unknown id. */
  setDeviations(wanted: Deviations): void;
};
/** A call of an admin route. `body`: an empty object if none was sent. `params`: decoded parameters of the path. */
export type AdminCall = { body: JsonObject; params: Readonly<Record<string, string>>; query: URLSearchParams };
type AdminRoute = {
  description: string;
  /** Members that the body may have; undefined if `handle` checks them itself. */
  bodyMembers?: readonly string[];
  /** Returns the JSON of the reply. A thrown SandboxError becomes a 400 with its message; undefined becomes a 404. */
  handle(call: AdminCall, admin: AdminContext): object | undefined;
};
export type AdminRoutes = Readonly<Record<string, AdminRoute>>;

/** Creates the app that serves the admin routes. Calls need no credential, and faults don't affect them. */
export function createAdminApp(routes: AdminRoutes, admin: AdminContext): App {
  const router = createRouter(Object.entries(routes).map(([route, rest]) => ({ route, ...rest })));
  return async (request) => {
    const { path, query } = splitTarget(request.target);
    const match = router.match(request.method, path === adminPrefix ? `${path}/` : path);
    if (match.kind === 'unknown-path') return jsonReply(404, { error: 'no such admin route' });
    if (match.kind === 'wrong-method') {
      const allowed = match.allowed.join(', ');
      return jsonReply(405, { error: `this admin route only allows ${allowed}` }, { Allow: allowed });
    }
    const { entry, params } = match;
    try {
      const body = readBody(request, entry.bodyMembers);
      const value = entry.handle({ body, params, query: new URLSearchParams(query) }, admin);
      return value === undefined ? jsonReply(404, { error: 'not found' }) : jsonReply(200, value);
    } catch (error) {
      if (error instanceof SandboxError) return jsonReply(400, { error: error.message });
      const reason = error instanceof Error ? error.message : error;
      return jsonReply(500, { error: `the admin call failed: ${reason}` });
    }
  };
}

function readBody({ body: bytes }: ServerRequest, takes: readonly string[] | undefined): JsonObject {
  const reason = bytes === 'too-large' ? 'is too long' : explainTooLarge(bytes);
  if (bytes === 'too-large' || reason !== undefined) throw new SandboxError(`the body ${reason}`);
  const value = bytes.length === 0 ? {} : parseJson(bytes);
  if (!isJsonObject(value)) throw new SandboxError('the body must be a JSON object');
  if (takes !== undefined) rejectUnknownNames(value, takes);
  return value;
}

export function readStrings(body: JsonObject, name: string): string[] {
  const value = body[name] ?? [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw new SandboxError(`${name} must be a list of strings`);
  }
  return value;
}

export function readModelId({ params }: AdminCall): string {
  return `${params['provider']}/${params['model']}`;
}
