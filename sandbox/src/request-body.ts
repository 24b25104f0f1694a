import type { Bytes } from './digest.ts';

/** Reads at most `limitBytes`; undefined when there is more, however it was announced (MR-RUN-48). */
export async function readLimited(request: Request, limitBytes: number): Promise<Bytes | undefined> {
  if (Number(request.headers.get('content-length') ?? '0') > limitBytes) return undefined;
  if (request.body === null) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let total = 0;
  const reader = request.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    total += next.value.length;
    if (total > limitBytes) {
      // Not waited for: where somebody else still holds a copy of the body, it would never settle.
      void reader.cancel().catch(() => undefined);
      return undefined;
    }
    chunks.push(next.value);
  }
  return join(chunks, total);
}

function join(chunks: readonly Uint8Array[], total: number): Bytes {
  const whole = new Uint8Array(total);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}
