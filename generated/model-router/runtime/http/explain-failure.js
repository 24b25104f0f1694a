/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { DeadlinePassed } from './clock.js';
import { redactValue } from './redact-value.js';
/** What a call throws where a wait of it ended with `error`. */
export function explainEnd(error, call, work) {
    const { attempts = 0, isOpen } = call;
    const facts = { isRetryable: true, isOpen };
    if (work.signal?.aborted)
        return work.fail(call, 'aborted', { ...facts, kind: 'aborted', cause: error });
    if (!(error instanceof DeadlinePassed))
        return error;
    const { limitMs: deadlineMs = work.deadlineMs, cause, message } = error;
    const text = `not ${attempts > 0 ? 'finished' : 'sent'} within ${deadlineMs} ms${message}`;
    return work.fail(call, text, { ...facts, kind: 'timeout', deadlineMs, cause });
}
/** What Node says of a request that got no connection. Redirects are not followed, so nothing was sent. */
const unsent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;
/** The same of a connection that will not do the next time either: its certificate, another TLS or none, or a port that `fetch` refuses. */
const unfit = /^(DEPTH_|SELF_|UNABLE_|CERT_|HOSTNAME_|ERR_TLS_CERT|ERR_SSL_(PACKET_L|.*(VERS|PROTO|HANDS))|bad port$)/;
/** The code of a cause, and what it says of the connection: whether nothing was sent, and whether it will be so again. */
export function explainCause(cause) {
    const { cause: inner = cause } = Object(cause);
    const { message = cause, code: given = message, syscall } = Object(inner);
    const code = String(given);
    const isFinal = unfit.test(code);
    return { code, isFinal, isUnsent: isFinal || syscall === 'connect' || unsent.test(code) };
}
/** What an attempt without an answer says, as the facts of an error with its words. */
export function explainLoss(lost, redact) {
    const { code, isUnsent, isFinal } = explainCause(lost);
    const cause = redactValue(lost, redact);
    const facts = { redact, cause, isOpen: !isUnsent, kind: 'network' };
    if (lost instanceof DeadlinePassed) {
        const { limitMs: deadlineMs } = lost;
        return { text: `no answer within ${deadlineMs} ms`, isFinal, facts: { ...facts, kind: 'timeout', deadlineMs } };
    }
    return { text: `${isUnsent ? 'no connection to the server' : 'no response'} (${code})`, isFinal, facts };
}
