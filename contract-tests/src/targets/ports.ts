import { isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { SetupFailure } from '../contract/endings.ts';
import { parseBody } from '../contract/evidence.ts';
import type { Exchanger, Hooks, Ports, RawHeaders } from '../contract/exchange.ts';
import type { GatewayHeader, HooksAddress, Target } from '../contract/target.ts';
import { hookNames } from '../requires.ts';
import { createHttpExchange } from '../wire/http-exchanger.ts';
import {
  type FetchHandler,
  fetchExchanger,
  type Handle,
  inProcessExchanger,
  type MovableClock,
} from '../wire/in-process-exchanger.ts';
import { nextTurn, systemClock } from '../wire/system-clock.ts';

/** Returns ports for a target over HTTP with its TLS settings. `maxRps`: maximum requests per second. */
export function httpPorts(target: Target, maxRps?: number): Ports {
  // Scenarios share the rate limits of a live target, so run them one by one. Those for a local server mostly wait.
  const concurrency = target.kind === 'live' ? 1 : 8;
  return realTimePorts(target, limitRate(createHttpExchange(target.tls), maxRps), concurrency);
}

/** Returns ports for a server in this process, in real time. Its hooks are called through the same handler. */
export function fetchPorts(target: Target, handler: FetchHandler): Ports {
  return realTimePorts(target, fetchExchanger(handler), 4);
}

function realTimePorts({ hooks, headers }: Target, exchange: Exchanger, concurrency: number): Ports {
  const ports = { exchange, clock: systemClock, concurrency };
  return hooks === undefined ? ports : { ...ports, hooks: openHooks(hooks, exchange, headers) };
}

/** Returns ports for a self-check: a wait advances the target's clock and takes no real time. */
export function inProcessPorts(
  handle: Handle,
  clock: MovableClock,
  { hooks }: { readonly hooks?: HooksAddress },
): Ports {
  const exchange = inProcessExchanger(handle, (ms) => clock.advance(ms));
  const sleep = async (ms: number): Promise<void> => {
    // Let calls that were started before the wait be sent first.
    await nextTurn();
    clock.advance(ms);
  };
  const ports = { exchange, clock: { now: () => clock.now(), sleep } };
  if (hooks === undefined) return ports;
  // Omit `isStopped`: this clock only advances while the check waits, so it would be mistaken for a stopped clock.
  const { isStopped: _, ...moved } = openHooks(hooks, exchange);
  return { ...ports, hooks: moved };
}

function limitRate(exchange: Exchanger, maxRps: number | undefined): Exchanger {
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

const deadlineMs = 10_000;
const longestAnswer = 1024 * 1024;
/** A running clock must advance within this real time. */
const clockTickMs = 20;
const checkCredential = ' (check that --hooks-credential is set to a valid credential)';
const hints: Readonly<Record<number, string>> = {
  401: checkCredential,
  403: checkCredential,
  404: ' (check the URL of the test hooks)',
};

/** Implements the protocol in docs/reference/test-hooks.md. Never follows URLs in responses. */
export function openHooks(
  { url, credential }: HooksAddress,
  exchange: Exchanger,
  gateway: readonly GatewayHeader[] = [],
): Hooks {
  const base = url.replace(/\/+$/, '');
  const always: RawHeaders = [
    ...gateway.map(({ name, value }) => [name, value] as const),
    ...(credential === undefined ? [] : [['Authorization', `Bearer ${credential}`] as const]),
  ];

  async function callHook(method: string, path: string, content?: object, prefix = ''): Promise<JsonValue> {
    const url = `${base}${path}`;
    const headers = content === undefined ? always : [...always, ['Content-Type', 'application/json'] as const];
    const body = content && new TextEncoder().encode(JSON.stringify(content));
    const result = await exchange({ method, url, headers, body }, deadlineMs);
    const asked = `${prefix}${method} ${url}`;
    if (result.kind === 'no-response') throw new SetupFailure(`${asked}: ${result.detail}`);
    if (result.status !== 200)
      throw new SetupFailure(`${asked} returned ${result.status}${hints[result.status] ?? ''}`);
    if (result.body.length > longestAnswer)
      throw new SetupFailure(`${asked} returned more than ${longestAnswer} bytes`);
    const parsed = parseBody(result);
    if (parsed.kind !== 'json') throw new SetupFailure(`${asked} did not return JSON`);
    return parsed.value;
  }

  /** Advances the clock and returns the new time. Throws without a time, because some servers return 200 for everything. */
  async function advance(ms: number): Promise<number> {
    const prefix = `the clock of the target was not advanced by ${ms} ms: `;
    const answer = await callHook('POST', '/clock', { advance_ms: Math.round(ms) }, prefix);
    const now = isJsonObject(answer) ? answer['now_ms'] : undefined;
    if (typeof now !== 'number') throw new SetupFailure(`${prefix}no now_ms`);
    return now;
  }

  const unscripted = 'the next outcome could not be scripted: ';
  return {
    offered: async () => {
      const answer = await callHook('GET', '');
      const { version, hooks } = isJsonObject(answer) ? answer : {};
      if (version !== 1) throw new SetupFailure('their discovery document does not have version 1');
      if (!Array.isArray(hooks)) throw new SetupFailure('their discovery document has no list "hooks"');
      const offered = hookNames.filter((name) => hooks.includes(name));
      // Without the outcomes model, only the hooks `clock` and `script` are useful.
      return offered.includes('outcomes') ? offered : offered.filter((name) => name === 'clock' || name === 'script');
    },
    pass: async (ms) => void (await advance(ms)),
    isStopped: async () => {
      const before = await advance(0);
      await systemClock.sleep(clockTickMs);
      return (await advance(0)) === before;
    },
    script: async (failure) => void (await callHook('POST', '/script', failure, unscripted)),
    clearScript: async () => void (await callHook('DELETE', '/script', undefined, unscripted)),
  };
}
