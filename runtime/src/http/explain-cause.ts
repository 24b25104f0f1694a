/** What Node says of a request that got no connection. Redirects are not followed, so nothing was sent. */
const unsent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;
/** The same of a connection that will not do the next time either: its certificate, no TLS at all, or a port that `fetch` refuses. */
const unfit =
  /^(DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_|HOSTNAME_|ERR_TLS_CERT|ERR_SSL_(WRONG_V|PACKET_L|UNSUPPORTED_P)|bad port$)/;

/** The code of a cause, and what it says of the connection: whether nothing was sent, and whether it will be so again. */
export function explainCause(cause: unknown): { code: string; isUnsent: boolean; isFinal: boolean } {
  const { cause: inner = cause } = Object(cause) as { cause?: unknown };
  const { message = cause, code: given = message, syscall } = Object(inner) as { [name: string]: unknown };
  const code = String(given);
  const isFinal = unfit.test(code);
  return { code, isFinal, isUnsent: isFinal || syscall === 'connect' || unsent.test(code) };
}
