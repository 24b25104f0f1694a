import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { promisify } from 'node:util';
import type { Target } from '../../contract-tests/src/index.ts';
import type { GenerateConfig } from '../../generator/src/index.ts';
import type { TlsSettings } from '../../specs/src/index.ts';
import { toMessage, UsageError } from './errors.ts';
import type { CommandIo } from './io.ts';
import type { SwitchyardConfig } from './settings.ts';

// Access to the services: credentials, headers for gateways, certificates, and a guard against plain http.

/** The settings of `http`, and the folder that their paths are relative to. */
type HttpSettings = { readonly config: Pick<SwitchyardConfig, 'http'>; readonly folder: string };

export type RouterCredential = { readonly kind: 'api-key' | 'bearer'; readonly value: string };

/**
 * Returns the router's credential from the environment. An API key takes precedence over a token, as in the router
 * (MR-AUT-05).
 */
export function readRouterCredential(env: CommandIo['env']): RouterCredential | undefined {
  const key = readHeaderValue('SWITCHYARD_API_KEY', env);
  if (key !== undefined) return { kind: 'api-key', value: key };
  const token = readHeaderValue('SWITCHYARD_TOKEN', env);
  return token === undefined ? undefined : { kind: 'bearer', value: token };
}

export function readWorkflowToken(env: CommandIo['env']): string | undefined {
  return readHeaderValue('SWITCHYARD_WORKFLOW_TOKEN', env);
}

// Rejects characters that a header cannot contain, without showing the secret.
function readHeaderValue(name: string, env: CommandIo['env']): string | undefined {
  const value = env[name] || undefined;
  if (value !== undefined && !/^[\x21-\x7e]+$/.test(value))
    throw new UsageError(`${name} contains characters that are not allowed in a header: remove spaces and line breaks`);
  return value;
}

/** Headers that the client sends itself, or that belong to a single connection. */
const reservedHeaders = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'if-none-match',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'proxy-authorization',
  'proxy-connection',
]);

type GatewayHeader = NonNullable<Target['headers']>[number];

/**
 * Reads the headers of `http.headers`, for gateways in front of the services. `usedNames`: names of headers that requests
 * already have. Throws UsageError for a header that cannot be sent, and for a secret that cannot be read.
 */
export async function readGatewayHeaders(
  { config }: HttpSettings,
  usedNames: readonly string[],
  io: CommandIo,
): Promise<readonly GatewayHeader[]> {
  const headers: GatewayHeader[] = [];
  for (const [writtenName, text] of Object.entries(config.http?.headers ?? {})) {
    const name = writtenName.toLowerCase();
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || reservedHeaders.has(name) || usedNames.includes(name))
      throw new UsageError(
        `http.headers: ${JSON.stringify(writtenName)} cannot be added: requests already set this header, or it is not a valid name`,
      );
    const setting = `http.headers: ${name}`;
    const value = isSource(text) ? await readRequiredSecret(text, setting, io) : text;
    if (!/^[\t\x20-\x7e]+$/.test(value))
      throw new UsageError(`http.headers: the value of ${name} contains characters that are not allowed in a header`);
    if (isSource(text)) io.registerSecret(value, name);
    const variable = text.startsWith('env:') ? { variable: text.slice('env:'.length) } : {};
    headers.push({ name, value, isSecret: isSource(text), ...variable });
  }
  return headers;
}

/** Reads the headers of `http.headers` for the generator, whose requests only set the credential header themselves. */
export async function readGeneratorHeaders(
  loaded: HttpSettings,
  credential: RouterCredential | undefined,
  io: CommandIo,
): Promise<Pick<GenerateConfig, 'headers' | 'secrets'>> {
  const ownHeader = credential?.kind === 'api-key' ? 'x-api-key' : 'authorization';
  const headers = await readGatewayHeaders(loaded, [ownHeader], io);
  return { headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])), secrets: io.secrets() };
}

const isSource = (text: string): boolean => /^(?:env|command):/.test(text);

