/** TLS settings of a connection. Certificates and keys are PEM text; `ca` adds to the authorities that Node trusts. */
export type TlsSettings = {
  /** Trusted in addition. */
  readonly ca?: string;
  /** The client's certificate and its key. */
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
};

type NodeTls = { getCACertificates(of: 'default'): readonly string[] };

/** The settings as an agent of Node takes them, for which an own list of authorities would replace the one of Node. */
export function tlsOptions({ ca, ...own }: TlsSettings, tls: NodeTls): object {
  return ca === undefined ? own : { ...own, ca: [...tls.getCACertificates('default'), ca] };
}

/** True if a host, as `URL` prints it, is this machine, which is never reached through a proxy. */
export function isThisMachine(hostname: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
