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

/** A set of changes below one folder that becomes visible as a whole; paths are relative to the root. */
export type Change = {
  root: string;
  writes: readonly { path: string; bytes: Bytes }[];
  removals: readonly string[];
  /** The file that tells states of the folder apart, and the bytes it had when the change was planned. */
  last: { path: string; bytes: string; before: string | undefined };
};
/** `stale` when another run has changed the folder since the change was planned; nothing is written then. */
export type Committed = 'done' | 'stale';

/** Files that stand each for itself, readable by their owner alone. */
export type PrivateFiles = {
  readonly root: string;
  readonly writes: readonly { path: string; bytes: Bytes }[];
  readonly removals: readonly string[];
};

/** Room for bytes that are wanted once more: in memory as far as that goes, then out of it. */
export type Spool = {
  /** Takes a copy; what it gives reads the bytes again, until the spool is closed. */
  keep(bytes: Uint8Array): () => Uint8Array;
  /** A file that is read in parts, as it is now, until the spool is closed; undefined when it is not there. */
  open(path: string): OpenFile | undefined;
  close(): void;
};
export type OpenFile = { readonly size: number; read(at: number, length: number): Uint8Array };
/** Bytes as they are, or read piece by piece when they are written. */
export type Bytes = Uint8Array | string | (() => Iterable<Uint8Array>);

/** How a file looks from outside. */
export type Stamp = {
  /** Another one when its bytes are others, unless they were written within one tick of the file system's clock. */
  readonly mark: string;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
};

export type Files = {
  /** The bytes of each path that is a file; absent ones are left out. */
  read(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Names of the files in a folder, sorted; none when there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /** All or nothing, also for a process that is killed meanwhile. */
  commit(change: Change): Promise<Committed>;
  /** Brings a folder back to a whole state, and removes what killed runs left beside it. */
  recover(root: string): Promise<void>;
  /** Does the work while no other process does any for the same folder. */
  exclusively<T>(folder: string, work: () => Promise<T>): Promise<T>;
  /** In the order of the paths; undefined where there is no file. */
  stamps(paths: readonly string[]): readonly (Stamp | undefined)[];
  /** Each file is written whole; in the order given, removals last. */
  store(files: PrivateFiles): Promise<void>;
  openSpool(): Spool;
};

export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** The instant an HTTP date names, on the scale of `now`. */
  instantOf(httpDate: string): number | undefined;
};

export type Ports = { http: Http; files: Files; clock: Clock };
