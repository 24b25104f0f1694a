import { isIP } from 'node:net';

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

/** True for a loopback address, with or without the brackets of a URL. Only this machine can reach it, and never through a proxy. */
export function isThisMachine(host: string): boolean {
  return /^(?:localhost|\[?::1\]?)$/.test(host) || (isIP(host) === 4 && host.startsWith('127.'));
}
