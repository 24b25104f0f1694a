import { type EffectiveSpecs, headerName, type JsonValue, type Operation } from '../../specs/src/index.ts';
import { type ConformanceReport, checkExchanges, type Exchange, type Exchanger, runConformance } from '../src/index.ts';
import type { Mutable, Mutation } from './mutation.ts';
import { limits, sandboxUnderTest, targetAt } from './sandbox-under-test.ts';

/** The set of categories is open, and so is that of codes: nothing is fixed for this one. */
const unknownCategory = 'unheard_of';
type ResponseChange = (exchanged: Exchange) => Exchange;

/** All rules against a sandbox of its own; every response passes through `change` on its way to the gate. */
export async function runThrough(specs: EffectiveSpecs, change: ResponseChange): Promise<ConformanceReport> {
  const { target, ports, close } = sandboxUnderTest(specs);
  const exchange: Exchanger = async (request, deadlineMs) => {
    const startedAtMs = ports.clock.now();
    const result = await ports.exchange(request, deadlineMs);
    const api = request.url.startsWith(`${target.router?.url}/api/`) ? 'workflow' : 'router';
    const timing = { startedAtMs, durationMs: ports.clock.now() - startedAtMs };
    return change({ step: 'answer', attempt: 1, api, request, result, timing }).result;
  };
  const report = await runConformance({ target, specs, limits, evidence: 'none' }, { ...ports, exchange });
  await close();
  return report;
}

/** The passive rules that find something in exchanges. */
export function rulesAgainst(exchanges: readonly Exchange[], specs: EffectiveSpecs): readonly string[] {
  const checked = checkExchanges(exchanges, { target: targetAt('http://sandbox.test', {}), specs });
  return checked.filter(({ outcome }) => outcome.kind === 'failed').map(({ ruleId }) => ruleId);
}

/** Whether those rules find more in the response than in what it was made from. */
export function isSeenAlone(worse: Exchange, healthy: Exchange, specs: EffectiveSpecs): boolean {
  const before = rulesAgainst([healthy], specs);
  return rulesAgainst([worse], specs).some((ruleId) => !before.includes(ruleId));
}

/** An error of a kind that a healthy run does not bring: a refusal of the same operation under another status. */
export function refusedWith(exchanged: Exchange, status: number, specs: EffectiveSpecs): Exchange {
  const { result, api } = exchanged;
  if (result.kind === 'no-response') return exchanged;
  const name = headerName(specs.settings.brand, 'Error-Type').toLowerCase();
  const headers = result.headers.map(([key, value]): [string, string] =>
    key.toLowerCase() === name ? [key, unknownCategory] : [key, value],
  );
  const body =
    api === 'router'
      ? { detail: 'It could not be done.', error_type: unknownCategory }
      : { error: { code: unknownCategory, message: 'It could not be done.', details: null } };
  return { ...exchanged, result: { ...result, status, headers, body: new TextEncoder().encode(JSON.stringify(body)) } };
}

/** The exchange with a worse response; undefined where the mutation does not concern it or finds nothing to change. */
export function mutated(exchanged: Exchange, { operation, status, change }: Mutation): Exchange | undefined {
  const { result } = exchanged;
  const isOther = (code: number): boolean => code >= 400 && operation.responses[String(code)] === undefined;
  const isMeant = (code: number): boolean => (status === undefined ? isOther(code) : status === code);
  if (result.kind === 'no-response' || !isTo(exchanged, operation, isMeant)) return undefined;
  const before = {
    status: result.status,
    headers: new Headers(result.headers.map(copyPair)),
    ...parseBody(result.body),
  };
  const after = change(before);
  return isSame(before, after) ? undefined : { ...exchanged, result: responseFrom(after) };
}

/** A response of that operation with such a status. */
export function isTo(
  { request, result }: Exchange,
  { method, path }: Pick<Operation, 'method' | 'path'>,
  picks: (status: number) => boolean,
): boolean {
  if (result.kind === 'no-response' || request.method !== method || !picks(result.status)) return false;
  const pattern = path.replaceAll('.', '\\.').replace(/\{[^}]+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(new URL(request.url).pathname);
}

function copyPair([name, value]: readonly [string, string]): [string, string] {
  return [name, value];
}

function parseBody(body: Uint8Array): Pick<Mutable, 'bytes' | 'body'> {
  const bytes = new Uint8Array(body);
  try {
    return { bytes, body: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return { bytes, body: undefined };
  }
}

function responseFrom({ status, headers, bytes, body }: Mutable): Exchange['result'] {
  const sent = body === undefined ? bytes : new TextEncoder().encode(JSON.stringify(body));
  return { kind: 'response', status, headers: [...headers], body: sent };
}

/** An optional member or header that was not there could not be made worse. */
function isSame(one: Mutable, other: Mutable): boolean {
  const shown = ({ status, headers, bytes, body }: Mutable): JsonValue => [
    status,
    JSON.stringify([...headers]),
    body ?? new TextDecoder('latin1').decode(bytes),
  ];
  return JSON.stringify(shown(one)) === JSON.stringify(shown(other));
}
