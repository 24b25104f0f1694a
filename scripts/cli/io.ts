/** What a command may touch of its process; handed in, so that tests run commands without one. */
export type CommandIo = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  /** True when standard error is a terminal that a person watches. */
  readonly isTerminal: boolean;
  out(text: string): void;
  err(text: string): void;
  /** Marks text for a person; plain where colour is not wanted (`NO_COLOR`, no terminal). */
  readonly style: (style: Style, text: string) => string;
  /** Settles at the first SIGINT or SIGTERM. */
  stopRequested(): Promise<void>;
};

export type Style = 'good' | 'bad' | 'dim' | 'strong' | 'warn';
