import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import type { NoResponse } from '../contract/probe.ts';
import type { TlsSettings } from '../contract/target.ts';
import { noResponse } from './bodies.ts';

type Connected = (connection: Duplex | Error) => void;

/** Of one origin. A request that follows the response to another takes its connection. */
const keptAtMost = 8;

export type Connections = ReturnType<typeof openConnections>;

/** How a check reaches its servers: directly, or through the proxies of the environment, and with its own TLS settings. */
export function openConnections(settings: TlsSettings = {}) {
  const trusted = withAuthority(settings);
  const keptAgents = new Map<string, http.Agent>();
  const openAgent = (url: URL, options: http.AgentOptions = {}): http.Agent => {
    const { env } = findProxy(url) ?? {};
    const all = env === undefined ? options : { ...options, proxyEnv: env };
    return url.protocol === 'https:' ? new https.Agent({ ...all, ...trusted }) : new http.Agent(all);
  };
  return {
    openAgent: (url: URL) => openAgent(url),
    /** One whose connections are kept, and used again. */
    keepAgent: (url: URL): http.Agent => {
      const agent = keptAgents.get(url.origin) ?? openAgent(url, { keepAlive: true, maxSockets: keptAtMost });
      keptAgents.set(url.origin, agent);
      return agent;
    },
    /** Whether a plain socket leads to the server itself, so that its bytes can be read as it sends them. */
    // A proxy reads and writes plain http itself, and TLS to the proxy cannot be told from TLS to the server.
    isPlain: (url: URL): boolean => {
      const proxy = findProxy(url);
      return proxy === undefined || (url.protocol === 'https:' && proxy.address?.protocol === 'http:');
    },
    /** Opens such a socket, in a tunnel where a proxy stands between. The returned function closes it. */
    connect: (url: URL, connected: Connected): (() => void) => {
      const host = readHost(url);
      if (url.protocol !== 'https:') {
        const socket = net.connect({ host, port: Number(url.port || 80) });
        connected(socket);
        return () => socket.destroy();
      }
      const name = net.isIP(host) === 0 ? { servername: host } : {};
      const place = { host, port: Number(url.port || 443), ...name, ...trusted };
      const socket = openAgent(url).createConnection(place, (error, tunnel) => connected(error ?? tunnel));
      // In front of a tunnel it is a socket to the proxy, and the callback above gets the one to the server.
      if (socket instanceof tls.TLSSocket) connected(socket);
      return () => socket?.destroy();
    },
  };
}

const thisMachine = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

type Proxy = {
  /** `HTTPS_PROXY`, or as it is set. */
  readonly variable: string;
  /** Undefined for a text that is no URL. */
  readonly address: URL | undefined;
  /** For agents, which read `NO_PROXY` too. */
  readonly env: NodeJS.ProcessEnv;
};

/** The proxy of the environment for a URL, unless `NO_PROXY` names its host; never for this machine itself. */
function findProxy({ protocol, hostname }: URL): Proxy | undefined {
  const { env } = process;
  const name = protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const variable = [name, name.toUpperCase()].find((one) => (env[one] ?? '') !== '');
  if (variable === undefined || thisMachine.test(hostname)) return undefined;
  const address = URL.parse(env[variable] ?? '') ?? undefined;
  // Node goes directly where the proxy speaks anything else.
  if (address !== undefined && !/^https?:$/.test(address.protocol)) return undefined;
  return { variable, address, env };
}

/** URL keeps the brackets of an IPv6 address; sockets do not accept them. */
export function readHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

// An own list of authorities replaces the one of Node.
function withAuthority({ ca, ...own }: TlsSettings): TlsSettings | (Omit<TlsSettings, 'ca'> & { ca: string[] }) {
  return ca === undefined ? own : { ...own, ca: [...tls.getCACertificates('default'), ca] };
}

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
export function describeFailure(error: Error, url: URL): NoResponse {
  const code = 'code' in error ? String(error.code) : '';
  const proxy = findFailedProxy(error, url);
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
function findFailedProxy(error: Error, url: URL): string | undefined {
  const { variable, address } = findProxy(url) ?? {};
  const { code, port: failedPort, hostname }: { code?: unknown; port?: unknown; hostname?: unknown } = Object(error);
  if (code === 'ERR_PROXY_TUNNEL' || code === 'ERR_PROXY_INVALID_CONFIG') return variable;
  if (address === undefined) return undefined;
  const port = address.port || (address.protocol === 'https:' ? '443' : '80');
  const isProxy = hostname === readHost(address) || (String(failedPort) === port && url.port !== port);
  return isProxy ? variable : undefined;
}
