import type { NoResponse } from '../contract/probe.ts';
import { findProxy, hostOf } from './connections.ts';
import { noResponse } from './content-coding.ts';

const reasons: readonly (readonly [RegExp, NoResponse['because']])[] = [
  [/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/, 'refused'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'unresolved'],
  [/^(?:CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO|ERR_OSSL)/, 'tls'],
  [/^HPE_/, 'malformed'],
];

/** What is wrong with a TLS connection, by the code of Node, with the message of OpenSSL behind it. */
const distrust: readonly (readonly [RegExp, string])[] = [
  [/^DEPTH_ZERO_SELF_SIGNED_CERT/, 'its certificate is self-signed'],
  [
    /^UNABLE_TO_VERIFY_LEAF_SIGNATURE/,
    'the authority of its certificate is unknown here, or it does not send the whole chain',
  ],
  [/^(?:SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/, 'the authority of its certificate is unknown here'],
  [/^CERT_HAS_EXPIRED/, 'its certificate has expired, or the clock here is wrong'],
  [/^CERT_NOT_YET_VALID/, 'its certificate is not valid yet, or the clock here is wrong'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID/, 'its certificate is for another host name'],
  [/certificate.required|alert.handshake.failure/i, 'it wants a client certificate (http.cert, http.key)'],
  [/alert.(?:unknown.ca|bad.certificate|certificate)/i, 'it refuses the client certificate'],
  [/wrong.version.number|packet.length.too.long/i, 'there is no TLS at this port: is it http?'],
];

/** Why a connection to a URL, or the response on it, came to nothing. */
export function failureOf(error: Error, url: URL): NoResponse {
  const code = 'code' in error ? String(error.code) : '';
  const proxy = failedProxy(error, url);
  // The message of the platform repeats the address, which may hold a password.
  const problem = code === 'ERR_PROXY_INVALID_CONFIG' ? 'its address is no URL' : error.message;
  if (proxy !== undefined) return noResponse('proxy', `${code}: ${problem}, at the proxy of ${proxy}`);
  const because = reasons.find(([pattern]) => pattern.test(code))?.[1] ?? 'reset';
  const said = `${code} ${error.message}`;
  const known = because === 'tls' ? distrust.find(([pattern]) => pattern.test(said))?.[1] : undefined;
  if (known !== undefined) return noResponse(because, `${known}: ${code}`);
  return noResponse(because, error.message.includes(code) ? error.message : `${code}: ${error.message}`);
}

/** The variable of the proxy that a connection failed at, which may stand between without having failed. */
function failedProxy(error: Error, url: URL): string | undefined {
  const { variable, address } = findProxy(url) ?? {};
  const { code, port: failedPort, hostname }: { code?: unknown; port?: unknown; hostname?: unknown } = Object(error);
  if (code === 'ERR_PROXY_TUNNEL' || code === 'ERR_PROXY_INVALID_CONFIG') return variable;
  if (address === undefined) return undefined;
  const port = address.port || (address.protocol === 'https:' ? '443' : '80');
  const isProxy = hostname === hostOf(address) || (String(failedPort) === port && url.port !== port);
  return isProxy ? variable : undefined;
}
