import { SetupFailure } from '../errors.ts';
import { jsonOf } from '../evidence.ts';
import type { Exchanger, Ports, TargetTime } from '../ports.ts';
import type { Target } from '../target.ts';
import { httpExchange } from './http-exchanger.ts';
import { systemClock } from './system-clock.ts';

const deadlineMs = 2_000;
const noticeableMs = 20;

/** Ports for a target at an address. Its clock is moved by the operator's route of a sandbox, where there is one. */
export function httpPorts(target: Target, exchange: Exchanger = httpExchange): Ports {
  const url = (target.router ?? target.workflow)?.url;
  if (target.kind !== 'sandbox' || url === undefined) return { exchange, clock: systemClock };
  return { exchange, clock: systemClock, time: operatedTime(url, exchange) };
}

function operatedTime(url: string, exchange: Exchanger): TargetTime {
  /** What time it is there then; undefined where no clock was moved. */
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
    const told = parsed.kind === 'json' ? /^\{"now":(\d+(?:\.\d+)?)\}$/.exec(JSON.stringify(parsed.value)) : null;
    return told === null ? undefined : Number(told[1]);
  };
  return {
    isMovable: async () => (await advance(0)) !== undefined,
    pass: async (ms) => {
      if ((await advance(ms)) === undefined)
        throw new SetupFailure(`the clock of the target was not moved on by ${ms} ms`);
    },
    standsStill: async () => {
      const before = await advance(0);
      if (before === undefined) return false;
      await systemClock.sleep(noticeableMs);
      return (await advance(0)) === before;
    },
  };
}
