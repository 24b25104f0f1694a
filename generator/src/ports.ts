import type { Digest } from './content.ts';

export type HttpRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  deadlineMs: number;
  /** A longer body ends the request with `too-large`. */
  maxBytes: number;
};
/** Why there is no usable response; `refused`: nothing listens at the address; `untrusted`: its certificate is not accepted. */
export type NoResponse =
  | 'refused'
  | 'untrusted'
  | 'reset'
  | 'deadline'
  | 'too-large'
  | 'credential-repeated'
  | 'failed';
export type HttpOutcome =
  | {
      kind: 'response';
      status: number;
      /** By lower-case name. */
      headers: ReadonlyMap<string, string>;
      bytes: Uint8Array;
    }
  | { kind: 'no-response'; because: NoResponse; detail: string };
/** One GET. Follows no redirect and never throws. */
export type Http = (request: HttpRequest) => Promise<HttpOutcome>;

export type Files = {
  /**
   * Undefined when there is no such regular file. `below` is a folder that the path is in: for outputs and caches, which may come
   * from a hostile checkout, nothing below that folder is reached through a link. Throws GeneratorError for such a link, and for
   * a file of more than 128 MiB.
   */
  read(path: string, below?: string): Uint8Array | undefined;
  /** Undefined when one of the files is missing, or changed so recently that its time cannot be relied on. */
  fingerprint(folder: string, paths: Iterable<string>): Digest | undefined;
  /** Names of the files in a folder, sorted; empty when there is no such folder. */
  list(folder: string, below?: string): readonly string[];
  /** The same for the folders in it. */
  listFolders(folder: string, below?: string): readonly string[];
  /** Writes a file that only its owner can read. */
  store(path: string, bytes: Uint8Array, below?: string): void;
  /** Replaces such a file, while no other process does, with what `change` makes of its present bytes. */
  update(path: string, change: (bytes: Uint8Array | undefined) => string, options?: UpdateOptions): Promise<void>;
  remove(path: string): void;
  /**
   * Locks an output folder, brings it back to a whole state if a generation was killed there, and opens the staging folder
   * beside it. Without a folder: a temporary one that cannot be committed.
   */
  openStaging(outDir: string | undefined, say?: Progress): Promise<Staging>;
};

export type UpdateOptions = { readonly say?: Progress | undefined; readonly below?: string };

/** New files of an output folder. Paths are relative to that folder and use `/`. */
export type Staging = {
  write(path: string, contents: string | Iterable<string>): void;
  /** Undefined when no such file was written here. */
  read(path: string): string | undefined;
  /** Puts the named files in place and removes others: all or nothing, also for a process that is killed meanwhile. */
  commit(change: { readonly writes: readonly string[]; readonly removals: readonly string[] }): void;
  /** Removes the staging folder and unlocks the output folder. */
  close(): void;
};

export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** The instant an HTTP date names, on the scale of `now`. */
  parseInstant(httpDate: string): number | undefined;
};

export type Ports = { http: Http; files: Files; clock: Clock };

/** Shows a phase, how far it is, and what it is at; or that another process has been waited for longer than a second. */
export type Progress = (phase: string, step?: { done: number; total?: number; subject?: string }) => void;
