/** TLS settings of a connection. Certificates and keys are PEM text. */
export type TlsSettings = {
  /** CA certificates to trust in addition to those that Node trusts. */
  readonly ca?: string;
  /** Certificate and key of the client. */
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
};

type NodeTls = { getCACertificates(of: 'default'): readonly string[] };

/**
 * Converts the settings to options of a Node agent. Adds Node's CA certificates, because the option `ca` replaces them.
 */
export function tlsOptions({ ca, ...own }: TlsSettings, tls: NodeTls): object {
  return ca === undefined ? own : { ...own, ca: [...tls.getCACertificates('default'), ca] };
}

/** True if a host name (as printed by `URL`) is a loopback address, which is never reached through a proxy. */
export function isThisMachine(hostname: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
