import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import type { TlsSettings } from '../contract/target.ts';

type Connected = (connection: Duplex | Error) => void;

/** How a run reaches its servers: directly, or through the proxies of the environment, and with its own TLS settings. */
export type Connections = {
  /** Keeps no connection unless `options` say so. */
  agentFor(url: URL, options?: http.AgentOptions): http.Agent;
  /** Whether a plain socket leads to the server itself, so that its bytes can be read as it sends them. */
  isPlain(url: URL): boolean;
  /** Opens such a socket, in a tunnel where a proxy stands between. The returned function closes it. */
  connect(url: URL, connected: Connected): () => void;
};

export function openConnections(settings: TlsSettings = {}): Connections {
  const trusted = withAuthority(settings);
  const agentFor = (url: URL, options: http.AgentOptions = {}): http.Agent => {
    const { env } = findProxy(url) ?? {};
    const all = env === undefined ? options : { ...options, proxyEnv: env };
    return url.protocol === 'https:' ? new https.Agent({ ...all, ...trusted }) : new http.Agent(all);
  };
  return {
    agentFor,
    // A proxy reads and writes plain http itself, and TLS to the proxy cannot be told from TLS to the server.
    isPlain: (url) => {
      const proxy = findProxy(url);
      return proxy === undefined || (url.protocol === 'https:' && proxy.address?.protocol === 'http:');
    },
    connect: (url, connected) => {
      const host = hostOf(url);
      if (url.protocol !== 'https:') {
        const socket = net.connect({ host, port: Number(url.port || 80) });
        connected(socket);
        return () => socket.destroy();
      }
      const name = net.isIP(host) === 0 ? { servername: host } : {};
      const place = { host, port: Number(url.port || 443), ...name, ...trusted };
      const socket = agentFor(url).createConnection(place, (error, tunnel) => connected(error ?? tunnel));
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
export function findProxy({ protocol, hostname }: URL): Proxy | undefined {
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
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

// An own list of authorities replaces the one of Node.
function withAuthority({ ca, ...own }: TlsSettings): TlsSettings | (Omit<TlsSettings, 'ca'> & { ca: string[] }) {
  return ca === undefined ? own : { ...own, ca: [...tls.getCACertificates('default'), ca] };
}
