/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** Returns why an address is refused; undefined if it is allowed. */
export function explainAddress(address, { allowHttp, allowPrivate }) {
    if (!URL.canParse(address))
        return 'the address cannot be read';
    const { protocol, username, password, hostname } = new URL(address);
    if (protocol !== 'https:' && !(protocol === 'http:' && allowHttp))
        return `an address of ${protocol} is not downloaded; allowHttp permits http, and never after https`;
    if (`${username}${password}` !== '')
        return 'an address with a user name is not downloaded';
    if (isPrivate(hostname) && !allowPrivate)
        return `${hostname} is an address of this machine or of a private network; allowPrivate permits it`;
    return undefined;
}
/** Names of this machine, of this network (without a dot), and of domains that are not public. */
const privateNames = /^[^.]+\.?$|\.(localhost|local|localdomain|internal|lan|home|corp|intranet|private|svc|home\.arpa)\.?$/;
/** This network, private, shared, loopback, link-local, protocol and test addresses, multicast and reserved. */
const privateIpv4 = /^(0|10|127)\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\.|^192\.(168|0\.0)\.|^198\.1[89]\.|^(22[4-9]|2[3-5]\d)\./;
/** Global addresses, without 2002::/16 and 2001::/23, which can lead to any IPv4 address, and those for examples. */
const publicIpv6 = /^\[(?!2002:|2001:(?:1?[\da-f]{0,2}|db8):|3fff:)[23][\da-f]{3}:/;
/** `host` is normalised by `URL`: an IPv4 address has four decimal numbers, however it was written. */
function isPrivate(host) {
    return host.startsWith('[') ? !publicIpv6.test(host) : privateNames.test(host) || privateIpv4.test(host);
}
