import { jsonOf } from '../answer.ts';
import { SetupFailure } from '../errors.ts';
import type { Exchanger, Ports, TargetTime } from '../ports.ts';
import type { Target } from '../target.ts';
import { httpExchange } from './http-exchanger.ts';
import { systemClock } from './system-clock.ts';

const deadlineMs = 2_000;

/** Ports for a target at an address. Its clock is moved by the operator's route of a sandbox, where there is one. */
export function httpPorts(target: Target, exchange: Exchanger = httpExchange): Ports {
  const url = (target.router ?? target.workflow)?.url;
  if (target.kind !== 'sandbox' || url === undefined) return { exchange, clock: systemClock };
  return { exchange, clock: systemClock, time: operatedTime(url, exchange) };
}

function operatedTime(url: string, exchange: Exchanger): TargetTime {
  const advance = async (ms: number): Promise<boolean> => {
    const request = {
      method: 'POST',
      url: `${url.replace(/\/+$/, '')}/__sandbox/clock/advance`,
      headers: [['Content-Type', 'application/json']] as const,
      body: new TextEncoder().encode(JSON.stringify({ by: ms })),
    };
    const result = await exchange(request, deadlineMs);
    if (result.kind !== 'response' || result.status !== 200) return false;
    const parsed = jsonOf(result);
    // A target that answers 200 to everything has moved no clock.
    return parsed.kind === 'json' && /^\{"now":\d+(?:\.\d+)?\}$/.test(JSON.stringify(parsed.value));
  };
  return {
    isMovable: () => advance(0),
    pass: async (ms) => {
      if (!(await advance(ms))) throw new SetupFailure(`the clock of the target was not moved on by ${ms} ms`);
    },
  };
}
