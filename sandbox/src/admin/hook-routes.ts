import { operations } from '../app.ts';
import { parseWholeNumber, SandboxError } from '../errors.ts';
import { adminPrefix } from '../http/router.ts';
import { outcomeModelIds } from '../own-catalog.ts';
import type { World } from '../state/world.ts';
import type { AdminRoutes } from './admin.ts';
import { parseStub } from './stub-routes.ts';

/** Path of the test hooks of docs/reference/test-hooks.md. */
export const hooksPath = `${adminPrefix}/hooks`;

const mostMs = 7 * 24 * 3_600_000;
const scriptedFailures: readonly unknown[] = ['internal_error', 'service_unavailable', 'upstream_error'];

/** Test hooks, a protocol that any server may implement. The gate uses no other admin route of a sandbox. */
export const hookRoutes: AdminRoutes = {
  [`GET ${hooksPath}`]: {
    description: 'the test hooks that are offered (docs/reference/test-hooks.md)',
    handle: (_, { world }) => {
      const hasMain = world.catalog.byId.has(outcomeModelIds.main);
      const hasAlternate = world.catalog.byId.has(outcomeModelIds.alternate);
      const hooks = [
        ...(isMovable(world) ? ['clock'] : []),
        'script',
        ...(hasMain ? ['outcomes', 'assets', 'families'] : []),
        ...(hasMain && hasAlternate ? ['alternate'] : []),
      ];
      return { version: 1, hooks };
    },
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
    handle: ({ body }, { world }) => {
      if (!scriptedFailures.includes(body['error_type'] ?? body['code']))
        throw new SandboxError('name the error_type internal_error or service_unavailable, or the code upstream_error');
      if (!operations.some(({ operation }) => operation === body['operation']))
        throw new SandboxError('operation must be the id of an operation');
      world.stubs.add(parseStub(body));
      return { pending: world.stubs.pending().reduce((sum, { times }) => sum + times, 0) };
    },
  },
  [`DELETE ${hooksPath}/script`]: {
    description: 'drops the scripted failures',
    handle: (_, { world }) => {
      world.stubs.clear();
      return { pending: 0 };
    },
  },
};

function isMovable({ config }: World): boolean {
  try {
    config.clock.advance(0);
    return true;
  } catch (error) {
    if (error instanceof SandboxError) return false;
    throw error;
  }
}
