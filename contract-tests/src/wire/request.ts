import { SetupFailure } from '../contract/endings.ts';
import type { CredentialUse, RawHeaders, RequestBody, ScenarioRequest, WireRequest } from '../contract/exchange.ts';
import { type ApiName, findScheme, type Target } from '../contract/target.ts';

/** Not a secret, and not valid at any target. */
const wrongCredential = 'switchyard-wrong-credential-0000000000';

/** Builds the request to send. Only this function puts credential values into a request. */
export function prepareRequest(target: Target, wanted: ScenarioRequest): WireRequest {
  const settings = target[wanted.api];
  if (settings === undefined) throw new SetupFailure(`the target has no ${wanted.api} API`);
  const url = resolveUrl(settings.url, wanted.to);
  // The workflow API may allow anonymous calls (section 5 of its text), so no token is sent unless one is configured.
  const isAnonymous = wanted.api === 'workflow' && settings.credentials.main === undefined;
  const { credentials = isAnonymous ? [] : [{ as: 'usual', who: 'main' } as const], body } = wanted;
  const isTyped = wanted.headers?.some(([name]) => name.toLowerCase() === 'content-type') === true;
  const type = body?.kind === 'json' ? 'application/json' : body?.mediaType;
  const headers: RawHeaders = [
    ...(target.headers ?? []).map(({ name, value }) => [name, value] as const),
    ...(wanted.headers ?? []),
    ...credentials.map(({ as, who }) => {
      const value = readCredential(target, wanted.api, who);
      const usual = wanted.api === 'router' && target.router ? findScheme(target.router, value) : 'bearer';
      const isKey = (as === 'usual' ? usual : as) === 'api-key';
      return isKey ? (['X-API-Key', value] as const) : (['Authorization', `Bearer ${value}`] as const);
    }),
    ...(isTyped || type === undefined ? [] : [['Content-Type', type] as const]),
    ...(target.kind === 'mock' && wanted.prefer !== undefined ? [['Prefer', `code=${wanted.prefer}`] as const] : []),
  ];
  return { method: wanted.method, url, headers, body: encodeBody(body, target) };
}

function readCredential(target: Target, api: ApiName, who: CredentialUse['who']): string {
  if (who === 'wrong') return wrongCredential;
  if (who === 'empty') return '';
  const name = who === 'lengthened' || who === 'shortened' || who === 'recased' ? 'main' : who;
  const value = target[api]?.credentials[name];
  if (value === undefined) throw new SetupFailure(`no ${api} credential "${name}" is configured`);
  if (who === 'shortened') return value.slice(0, -1);
  const capitals = value.toUpperCase();
  // The changed credential must differ from the real one, so one without lowercase letters gets an extra character instead.
  if (who === 'recased' && capitals !== value) return capitals;
  return who === name ? value : `${value}0`;
}

function encodeBody(body: RequestBody | undefined, { budget }: Target): Uint8Array | undefined {
  if (body === undefined || body.kind === 'bytes') return body?.bytes;
  const texts = (budget?.models ?? []).flatMap((model) =>
    Object.entries(model.texts ?? {}).filter(([name]) => Reflect.get(model, name) === body.value),
  );
  return new TextEncoder().encode(texts[0]?.[1] ?? JSON.stringify(body.value));
}

const maxUrlLength = 8_192; // Servers accept this length. Limited, because a report contains the URL of every exchange.

/**
 * Resolves a path below the base URL, unchanged, or a URL from a response. If a URL has a different origin (a proxy in
 * front of the target, an example of a mock), only its path is used, below the base URL, so requests never leave the
 * target.
 */
export function resolveUrl(baseUrl: string, to: string): string {
  if (to.length > maxUrlLength) throw new SetupFailure(`a URL of ${to.length} characters is too long to request`);
  const base = baseUrl.replace(/\/+$/, '');
  if (to.startsWith('/')) return base + to;
  const followed = new URL(to);
  const parsedBase = new URL(base);
  const hasSameOrigin = followed.origin === parsedBase.origin && followed.username === '' && followed.password === '';
  if (hasSameOrigin) return followed.href;
  const prefix = parsedBase.pathname.replace(/\/+$/, '');
  const path = followed.pathname + followed.search;
  return prefix !== '' && path.startsWith(`${prefix}/`) ? parsedBase.origin + path : base + path;
}
