/** A finding about one model or about the whole run; it never ends the run. */
export type Diagnostic = {
  severity: 'error' | 'warning' | 'note';
  code: string;
  model?: string;
  /** JSON pointer into the model's schema document. */
  pointer?: string;
  message: string;
  help?: string;
};

const ranks = { error: 0, warning: 1, note: 2 };

/** By model, severity and place: the order of responses must not show in the report. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const key = (one: Diagnostic): string =>
    [one.model ?? '', ranks[one.severity], one.code, one.pointer ?? '', one.message].join('\n');
  const keyed = diagnostics.map((one) => [key(one), one] as const);
  return keyed.sort(([left], [right]) => (left < right ? -1 : Number(left > right))).map(([, one]) => one);
}

export type GeneratorErrorCode =
  | 'source-unreachable'
  | 'source-unavailable'
  | 'source-unauthorised'
  | 'source-forbidden'
  | 'source-not-json'
  | 'source-refused'
  | 'redirect-refused'
  | 'catalog-malformed'
  | 'catalog-empty'
  | 'catalog-endless'
  | 'cursor-loop'
  | 'cursor-missing'
  | 'cursor-rejected'
  | 'cache-empty'
  | 'lock-missing'
  | 'lock-unavailable'
  | 'lock-differs'
  | 'output-missing'
  | 'output-unwritable'
  | 'path-collision';

/** Ends a run. `operation` is what was tried; `help` is what a person can do. */
export class GeneratorError extends Error {
  override readonly name = 'GeneratorError';
  readonly code: GeneratorErrorCode;
  readonly operation: string;
  readonly model: string | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly help: string | undefined;

  constructor(
    code: GeneratorErrorCode,
    message: string,
    facts: {
      operation: string;
      model?: string;
      status?: number;
      requestId?: string | undefined;
      help?: string | undefined;
      cause?: unknown;
    },
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.operation = facts.operation;
    this.model = facts.model;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.help = facts.help;
  }
}
