import querystring from 'node:querystring';
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { createRedactor, disarmCommands, escapeAll, redactTree, secretsInHeader } from '../../specs/src/index.ts';
import { flagName } from './commands.ts';
import type { CommandFailure } from './errors.ts';

/** What a command uses of the process, before `guardIo` filters its output. */
export type ProcessIo = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  /** True if standard error is a terminal and `CI` is not set. */
  readonly isTerminal: boolean;
  /** Width of the terminal; left out if standard output isn't a terminal. */
  readonly columns?: number;
  /** `commands`: the lines are intended as commands for a build service. */
  out(text: string, kind?: 'commands'): void;
  err(text: string): void;
  /** Colours text, except under `NO_COLOR` or without a terminal. */
  readonly style: (style: Style, text: string) => string;
  /** Asks the user at the terminal and returns the trimmed answer; left out without a terminal. */
  readonly ask?: (question: string) => Promise<string>;
  /** Resolves at the first SIGINT or SIGTERM. */
  stopRequested(): Promise<void>;
};

/** The result of a command that ends by itself. With `--json`, the program prints `report`, otherwise `text`. */
export type CommandResult<Report = object> = {
  readonly report: Report;
  /** Members that `--json` adds to the report. */
  readonly more?: object;
  readonly code: number;
  text(): string | Promise<string>;
  /** An error to throw after the result is printed. */
  readonly failure?: CommandFailure | undefined;
};

/** The process as commands use it. Tests pass their own. */
export type CommandIo = ProcessIo & {
  /** Every known credential: those in the environment, whether or not the command uses them, and those read since. */
  secrets(): readonly string[];
  /** Redacts every known credential in the text. */
  redact(text: string): string;
  /** Redacts the value in everything that is written from now on. `header`: name of the header that contains it. */
  registerSecret(value: string, header?: string): string;
};

const formats = { good: 'green', bad: 'red', dim: 'dim', strong: 'bold', warn: 'yellow' } as const;
export type Style = keyof typeof formats;

// Control characters except line breaks, format characters, and invisible characters.
const invisibleCharacters =
  /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]--[\n\p{Variation_Selector}]]/gv;
const repeatedWithinMs = 1_000;
/** Matches the escape sequences of `style`. */
const ownStyles = new RegExp(`(${String.fromCharCode(0x1b)}\\[(?:1|2|22|31|32|33|39)m)`);

/**
 * Makes text safe for a terminal: characters that hide or reorder other characters become escapes such as `\\u202e`.
 * JSON keeps its meaning, because such characters only occur in its strings. `isStyled`: the text may contain styles of
 * this program.
 */
export function escapeForTerminal(text: string, isStyled = false): string {
  const parts = isStyled ? text.split(ownStyles) : [text];
  return parts.map((part, index) => (index % 2 === 1 ? part : part.replace(invisibleCharacters, escapeAll))).join('');
}

/** Returns a command line of this program that works in every folder. `flags`: options by name. */
export function formatCommand(words: readonly string[], flags: object = {}): string {
  const flagWords = Object.entries(flags).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [flagName(name)] : [flagName(name), ...[value].flat().map(String)];
  });
  return `npx openapi-switchyard ${quoteCommand([...words, ...flagWords])}`;
}

/** Quotes a command for a POSIX shell. */
export function quoteCommand(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

/** Returns the io of this process. */
export function createProcessIo(): CommandIo {
  // `switchyard … | head` closes the pipe early, which isn't a failure.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  const style = (name: Style, text: string): string => styleText(formats[name], text, { stream: process.stdout });
  const isStyled = style('bad', '') !== '';
  const isTerminal = process.stderr.isTTY === true && process.env['CI'] === undefined;
  const ask = async (question: string): Promise<string> => {
    const asking = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return (await asking.question(escapeForTerminal(question))).trim();
    } finally {
      asking.close();
    }
  };
  return guardIo({
    env: process.env,
    workingFolder: process.cwd(),
    isTerminal,
    ...(process.stdout.isTTY === true ? { columns: process.stdout.columns } : {}),
    out: (text) => void process.stdout.write(escapeForTerminal(text, isStyled)),
    err: (text) => void process.stderr.write(escapeForTerminal(text, isStyled)),
    style,
    ...(isTerminal && process.stdin.isTTY === true ? { ask } : {}),
    stopRequested: () =>
      new Promise((stop) => {
        const signals = ['SIGINT', 'SIGTERM'] as const;
        const end = (): void => {
          stop();
          // The process gets the signal twice, because the terminal sends it to the whole group and npx forwards it.
          // Keep the handlers until the second signal has arrived, so that it doesn't kill the process while it writes.
          setTimeout(() => {
            for (const signal of signals) process.off(signal, end);
          }, repeatedWithinMs).unref();
        };
        for (const signal of signals) process.on(signal, end);
      }),
  });
}

