import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

export type Reply = {
  status: number;
  category: string | undefined;
  replayed: boolean;
  text: string;
  digest: string;
};
export type Call = { method: string; path: string; credential: string; key?: string; body?: string };
export type RetryTarget = { url: string; calls: { count: number; unanswered: number } };

/**
 * Sends a call until it is answered for good: again with the same key and bytes after a lost connection, and after every answer
 * that says to come back.
 */
export async function callUntilSettled(call: Call, retryTarget: RetryTarget): Promise<Reply> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const reply = await send(call, retryTarget);
    if (reply !== undefined && !isForLater(reply)) return reply;
    await pause(reply === undefined ? 40 : 25); // sooner than Retry-After says: the sandbox has to stand it
  }
  throw new Error(`${call.method} ${call.path} was never settled`);
}

function isForLater({ status, category }: Reply): boolean {
  if (status === 429 || status === 503) return true;
  return (
    (status === 409 && category === 'concurrency_limit_exceeded') ||
    (status === 504 && category === 'deadline_exceeded')
  );
}

async function send(call: Call, { url, calls }: RetryTarget): Promise<Reply | undefined> {
  calls.count += 1;
  try {
    const response = await fetch(url + call.path, {
      method: call.method,
      headers: {
        'X-API-Key': call.credential,
        ...(call.key === undefined ? {} : { 'Idempotency-Key': call.key }),
      },
      ...(call.body === undefined ? {} : { body: call.body }),
      signal: AbortSignal.timeout(5000),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return {
      status: response.status,
      category: response.headers.get('x-service-error-type') ?? undefined,
      replayed: response.headers.get('idempotent-replayed') === 'true',
      text: new TextDecoder().decode(bytes),
      digest: createHash('sha256').update(bytes).digest('hex'),
    };
  } catch {
    calls.unanswered += 1;
    return undefined;
  }
}
