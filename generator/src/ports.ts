export type HttpRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  deadlineMs: number;
  /** Maximum size of the body in bytes; a larger body gives `too-large`. */
  maxBytes: number;
};
/** Why there is no response. `refused`: no connection to the address. `untrusted`: the certificate isn't accepted. */
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
      /** Values by lower-case name. */
      headers: ReadonlyMap<string, string>;
      bytes: Uint8Array;
    }
  | { kind: 'no-response'; because: NoResponse; detail: string };
/** Sends one GET request. Doesn't follow redirects and never throws. */
export type Http = (request: HttpRequest) => Promise<HttpOutcome>;

export type Files = {
  /**
   * Reads a regular file; undefined if it doesn't exist. `below`: a folder that contains the path. Symbolic links inside
   * this folder are not followed, because outputs and caches may come from a hostile checkout. Throws GeneratorError for
   * such a link, and for a file larger than 128 MiB.
   */
  read(path: string, below?: string): Uint8Array | undefined;
  /** Lists the names of the files in a folder, sorted; empty if the folder doesn't exist. */
  list(folder: string, below?: string): readonly string[];
  /** Like `list`, but lists subfolders. */
  listFolders(folder: string, below?: string): readonly string[];
  /** Writes a file that only its owner can read. */
  store(path: string, bytes: Uint8Array, below?: string): void;
  /** Locks a private file (see `store`) and replaces its contents with the result of `change`. */
  update(path: string, change: (bytes: Uint8Array | undefined) => string, options?: UpdateOptions): Promise<void>;
  remove(path: string): void;
  /**
   * Locks an output folder, finishes a commit that a killed run left incomplete, and opens the staging folder. Without
   * `outDir`, opens a temporary staging folder that can't be committed.
   */
  openStaging(outDir: string | undefined, onProgress?: Progress): Promise<Staging>;
};

export type UpdateOptions = { readonly onProgress?: Progress | undefined; readonly below?: string };

/** New files of an output folder. Paths are relative to that folder and use `/`. */
export type Staging = {
  write(path: string, contents: string | Iterable<string>): void;
  /** Reads a file that was written to the staging folder; undefined if it wasn't. */
  read(path: string): string | undefined;
  /**
   * Moves files into the output folder and removes others. Makes all of these changes or none, even if the process is
   * killed: the next run then finishes the commit.
   */
  commit(change: { readonly writes: readonly string[]; readonly removals: readonly string[] }): void;
  /** Removes the staging folder and unlocks the output folder. */
  close(): void;
};

export type Clock = {
  /** Returns milliseconds since the epoch. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Parses an HTTP date into milliseconds since the epoch. */
  parseInstant(httpDate: string): number | undefined;
};

export type Ports = { http: Http; files: Files; clock: Clock };

/** Reports the progress of a phase. `phase` may also say that the run has waited for another process for over a second. */
export type Progress = (phase: string, step?: { done: number; total?: number; subject?: string }) => void;
