import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../../../specs/src/index.ts';
import { hasSucceeded, parseJson, readHeader, readMember } from '../contract/evidence.ts';
import type { CredentialUse, Evidence, Exchange } from '../contract/exchange.ts';
import { modelPath } from '../contract/requests.ts';
import type { LiveModel } from '../contract/target.ts';
import { findRefusal, ownerSettings } from '../requires.ts';

type Seen = { readonly models: readonly LiveModel[]; readonly log: Evidence };

/** Explains why the response to a POST to a configured model is inconclusive for its rule, if it is. */
export function explainInconclusive(
  { expectsRejection }: { readonly expectsRejection: boolean },
  exchange: Exchange,
  { models, log }: Seen,
): string | undefined {
  if (exchange.request.method !== 'POST') return undefined;
  const path = pathOf(exchange);
  const model = models.find(({ id }) => ['', '/requests'].some((tail) => path.endsWith(`${modelPath(id)}${tail}`)));
  if (model === undefined) return undefined;
  const barred = explainForbidden(exchange, path, log);
  return barred ?? (expectsRejection ? undefined : explainNotServed(exchange, model, log));
}

/** Explains that the caller may not use the operation: none of that caller's calls has succeeded in the check. */
function explainForbidden(exchange: Exchange, path: string, log: Evidence): string | undefined {
  const who = readCaller(exchange);
  const [status] = findRefusal(who) ?? [];
  const isCaller = ownerSettings.routerCredentials.some(({ name }) => name === who);
  // Some callers must get a 401 or 403.
  if (!isForbidden(exchange) || !isCaller || status === 401 || status === 403) return undefined;
  // Callers without credits or spend are always rejected, so only calls of `main` show whether the operation is
  // allowed.
  const shownBy = status === undefined ? who : 'main';
  const isAlike = (one: Exchange): boolean => readCaller(one) === shownBy && pathOf(one) === path;
  const calls = log.filter((one) => one.request.method === 'POST' && isAlike(one));
  if (!calls.some(isForbidden) || calls.some(hasSucceeded)) return undefined;
  return `the credential "${who}" may not use POST ${path}, by the 403 of the target`;
}

/** Allowed for any call, because no text guarantees that a provider works. Outages are retried elsewhere. */
const failures: ReadonlySet<string> = new Set(['504 deadline_exceeded', '502 provider_error', '504 provider_timeout']);

/** Explains the failure of a call that should have succeeded. A call under a key with a result is not excused. */
function explainNotServed(exchange: Exchange, model: LiveModel, log: Evidence): string | undefined {
  const { request, result } = exchange;
  if (result.kind === 'no-response') return undefined;
  const key = readHeader(request, 'Idempotency-Key');
  if (key !== undefined && log.some((one) => hasSucceeded(one) && readHeader(one.request, 'Idempotency-Key') === key))
    return undefined;
  const answer = `${result.status} ${String(readMember(result, '/error_type'))}`;
  const text = new TextDecoder().decode(request.body);
  const body = parseJson(text);
  const isBody = (input: JsonObject | undefined): boolean => isDeepStrictEqual(body, input);
  const isText = Object.values(model.texts ?? {}).includes(text);
  const { input, otherInput, strictInput, slowInput, failingInput, rejectedInput, alternate, fallback } = model;
  const given = [
    input,
    otherInput,
    strictInput,
    slowInput,
    failingInput,
    rejectedInput,
    alternate?.input,
    fallback?.input,
  ];
  // A provider may reject inputs that its owner did not configure. Another rule checks the 422 of a conversion.
  if ([400, 422].includes(result.status) && isJsonObject(body) && !isText && !given.some(isBody))
    return `POST ${pathOf(exchange)} was not served: ${answer}, to an input that was made of the one in conform.live.models (otherInput gives another)`;
  const hasOwnOutcome = [failingInput, rejectedInput, slowInput, fallback?.input].some(isBody);
  if (!failures.has(answer) || (hasOwnOutcome && answer !== '504 deadline_exceeded')) return undefined;
  return `POST ${pathOf(exchange)} was not served: ${answer}`;
}

const pathOf = ({ request }: Exchange): string => new URL(request.url).pathname;

function readCaller({ credentials }: Exchange): CredentialUse['who'] {
  return credentials === undefined ? 'main' : (credentials[0]?.who ?? 'empty');
}

function isForbidden({ result }: Exchange): boolean {
  if (result.kind === 'no-response' || result.status !== 403) return false;
  const category = readMember(result, '/error_type');
  return category === 'forbidden' || category === 'not_enabled';
}
