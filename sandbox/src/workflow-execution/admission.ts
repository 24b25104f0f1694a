import type { Answer } from '../answer.ts';
import type { Context } from '../context.ts';
import type { WorkflowAccount } from '../credentials.ts';
import { takeFromWindow } from '../state/quotas.ts';
import { rateLimited } from './refusals.ts';

/** Why a call of a valid account may not be served now, whatever it asks for (WX-LIM-02, WX-OPE-07 to WX-OPE-09). */
export function refuseWorkflowCall({ user }: WorkflowAccount, { world, config }: Context): Answer | undefined {
  const { limits } = world.settings;
  const ofAccount = { ...limits, callsPerWindow: limits.workflowCallsPerWindow };
  const { window, waitMs } = takeFromWindow(world.windows.get(user), ofAccount, config.clock.now());
  world.windows.set(user, window);
  return waitMs > 0 ? rateLimited(waitMs) : undefined;
}
