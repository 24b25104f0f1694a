import type { Keys } from './keys.ts';
import type { Limits } from './limits.ts';
import type { Queue } from './queue.ts';
import type { Site } from './site.ts';

/** The router with all that changes while it runs. */
export type World = Site & { readonly keys: Keys; readonly limits: Limits; readonly queue: Queue };
