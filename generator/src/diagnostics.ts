import { diagnosticTexts } from './diagnostic-texts.ts';

/** Most severe first. */
export const severities = ['error', 'warning'] as const;

/** Code of a diagnostic or of a failed run. `diagnosticTexts` explains all of them. */
export type DiagnosticCode = keyof typeof diagnosticTexts;

/** A problem with one model or with the whole run. It doesn't end the run. */
export type Diagnostic = {
  severity: (typeof severities)[number];
  code: DiagnosticCode;
  model?: string;
  /** JSON pointer into the model's schema document. */
  pointer?: string;
  message: string;
};

/** Shortens an untrusted text. Returns a copy, because a slice would keep the whole text in memory. */
export function truncate(text: string, atMost: number): string {
  const start = new TextDecoder().decode(new TextEncoder().encode(text.slice(0, atMost)));
  return text.length <= atMost ? start : `${start}…`;
}

/** Returns the first `atMost` texts of a list; if there are more, adds a text such as `… and 5 more`. */
export function listFirst(texts: readonly string[], atMost: number): readonly string[] {
  const more = texts.length - atMost;
  return more <= 0 ? texts : [...texts.slice(0, atMost), `… and ${more} more`];
}

/** Maximum number of diagnostics for one document and for a whole run. */
export const maxDiagnostics = { document: 100, generation: 10_000 };
const longestText = 1_000;

/** Collects diagnostics up to a limit for each severity, shortens their texts, and counts the omitted ones. */
export function createDiagnosticList(
  atMost: number,
  model?: string,
): { add(one: Diagnostic): void; all(): Diagnostic[] } {
  const listed: Diagnostic[] = [];
  const counts = { error: 0, warning: 0 };
  const omitted = (severity: Diagnostic['severity']): Diagnostic[] => {
    const message = `${counts[severity] - atMost} more diagnostics of severity ${severity} are not listed`;
    const subject = model === undefined ? {} : { model };
    return counts[severity] <= atMost ? [] : [{ severity, code: 'diagnostics-omitted', ...subject, message }];
  };
  return {
    add(one) {
      if (++counts[one.severity] > atMost) return;
      const pointer = one.pointer === undefined ? {} : { pointer: truncate(one.pointer, longestText) };
      listed.push({ ...one, ...pointer, message: truncate(one.message, longestText) });
    },
    all: () => [...listed, ...severities.flatMap(omitted)],
  };
}

/** Sorts by model, severity and location, so that the report doesn't depend on the order of responses. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const key = (one: Diagnostic): string =>
    [one.model ?? '', severities.indexOf(one.severity), one.code, one.pointer ?? '', one.message].join('\n');
  const keyed = diagnostics.map((one) => [key(one), one] as const);
  return keyed.sort(([left], [right]) => (left < right ? -1 : Number(left > right))).map(([, one]) => one);
}

const causes: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EPERM: 'the system does not permit it',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOENT: 'the parent folder is missing or not writable',
  ENOTDIR: 'there is a file where a folder is needed',
  EISDIR: 'it is a folder',
  EEXIST: 'there is a file where a folder is needed',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'the path is too long',
  EMFILE: 'too many files are open',
};

/** Returns the message of an error, with plain words for common file system errors. */
export function explainCause(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code = '', path } = cause as NodeJS.ErrnoException;
  const words = causes[code];
  return words === undefined ? cause.message : `${words}${path === undefined ? '' : ` (${path}, ${code})`}`;
}

type ErrorFacts = {
  /** The operation that failed, such as `listModels`. */
  readonly operation: string;
  readonly model?: string | undefined;
  readonly status?: number | undefined;
  /** Error category of the Model Router API, if a response was the reason. */
  readonly category?: string | undefined;
  readonly requestId?: string | undefined;
  /** Advice for this case. Default: the text of the code. */
  readonly help?: string | undefined;
};

/** An error that ends a run of the generator. */
export class GeneratorError extends Error implements ErrorFacts {
  override readonly name = 'GeneratorError';
  readonly code: DiagnosticCode;
  declare readonly operation: ErrorFacts['operation'];
  declare readonly model: ErrorFacts['model'];
  declare readonly status: ErrorFacts['status'];
  declare readonly category: ErrorFacts['category'];
  declare readonly requestId: ErrorFacts['requestId'];
  declare readonly help: string;

  constructor(code: DiagnosticCode, message: string, { cause, ...facts }: ErrorFacts & { readonly cause?: unknown }) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    Object.assign(this, facts, { help: facts.help ?? diagnosticTexts[code] });
  }
}
