import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import { operations } from '../app.ts';
import { parseWholeNumber, SandboxError } from '../errors.ts';
import { adminPrefix } from '../http/router.ts';
import type { World } from '../state/world.ts';
import type { Admin, AdminCall, AdminRoutes } from './admin.ts';
import { parseStub } from './stub-routes.ts';

/** Where the sandbox has the test hooks of docs/reference/test-hooks.md. */
export const hooksPath = `${adminPrefix}/hooks`;

const mostMs = 7 * 24 * 3_600_000;

/** The protocol that any server may implement; the gate uses nothing else on a sandbox. */
export const hookRoutes: AdminRoutes = {
  [`GET ${hooksPath}`]: {
    description: 'the test hooks that are offered (docs/reference/test-hooks.md)',
    handle: (_, { world }) => ({ version: 1, hooks: offeredIn(world) }),
  },
  [`POST ${hooksPath}/clock`]: {
    description: 'moves time: {"advance_ms": 39600000}',
    takes: ['advance_ms'],
    handle: ({ body }, { world: { config } }) => {
      config.clock.advance(parseWholeNumber('advance_ms', body['advance_ms'], { to: mostMs }));
      return { now_ms: config.clock.now() };
    },
  },
  [`POST ${hooksPath}/script`]: {
    description:
      'fails the next call: {"operation": "<id>"} with "error_type" (internal_error, service_unavailable) or "code" (upstream_error)',
    takes: ['operation', 'error_type', 'code'],
    handle: scriptFailure,
  },
  [`DELETE ${hooksPath}/script`]: {
    description: 'drops the scripted failures',
    handle: (_, { world }) => {
      world.stubs.clear();
      return { pending: 0 };
    },
  },
};

function offeredIn(world: World): string[] {
  const has = (id: string): boolean => world.catalog.byId.has(id);
  const outcomes = has('sandbox/outcomes');
  return [
    ...(isMovable(world) ? ['clock'] : []),
    'script',
    ...(outcomes ? ['outcomes', 'assets', 'families'] : []),
    ...(outcomes && has('sandbox-two/outcomes') ? ['alternate'] : []),
  ];
}

function isMovable({ config }: World): boolean {
  try {
    config.clock.advance(0);
    return true;
  } catch (error) {
    if (error instanceof SandboxError) return false;
    throw error;
  }
}

const causes: readonly (JsonValue | undefined)[] = ['internal_error', 'service_unavailable', 'upstream_error'];

function scriptFailure({ body }: AdminCall, { world }: Admin): JsonObject {
  if (!causes.includes(body['error_type'] ?? body['code']))
    throw new SandboxError('name the error_type internal_error or service_unavailable, or the code upstream_error');
  if (!operations.some(({ operation }) => operation === body['operation']))
    throw new SandboxError('operation must be the id of an operation');
  world.stubs.add(parseStub(body));
  return { pending: world.stubs.pending().reduce((sum, { times }) => sum + times, 0) };
}
