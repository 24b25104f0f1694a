import type { Bytes } from '../digest.ts';

/** A call as plain data, whichever adapter read it. */
export type ServerRequest = {
  readonly method: string;
  /** Scheme and host by which the caller addressed the sandbox, for example `http://127.0.0.1:4010`. */
  readonly origin: string;
  /** Path and query exactly as sent: no percent-encoding resolved, no dot segment collapsed (ADR 12). */
  readonly target: string;
  /** Names in lower case; the values of a repeated name joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** `too-large` when it exceeds the body limit, however it was announced (MR-RUN-48). */
  readonly body: Bytes | 'too-large';
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
};

/** Header names are compared without regard to case; an empty body means none, and adapters drop the body of a reply to HEAD. */
export type ServerReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Bytes;
  /** Bytes for the connection in place of the reply, for what no HTTP library sends: a 304 with a body, a wrong length, a cut. */
  readonly raw?: RawReply;
};

export type RawReply = {
  readonly bytes: string | Uint8Array;
  readonly then: 'keep' | 'close' | 'cut' | 'stall';
};

/** A header by its name, in any case. */
export function replyHeader({ headers }: ServerReply, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return Object.entries(headers).find(([one]) => one.toLowerCase() === wanted)?.[1];
}

export type App = (request: ServerRequest) => Promise<ServerReply>;
