import type { SourceFile } from './source-files.ts';

const limits = { fileLines: 300, functionLines: 60, parameters: 4 };
const emptyNames = /(?:^|\/)(?:utils?|helpers?|common|misc|shared|lib|types)(?:\.ts|\/)/;

/** Files and functions over the limits, and file names that say nothing; tests may be long. */
export function sizeProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => [
    ...(emptyNames.test(file.path) ? [`${file.path}: the name does not say what is inside`] : []),
    ...(file.isTest ? [] : lengthProblems(file)),
  ]);
}

function lengthProblems({ path, lines, functions }: SourceFile): string[] {
  return [
    ...(lines > limits.fileLines ? [`${path} has ${lines} lines; the limit is ${limits.fileLines}`] : []),
    ...functions
      .filter((found) => found.lines > limits.functionLines)
      .map(
        ({ line, lines: length }) =>
          `${path}:${line} is a function of ${length} lines; the limit is ${limits.functionLines}`,
      ),
    ...functions
      .filter(({ parameters }) => parameters > limits.parameters)
      .map(
        ({ line, parameters }) => `${path}:${line} takes ${parameters} parameters; the limit is ${limits.parameters}`,
      ),
  ];
}
