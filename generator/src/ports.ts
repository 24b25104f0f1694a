export type HttpRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  deadlineMs: number;
  /** A longer body ends the request with `too-large`. */
  maxBytes: number;
};
/** Why nothing usable came back; `refused` means that nobody listens at the address. */
export type NoAnswer = 'refused' | 'reset' | 'deadline' | 'too-large' | 'failed';
export type HttpOutcome =
  | {
      kind: 'answer';
      status: number;
      /** By lower-case name. */
      headers: ReadonlyMap<string, string>;
      bytes: Uint8Array;
    }
  | { kind: 'no-answer'; because: NoAnswer; detail: string };
/** One GET. Follows no redirect and never throws. */
export type Http = (request: HttpRequest) => Promise<HttpOutcome>;

/** A set of changes below one folder that becomes visible file by file, each whole; `last` closes it. */
export type Change = {
  root: string;
  writes: readonly { path: string; bytes: Uint8Array | string }[];
  removals: readonly string[];
  last?: { path: string; bytes: string };
  /** Readable by the owner alone. */
  secret?: boolean;
};
export type Files = {
  /** The bytes of each path that is a file; absent ones are left out. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Names of the files in a folder, sorted; none when there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /** Writes everything aside first, so that a full or unwritable disk is met before the first file changes. */
  commit(change: Change): Promise<void>;
};

export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** The instant an HTTP date names, on the scale of `now`. */
  instantOf(httpDate: string): number | undefined;
};

export type Ports = { http: Http; files: Files; clock: Clock };