/** Progress of a phase. */
type Step = { readonly done: number; readonly total?: number; readonly subject?: string };
type ShowStep = (phase: string, step?: Step) => void;

/** Interval between two progress lines of a phase. */
const lineEveryMs = 10_000;

/**
 * Shows the progress of a task on standard error: a spinner on a terminal, otherwise one line per phase, and one every
 * ten seconds during a phase.
 */
export async function withProgress<T>(io: CommandIo, task: (show: ShowStep) => Promise<T>): Promise<T> {
  if (!io.isTerminal) {
    let [last, printedAtMs] = ['', Date.now()];
    return task((phase, step) => {
      const isLate = step !== undefined && Date.now() - printedAtMs >= lineEveryMs;
      if (phase === last && !isLate) return;
      io.err(`${phase === last ? formatStep(phase, step) : `${phase} …`}\n`);
      [last, printedAtMs] = [phase, Date.now()];
    });
  }
  const { default: yoctoSpinner } = await import('yocto-spinner');
  const spinner = yoctoSpinner().start();
  const startedAtMs = Date.now();
  try {
    return await task((phase, step) => {
      spinner.text = escapeForTerminal(io.redact(formatStep(phase, step)));
    });
  } finally {
    spinner.stop();
    io.err(io.style('dim', `took ${((Date.now() - startedAtMs) / 1000).toFixed(1)} s\n`));
  }
}

function formatStep(phase: string, { done, total, subject }: Partial<Step> = {}): string {
  const count = total === undefined ? done || undefined : `${done} of ${total}`;
  return [phase, count, subject].filter((part) => part !== undefined).join(' ');
}

/** Returns every credential in the environment, and the passwords of proxies. */
function listSecrets(env: ProcessIo['env']): readonly string[] {
  const names = ['SWITCHYARD_API_KEY', 'SWITCHYARD_TOKEN', 'SWITCHYARD_WORKFLOW_TOKEN'];
  const proxies = ['HTTPS_PROXY', 'HTTP_PROXY'].flatMap((name) => [name, name.toLowerCase()]);
  const passwords = proxies.map((name) => {
    const { username, password } = URL.parse(env[name] ?? '') ?? { username: '', password: '' };
    return querystring.unescape(password || username); // A token may be used as the user name.
  });
  return [...names.map((name) => env[name] ?? ''), ...passwords].filter((value) => value !== '');
}

/**
 * Filters all output of a command, a call or a plugin. First redacts credentials, including secrets that are read
 * later; JSON is redacted string by string, so that it stays valid. Then disables text that a build service would run
 * as a command.
 */
export function guardIo(io: ProcessIo): CommandIo {
  const secrets = new Set(listSecrets(io.env));
  let replace = createRedactor([...secrets]);
  const redact = (text: string): string => {
    const shown = replace(text);
    if (shown === text || !/^\s*[[{]/.test(text)) return shown;
    try {
      const tree = `${JSON.stringify(redactTree(JSON.parse(text), replace))}\n`;
      return replace(tree) === tree ? tree : shown;
    } catch {
      return shown; // Not JSON.
    }
  };
  const { ask } = io;
  return {
    ...io,
    redact,
    secrets: () => [...secrets],
    registerSecret: (value, header = '') => {
      for (const one of secretsInHeader(header, value)) secrets.add(one);
      replace = createRedactor([...secrets]);
      return value;
    },
    out: (text, kind) => io.out(kind === 'commands' ? redact(text) : disarmCommands(redact(text))),
    err: (text) => io.err(disarmCommands(redact(text))),
    ...(ask && { ask: (question: string) => ask(redact(question)) }),
  };
}

/** Filters a text for a bundler's console, which doesn't use `out` and `err`. */
export function toConsoleText(text: string, io: CommandIo): string {
  return escapeForTerminal(disarmCommands(io.redact(text)));
}
