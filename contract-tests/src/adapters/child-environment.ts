/** What Node reads to start and to trust certificates. */
const needed = [
  'PATH',
  'SystemRoot',
  'TMPDIR',
  'TEMP',
  'TMP',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/** The environment of a child process: no credential, whatever it is called, is in it. */
export function childEnvironment(): Record<string, string> {
  const known = needed.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(known.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}
