import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../../specs/src/index.ts';
import { hasSucceeded, parseJson, readHeader, readMember } from '../contract/evidence.ts';
import type { CredentialUse, Evidence, Exchange } from '../contract/exchange.ts';
import { modelPath } from '../contract/requests.ts';
import type { LiveModel } from '../contract/target.ts';
import { findRefusal, ownerSettings } from '../requires.ts';

/** Returns why the response to a POST to a configured model is inconclusive for its rule; undefined if it is conclusive. */
export function explainInconclusive(
  { expectsRejection }: { readonly expectsRejection: boolean },
  exchange: Exchange,
  models: readonly LiveModel[],
  log: Evidence,
): string | undefined {
  if (exchange.request.method !== 'POST') return undefined;
  const path = readPath(exchange);
  const model = models.find(({ id }) => ['', '/requests'].some((tail) => path.endsWith(`${modelPath(id)}${tail}`)));
  if (model === undefined) return undefined;
  const forbidden = explainForbidden(exchange, path, log);
  return forbidden ?? (expectsRejection ? undefined : explainNotServed(exchange, model, log));
}

/** Explains that the caller may not use the operation. Returns undefined if one of the caller's calls has succeeded. */
function explainForbidden(exchange: Exchange, path: string, log: Evidence): string | undefined {
  const who = readCaller(exchange);
  const [status] = findRefusal(who) ?? [];
  const isCaller = ownerSettings.routerCredentials.some(({ name }) => name === who);
  // For callers that must get a 401 or 403, the response is conclusive.
  if (!isForbidden(exchange) || !isCaller || status === 401 || status === 403) return undefined;
  // Callers without credits or spend are always rejected, so only calls of `main` show whether the operation is
  // allowed.
  const reference = status === undefined ? who : 'main';
  const isAlike = (one: Exchange): boolean => readCaller(one) === reference && readPath(one) === path;
  const calls = log.filter((one) => one.request.method === 'POST' && isAlike(one));
  if (!calls.some(isForbidden) || calls.some(hasSucceeded)) return undefined;
  return `the credential "${who}" may not use POST ${path}: the target returned 403`;
}

/** Failures that any call may have, because a provider may fail at any time. Outages of the router are retried (send.ts). */
const failures: ReadonlySet<string> = new Set(['504 deadline_exceeded', '502 provider_error', '504 provider_timeout']);

/**
 * Explains why a call that should have succeeded failed. Returns undefined if an earlier call with the same key
 * succeeded: then the failure is a finding.
 */
function explainNotServed(exchange: Exchange, model: LiveModel, log: Evidence): string | undefined {
  const { request, result } = exchange;
  if (result.kind === 'no-response') return undefined;
  const key = readHeader(request, 'Idempotency-Key');
  if (key !== undefined && log.some((one) => hasSucceeded(one) && readHeader(one.request, 'Idempotency-Key') === key))
    return undefined;
  const answer = `${result.status} ${String(readMember(result, '/error_type'))}`;
  const text = new TextDecoder().decode(request.body);
  const body = parseJson(text);
  const isBody = (input: unknown): boolean => isDeepStrictEqual(body, input);
  const isText = Object.values(model.texts ?? {}).includes(text);
  const { slowInput, failingInput, rejectedInput, alternate, fallback } = model;
  const inputs = ownerSettings.inputs.map(({ name }): unknown => Reflect.get(model, name));
  const configuredInputs = [...inputs, alternate?.input, fallback?.input];
  // A provider may reject inputs that the owner did not configure. A different rule checks the 422 of a conversion.
  if ([400, 422].includes(result.status) && isJsonObject(body) && !isText && !configuredInputs.some(isBody))
    return `POST ${readPath(exchange)} failed with ${answer} for an input that was derived from the one in conform.live.models (set otherInput to use a different one)`;
  const hasOwnOutcome = [failingInput, rejectedInput, slowInput, fallback?.input].some(isBody);
  if (!failures.has(answer) || (hasOwnOutcome && answer !== '504 deadline_exceeded')) return undefined;
  return `POST ${readPath(exchange)} failed with ${answer}`;
}

const readPath = ({ request }: Exchange): string => new URL(request.url).pathname;

function readCaller({ credentials }: Exchange): CredentialUse['who'] {
  return credentials === undefined ? 'main' : (credentials[0]?.who ?? 'empty');
}

function isForbidden({ result }: Exchange): boolean {
  if (result.kind === 'no-response' || result.status !== 403) return false;
  const category = readMember(result, '/error_type');
  return category === 'forbidden' || category === 'not_enabled';
}
