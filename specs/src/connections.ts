/** TLS settings of a connection. Certificates and keys are PEM text; `ca` adds to the authorities that Node trusts. */
export type TlsSettings = {
  /** Trusted in addition to Node's authorities. */
  readonly ca?: string;
  /** Certificate and key of the client. */
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
};

type NodeTls = { getCACertificates(of: 'default'): readonly string[] };

/** Converts the settings to options of a Node agent. Adds Node's authorities, because the option `ca` replaces them. */
export function tlsOptions({ ca, ...own }: TlsSettings, tls: NodeTls): object {
  return ca === undefined ? own : { ...own, ca: [...tls.getCACertificates('default'), ca] };
}

/** True if a host name (as printed by `URL`) is a loopback address, which is never reached through a proxy. */
export function isThisMachine(hostname: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
