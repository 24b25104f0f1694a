import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { GenerateConfig, TlsSettings } from '../../generator/src/index.ts';
import type { LoadedConfig } from './config.ts';
import { UsageError } from './errors.ts';
import type { CommandIo } from './io.ts';
import { type RouterCredential, resolveValue } from './settings.ts';

/** Headers that the client sends itself, or that belong to a single connection. */
const own = new Set([
  ...['accept', 'accept-encoding', 'connection', 'content-length', 'host', 'if-none-match', 'keep-alive', 'te'],
  ...['trailer', 'transfer-encoding', 'upgrade', 'proxy-authorization', 'proxy-connection'],
]);

/** The headers of the configuration, for what stands in front of the router. Throws UsageError for what no request can carry. */
export function gatewayHeaders(
  { config }: LoadedConfig,
  credential: RouterCredential,
  env: CommandIo['env'],
): Required<Pick<GenerateConfig, 'headers' | 'secrets'>> {
  const taken = credential.kind === 'api-key' ? 'x-api-key' : 'authorization';
  const secrets: string[] = [];
  const headers = Object.entries(config.http?.headers ?? {}).map(([given, text]) => {
    const name = given.toLowerCase();
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || own.has(name) || name === taken)
      throw new UsageError(`http.headers: ${JSON.stringify(given)} is no header that may be added`);
    const { value, isSecret } = resolveValue(text, env);
    if (!/^[\t\x20-\x7e]+$/.test(value))
      throw new UsageError(`http.headers: the value of ${name} holds characters that a header cannot carry`);
    if (isSecret) secrets.push(value);
    return [name, value] as const;
  });
  return { headers: Object.fromEntries(headers), secrets };
}

/** Undefined where the configuration names no certificate. */
export function tlsOf({ config, folder }: LoadedConfig, env: CommandIo['env'] = process.env): TlsSettings | undefined {
  const { ca, cert, key, passphrase } = config.http ?? {};
  if ((cert === undefined) !== (key === undefined))
    throw new UsageError('a client certificate needs both http.cert and http.key');
  const files = Object.entries({ ca, cert, key }).flatMap(([name, file]) =>
    file === undefined ? [] : [[name, readPem(name, resolve(folder, resolveValue(file, env).value))] as const],
  );
  if (files.length === 0) return undefined;
  const secret = passphrase === undefined ? {} : { passphrase: resolveValue(passphrase, env).value };
  return { ...Object.fromEntries(files), ...secret };
}

function readPem(name: string, file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    if (text.includes('-----BEGIN ')) return text;
  } catch (cause) {
    throw new UsageError(`http.${name}: ${file} cannot be read`, { cause });
  }
  throw new UsageError(`http.${name}: ${file} holds no PEM text`);
}
