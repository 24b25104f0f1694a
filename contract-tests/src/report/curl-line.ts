import type { Redactor } from '../../../specs/src/index.ts';
import { readHeader } from '../contract/evidence.ts';
import type { ApiName, Target } from '../contract/target.ts';
import type { BodyRecord, ExchangeRecord, ShellHeader } from './report.ts';

const credentialHeaders = /^(?:authorization|x-api-key)$/i;

type Shell = {
  readonly target: Target;
  readonly redact: Redactor;
  readonly redactHeader: (name: string, value: string) => string;
};

/** Returns shell arguments, without secrets, for gateway headers and for headers that reports redact. */
export function shellHeaders(
  headers: readonly (readonly [string, string])[],
  api: ApiName,
  { target, redact, redactHeader }: Shell,
): readonly ShellHeader[] {
  const gateway = target.headers ?? [];
  const isForGateway = (name: string): boolean => gateway.some((one) => one.name.toLowerCase() === name.toLowerCase());
  const forms = Object.entries(target[api]?.credentials ?? {}).flatMap(([name, credential]) =>
    listForms(credential, credentialVariable(target, api, name)),
  );
  const write = (name: string, value: string): string | undefined => {
    const [text, written] = forms.find(([one]) => value === one || value === `Bearer ${one}`) ?? [];
    if (written !== undefined) return `${value === text ? '' : 'Bearer '}${written}`;
    // Recorded traffic has no configured credentials, so each of its credentials may be a secret.
    const isSecret = credentialHeaders.test(name)
      ? target[api]?.credentials.main === undefined
      : redactHeader(name, value) !== value;
    return isSecret || redact(value) !== value ? `\${${headerVariable(name)}}` : undefined;
  };
  return [
    ...gateway.map(({ name, variable }) => ({
      header: name,
      argument: `"${name}: \${${headerVariable(name, variable)}}"`,
    })),
    ...headers.flatMap(([header, value]) => {
      if (isForGateway(header) || !headerNamePattern.test(header)) return [];
      const written = write(header, value);
      if (written !== undefined) return { header, argument: `"${header}: ${written}"` };
      // A made-up credential is not a secret, but the recorded headers redact it too.
      return credentialHeaders.test(header) ? { header, argument: quoteHeader(header, value) } : [];
    }),
  ];
}

const headerNamePattern = /^[\w.-]+$/;
const variablePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Returns the configured variable, or else a name such as `SWITCHYARD_API_KEY` or `SWITCHYARD_ROUTER_COLLEAGUE`. */
function credentialVariable(target: Target, api: ApiName, name: string): string {
  const configured = target.variables?.[api]?.[name];
  if (configured !== undefined && variablePattern.test(configured)) return configured;
  if (name === 'main' && api === 'workflow') return 'SWITCHYARD_WORKFLOW_TOKEN';
  if (name === 'main') return target.router?.scheme === 'bearer' ? 'SWITCHYARD_TOKEN' : 'SWITCHYARD_API_KEY';
  return `SWITCHYARD_${api.toUpperCase()}_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** Returns the configured variable, or else a name such as `SWITCHYARD_HEADER_X_TENANT`. */
function headerVariable(name: string, variable?: string): string {
  if (variable !== undefined && variablePattern.test(variable)) return variable;
  return `SWITCHYARD_HEADER_${name.replace(/[^A-Za-z0-9]/g, '_').toUpperCase()}`;
}

/** Returns the variants of a credential that rules send, each with the shell text that produces it. */
function listForms(credential: string, variable: string): readonly (readonly [string, string])[] {
  if (credential === '') return [];
  return [
    [credential, `\${${variable}}`],
    [`${credential}0`, `\${${variable}}0`],
    [credential.slice(0, -1), `\${${variable}%?}`],
    [credential.toUpperCase(), `$(printf %s "$${variable}" | tr a-z A-Z)`],
  ];
}

function quoteHeader(name: string, value: string): string {
  // curl drops a header that ends in a colon. To send an empty value, the header must end in a semicolon.
  return quote(value === '' ? `${name};` : `${name}: ${value}`);
}

/** Longer bodies are sent from a file, because the command would be unreadable and some shells would reject it. */
const maxBodyLength = 1_000;

const isInFile = (body: BodyRecord): boolean =>
  body.kind === 'binary' || (body.kind === 'text' && body.text.length > maxBodyLength);

/** Returns a POSIX shell command for the request. Quotes everything that could run as a command. */
export function curlLine({ request }: ExchangeRecord): string {
  const credentialArguments = new Map(
    (request.credentials ?? []).map(({ header, argument }) => [header.toLowerCase(), argument]),
  );
  // curl would read a file if a header begins with "@".
  const sent = request.headers.filter(([name]) => !name.startsWith('@'));
  const headers = sent.map(
    ([name, value]) => `-H ${credentialArguments.get(name.toLowerCase()) ?? quoteHeader(name, value)}`,
  );
  const { body } = request;
  const isTyped = readHeader(request, 'Content-Type') !== undefined;
  return [
    'curl -sS -i',
    ...(/[[\]{}]/.test(request.url) ? ['-g'] : []),
    ...(/\/\.{1,2}(?:\/|$)/.test(request.url) ? ['--path-as-is'] : []),
    ...(request.method === 'GET'
      ? []
      : [`-X ${/^[A-Z]+$/.test(request.method) ? request.method : quote(request.method)}`]),
    ...headers,
    ...(body.kind === 'text' && !isTyped ? [`-H 'Content-Type:'`] : []),
    // `--data-binary` would read a file if a body begins with "@".
    ...(body.kind === 'text' && !isInFile(body) ? [`--data-raw ${quote(body.text)}`] : []),
    ...(isInFile(body) ? ['--data-binary @body'] : []),
    quote(request.url),
  ].join(' ');
}

export function mayBeBilled({ request }: ExchangeRecord): boolean {
  return request.method === 'POST' && /\/v2\/models\//.test(request.url);
}

export function curlNotes(exchange: ExchangeRecord): readonly string[] {
  const { request, response } = exchange;
  const { body } = request;
  return [
    ...(mayBeBilled(exchange) ? ['this call may be billed'] : []),
    ...(body.kind !== 'none' && isInFile(body)
      ? [`first save the body, which has ${body.sizeBytes} bytes, as the file "body"`]
      : []),
    ...(body.kind === 'text' && body.isCut ? [`the body is truncated: it had ${body.sizeBytes} bytes`] : []),
    ...(response.kind === 'no-response' ? [explainWire(exchange, response.because)] : []),
  ];
}

/** Explains how to see a failure below HTTP, which curl hides in part. */
function explainWire({ request }: ExchangeRecord, because: string): string {
  const { protocol, hostname, port } = URL.parse(request.url) ?? { protocol: '', hostname: 'host', port: '' };
  if (because === 'tls')
    return `the TLS connection failed: openssl s_client -connect ${hostname}:${port || 443} -servername ${hostname} shows why`;
  const raw =
    protocol === 'https:'
      ? `openssl s_client -quiet -connect ${hostname}:${port || 443}`
      : `nc ${hostname} ${port || 80}`;
  return `no complete response arrived: add -v --raw --max-time 60, or send the request by hand with: ${raw}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