/** Returns the TLS settings of `http`; undefined if there are none. Throws UsageError. */
export async function readTls({ config, folder }: HttpSettings, io: CommandIo): Promise<TlsSettings | undefined> {
  const { ca, cert, key, passphrase } = config.http ?? {};
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError('a client certificate needs both http.cert and http.key');
  const tls: Record<string, string> = {};
  for (const [name, file] of Object.entries({ ca, cert, key })) {
    if (file === undefined) continue;
    // The value may be the key itself, so don't repeat it in the message.
    if (file.includes('-----BEGIN '))
      throw new UsageError(`http.${name} must be the path of a PEM file, not the PEM text itself`);
    const path = resolve(folder, file);
    try {
      const pem = readFileSync(path, 'utf8');
      tls[name] = name === 'key' ? io.registerSecret(pem) : pem;
    } catch (cause) {
      throw new UsageError(`http.${name}: ${path} cannot be read: ${toMessage(cause)}`, { cause });
    }
    if (!tls[name]?.includes('-----BEGIN ')) throw new UsageError(`http.${name}: ${path} is not a PEM file`);
  }
  if (Object.keys(tls).length === 0) return undefined;
  if (passphrase !== undefined) tls['passphrase'] = await readRequiredSecret(passphrase, 'http.passphrase', io);
  try {
    // Otherwise Node would only fail at the first request, with a misleading message about the server.
    createSecureContext(tls);
    return tls;
  } catch (cause) {
    const because = toMessage(cause);
    throw new UsageError(`http.ca, http.cert and http.key don't form a valid TLS configuration: ${because}`, { cause });
  }
}

const commandMs = 10_000;
const longestSecret = 16_384;

/**
 * Reads the secret that a setting refers to. `env:NAME`: an environment variable. `command:PROGRAM ARGUMENT…`: the
 * output of a program, which runs without a shell for at most ten seconds. `setting`: its path in the configuration.
 * Returns undefined for a variable that is not set. Throws `UsageError`; its message never contains a value.
 */
export async function readSecret(source: string, setting: string, io: CommandIo): Promise<string | undefined> {
  const rest = source.slice(source.indexOf(':') + 1);
  const value = source.startsWith('env:') ? io.env[rest] : await runForSecret(rest, setting, io);
  if (value === undefined || value === '') return undefined;
  // A header cannot contain other characters.
  if (!/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(value) || value.length > longestSecret)
    throw new UsageError(
      `${setting}: the value contains characters that are not allowed in a header, or more than ${longestSecret} characters`,
    );
  return io.registerSecret(value);
}

async function runForSecret(command: string, setting: string, io: CommandIo): Promise<string> {
  const [program = '', ...args] = command.trim().split(/\s+/);
  const options = { cwd: io.workingFolder, env: { ...io.env }, windowsHide: true };
  const limits = { timeout: commandMs, killSignal: 'SIGKILL', maxBuffer: longestSecret } as const;
  let reason = 'printed nothing';
  try {
    const { stdout } = await promisify(execFile)(program, args, { ...options, ...limits });
    if (stdout.trim() !== '') return stdout.trim();
  } catch (error) {
    const { killed, code } = error as { killed?: boolean; code?: string | number };
    reason = `failed with ${code ?? 'an error'}`;
    if (code === 'ENOENT') reason = 'was not found';
    else if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') reason = `printed more than ${longestSecret} bytes`;
    else if (killed === true) reason = `took more than ${commandMs / 1000} s`;
  }
  // Don't show the output and arguments of the program, which may contain the secret.
  throw new UsageError(`${setting}: ${program} ${reason}`);
}

/** Reads a required secret. Also throws `UsageError` for a variable that is not set. */
export async function readRequiredSecret(source: string, setting: string, io: CommandIo): Promise<string> {
  const value = await readSecret(source, setting, io);
  if (value !== undefined) return value;
  throw new UsageError(`${setting}: the environment variable ${source.slice('env:'.length)} is not set`);
}

/** Networks outside of the public internet: loopback, private, link-local and carrier-grade NAT. */
const privateNetworks = new BlockList();
for (const [address, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
  ['0.0.0.0', 32],
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateNetworks.addSubnet(address, prefix, findAddressFamily(address));

function findAddressFamily(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Host names that public DNS does not resolve: reserved names and names with a single label. */
const privateName = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$|^[^.]+$/;

/**
 * Throws `UsageError` if a credential would be sent to a public host over plain http without --allow-http. `url` must
 * be absolute. Doesn't resolve names.
 */
export function refusePlainHttp(url: string, allowHttp: boolean | undefined): void {
  const { protocol, hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  const isPrivate = isIP(host) === 0 ? privateName.test(host) : privateNetworks.check(host, findAddressFamily(host));
  if (allowHttp === true || protocol !== 'http:' || isPrivate) return;
  throw new UsageError(
    `${url} is plain http on a public host, so the credential could be read in transit: use https, or add --allow-http`,
  );
}
