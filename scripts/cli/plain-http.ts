import { BlockList, isIP } from 'node:net';
import { UsageError } from './errors.ts';

/** Networks that the public internet does not carry. */
const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16], // link-local
  ['100.64.0.0', 10], // behind a carrier's translation
  ['0.0.0.0', 32],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 127], // unspecified and loopback
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv6');

/** Names that public DNS does not resolve: reserved ones, and those of a single label. */
const privateName = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$|^[^.]+$/;

/**
 * Throws `UsageError` when a credential would go to a public host over plain http and nobody asked for that. `url` is absolute.
 * Names are not resolved.
 */
export function refusePlainHttp(url: string, allowHttp: boolean | undefined): void {
  const { protocol, hostname } = new URL(url);
  if (allowHttp === true || protocol !== 'http:' || isPrivate(hostname.replace(/\.$/, ''))) return;
  throw new UsageError(
    `${url} is plain http on a public host, where others can read the credential: use https, or add --allow-http`,
  );
}

function isPrivate(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  const version = isIP(address);
  return version === 0 ? privateName.test(address) : privateNetworks.check(address, version === 6 ? 'ipv6' : 'ipv4');
}
