import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { GenerateConfig, TlsSettings } from '../../generator/src/index.ts';
import type { LoadedConfig } from './config.ts';
import { toMessage, UsageError } from './errors.ts';
import type { CommandIo } from './io.ts';
import type { RouterCredential } from './settings.ts';

/** Headers that the client sends itself, or that belong to a single connection. */
const own = new Set([
  ...['accept', 'accept-encoding', 'connection', 'content-length', 'host', 'if-none-match', 'keep-alive', 'te'],
  ...['trailer', 'transfer-encoding', 'upgrade', 'proxy-authorization', 'proxy-connection'],
]);

/** A header of the configuration; `variable` is the environment variable that holds its value. */
type GatewayHeader = {
  readonly name: string;
  readonly value: string;
  readonly isSecret: boolean;
  readonly variable?: string;
};

/**
 * The headers of `http.headers`, for what stands in front of the services. `taken` are names that the requests have already.
 * Throws UsageError for what no request can carry, and for a secret that cannot be read.
 */
export async function gatewayHeaders(
  { config }: Pick<LoadedConfig, 'config'>,
  taken: readonly string[],
  io: CommandIo,
): Promise<readonly GatewayHeader[]> {
  const headers: GatewayHeader[] = [];
  for (const [given, text] of Object.entries(config.http?.headers ?? {})) {
    const name = given.toLowerCase();
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || own.has(name) || taken.includes(name))
      throw new UsageError(`http.headers: ${JSON.stringify(given)} is no header that may be added`);
    const setting = `http.headers: ${name}`;
    const value = isSource(text) ? await neededSecret(text, setting, io) : text;
    if (!/^[\t\x20-\x7e]+$/.test(value))
      throw new UsageError(`http.headers: the value of ${name} holds characters that a header cannot carry`);
    const variable = text.startsWith('env:') ? { variable: text.slice('env:'.length) } : {};
    headers.push({ name, value, isSecret: isSource(text), ...variable });
  }
  return headers;
}

/** The same for the generator, whose own header is that of the credential. */
export async function generatorHeaders(
  loaded: Pick<LoadedConfig, 'config'>,
  credential: RouterCredential,
  io: CommandIo,
): Promise<Required<Pick<GenerateConfig, 'headers' | 'secrets'>>> {
  const found = await gatewayHeaders(loaded, [credential.kind === 'api-key' ? 'x-api-key' : 'authorization'], io);
  return {
    headers: Object.fromEntries(found.map(({ name, value }) => [name, value])),
    secrets: found.flatMap(({ value, isSecret }) => (isSecret ? [value] : [])),
  };
}

// Loaded when a setting asks for it: it can start a program, which the built command does for few settings.
async function neededSecret(text: string, setting: string, io: CommandIo): Promise<string> {
  return (await import('./secrets.ts')).neededSecret(text, setting, io);
}

const isSource = (text: string): boolean => /^(?:env|command):/.test(text);

/** The TLS settings of `http`; undefined where it names no certificate. Throws UsageError. */
export async function tlsOf({ config, folder }: LoadedConfig, io: CommandIo): Promise<TlsSettings | undefined> {
  const { ca, cert, key, passphrase } = config.http ?? {};
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError('a client certificate needs both http.cert and http.key');
  const read: Record<string, string> = {};
  for (const [name, file] of Object.entries({ ca, cert, key })) {
    if (file === undefined) continue;
    const setting = `http.${name}`;
    const path = isSource(file) ? await neededSecret(file, setting, io) : file;
    read[name] = readPem(setting, resolve(folder, path));
  }
  if (Object.keys(read).length === 0) return undefined;
  const secret = passphrase === undefined ? {} : { passphrase: await neededSecret(passphrase, 'http.passphrase', io) };
  const settings = { ...read, ...secret };
  requireUsable(settings);
  return settings;
}

// The platform would refuse them at the first request, as if the server were at fault.
function requireUsable(settings: TlsSettings): void {
  const { createSecureContext } = process.getBuiltinModule('node:tls'); // few have settings for it
  try {
    createSecureContext(settings);
  } catch (cause) {
    throw new UsageError(`http.ca, http.cert, http.key: they cannot be used together: ${toMessage(cause)}`, { cause });
  }
}

function readPem(setting: string, file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    if (text.includes('-----BEGIN ')) return text;
  } catch (cause) {
    throw new UsageError(`${setting}: ${file} cannot be read: ${toMessage(cause)}`, { cause });
  }
  throw new UsageError(`${setting}: ${file} holds no PEM text`);
}
