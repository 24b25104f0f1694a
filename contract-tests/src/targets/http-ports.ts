import { httpExchange } from '../adapters/http-exchanger.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { SetupFailure } from '../definitions/errors.ts';
import { jsonOf } from '../definitions/evidence.ts';
import type { Exchanger, Ports, TargetTime } from '../definitions/ports.ts';
import type { Target } from '../definitions/target.ts';

const deadlineMs = 2_000;
const noticeableMs = 20;

/** Sends at most so many requests per second, evenly. */
function paced(exchange: Exchanger, maxRps: number | undefined): Exchanger {
  if (maxRps === undefined) return exchange;
  let nextMs = 0;
  return async (request, deadlineMs) => {
    const now = systemClock.now();
    const startsAtMs = Math.max(now, nextMs);
    nextMs = startsAtMs + 1_000 / maxRps;
    if (startsAtMs > now) await systemClock.sleep(startsAtMs - now);
    return exchange(request, deadlineMs);
  };
}

/** Ports for a target at an address. The clock of a sandbox is moved through its admin routes, where it has them. */
export function httpPorts(target: Target, sent: Exchanger = httpExchange, maxRps?: number): Ports {
  const exchange = paced(sent, maxRps);
  const url = (target.router ?? target.workflow)?.url;
  // Probes share the rate limits of a live target, so they run one by one there.
  const ports = { exchange, clock: systemClock, concurrency: target.kind === 'live' ? 1 : 4 };
  return target.kind !== 'sandbox' || url === undefined ? ports : { ...ports, time: adminTime(url, exchange) };
}

function adminTime(url: string, exchange: Exchanger): TargetTime {
  /** The time there after the move; undefined when no clock was moved. */
  const advance = async (ms: number): Promise<number | undefined> => {
    const request = {
      method: 'POST',
      url: `${url.replace(/\/+$/, '')}/__sandbox/clock/advance`,
      headers: [['Content-Type', 'application/json']] as const,
      body: new TextEncoder().encode(JSON.stringify({ by: ms })),
    };
    const result = await exchange(request, deadlineMs);
    if (result.kind !== 'response' || result.status !== 200) return undefined;
    const parsed = jsonOf(result);
    // A target that answers 200 to everything has moved no clock.
    const now = parsed.kind === 'json' ? /^\{"now":(\d+(?:\.\d+)?)\}$/.exec(JSON.stringify(parsed.value)) : null;
    return now === null ? undefined : Number(now[1]);
  };
  return {
    isMovable: async () => (await advance(0)) !== undefined,
    pass: async (ms) => {
      if ((await advance(ms)) === undefined)
        throw new SetupFailure(`the clock of the target was not moved on by ${ms} ms`);
    },
    isStopped: async () => {
      const before = await advance(0);
      if (before === undefined) return false;
      await systemClock.sleep(noticeableMs);
      return (await advance(0)) === before;
    },
  };
}
