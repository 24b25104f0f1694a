import type { Ports } from '../contract/probe.ts';
import type { Wire } from './wire.ts';

/** The only place that sends. A response is awaited for `requestMs`, or as long as its call allows, and never past the deadline. */
export function sendWithinDeadline({ exchange, clock }: Pick<Ports, 'exchange' | 'clock'>, requestMs: number): Wire {
  return async ({ wanted, request, name, responseMs = requestMs }, { endsAtMs }) => {
    const startedAtMs = clock.now();
    const result = await exchange(request, Math.min(responseMs, endsAtMs - startedAtMs));
    const isAsGiven = wanted.to.startsWith('/') || new URL(wanted.to).href === request.url;
    return {
      exchange: {
        step: name,
        attempt: 1,
        api: wanted.api,
        request,
        result,
        timing: { startedAtMs, durationMs: clock.now() - startedAtMs },
        ...(wanted.credentials === undefined ? {} : { credentials: wanted.credentials }),
        ...(isAsGiven ? {} : { rebasedFrom: wanted.to }),
      },
    };
  };
}
