export type HttpRequest = {
  url: string;
  headers: Readonly<Record<string, string>>;
  deadlineMs: number;
  /** Maximum size of the body in bytes; a larger body gives `too-large`. */
  maxBytes: number;
};
/** The reason for a missing response. `refused`: nothing listens at the address; `untrusted`: the certificate isn't accepted. */
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
   * Reads a regular file; undefined if it doesn't exist. `below` is a folder that contains the path: no symbolic link inside it is
   * followed, because outputs and caches may come from a hostile checkout. Throws GeneratorError for such a link, and for a file
   * larger than 128 MiB.
   */
  read(path: string, below?: string): Uint8Array | undefined;
  /** Lists the names of the files in a folder, sorted; empty if the folder doesn't exist. */
  list(folder: string, below?: string): readonly string[];
  /** Like `list`, for the folders in a folder. */
  listFolders(folder: string, below?: string): readonly string[];
  /** Writes a file that only its owner can read. */
  store(path: string, bytes: Uint8Array, below?: string): void;
  /** Locks a file that only its owner can read, and replaces its contents with the result of `change`. */
  update(path: string, change: (bytes: Uint8Array | undefined) => string, options?: UpdateOptions): Promise<void>;
  remove(path: string): void;
  /**
   * Locks an output folder, finishes the exchange that a killed run may have begun, and opens the staging folder next
   * to it. Without `outDir`, opens a temporary staging folder that can't be committed.
   */
  openStaging(outDir: string | undefined, say?: Progress): Promise<Staging>;
};

export type UpdateOptions = { readonly say?: Progress | undefined; readonly below?: string };

/** New files of an output folder. Paths are relative to that folder and use `/`. */
export type Staging = {
  write(path: string, contents: string | Iterable<string>): void;
  /** Reads a new file; undefined if it wasn't written here. */
  read(path: string): string | undefined;
  /**
   * Moves files into the output folder and removes others: all of them or none, even if the process is killed
   * meanwhile.
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

/** Reports the progress of a phase, or that this process has been waiting for another process for more than a second. */
export type Progress = (phase: string, step?: { done: number; total?: number; subject?: string }) => void;
