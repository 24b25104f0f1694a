/** What Node's agents read of a proxy. */
const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]);

/** What Node reads to start and to trust certificates. */
const needed = [
  'PATH',
  'SystemRoot',
  'TMPDIR',
  'TEMP',
  'TMP',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  ...proxyNames,
];

const thisMachine = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export type Proxy = {
  /** `HTTPS_PROXY`, or as it is set. */
  readonly variable: string;
  /** Undefined for a text that is no URL. */
  readonly address: URL | undefined;
  /** For agents, which read `NO_PROXY` too. */
  readonly env: NodeJS.ProcessEnv;
};

/** The proxy of the environment for a URL, unless `NO_PROXY` names its host; never for this machine itself. */
export function proxyFor({ protocol, hostname }: URL): Proxy | undefined {
  const { env } = process;
  const name = protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const variable = [name, name.toUpperCase()].find((one) => (env[one] ?? '') !== '');
  if (variable === undefined || thisMachine.test(hostname)) return undefined;
  const address = URL.parse(env[variable] ?? '') ?? undefined;
  // Node goes directly where the proxy speaks anything else.
  if (address !== undefined && !/^https?:$/.test(address.protocol)) return undefined;
  return { variable, address, env };
}

/** The environment of a child process: no credential, whatever it is called, is in it, but for that of a proxy. */
export function childEnvironment(): Record<string, string> {
  const known = needed.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(known.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}
