import ts from 'typescript';
import type { SourceFile } from './source-files.ts';

const limits = { fileLines: 300, functionLines: 60, parameters: 4 };
const emptyNames = /(?:^|\/)(?:utils?|helpers?|common|misc|shared|lib|types)(?:\.ts|\/)/;

/** Files and functions past the hard limits, names that say nothing, default exports and `any`; tests may be long. */
export function sizeProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => [...fileProblems(file), ...(file.isTest ? [] : functionProblems(file))]);
}

function fileProblems(file: SourceFile): string[] {
  const problems: string[] = [];
  if (!file.isTest && file.lines > limits.fileLines)
    problems.push(`${file.path} has ${file.lines} lines; the limit is ${limits.fileLines}`);
  if (emptyNames.test(file.path)) problems.push(`${file.path}: the name says nothing of what is inside`);
  return problems;
}

function functionProblems(file: SourceFile): string[] {
  const problems: string[] = [];
  const lineOf = (position: number): number => file.syntax.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const start = lineOf(node.getStart(file.syntax));
      const length = lineOf(node.end) - start + 1;
      if (length > limits.functionLines)
        problems.push(`${file.path}:${start} is a function of ${length} lines; the limit is ${limits.functionLines}`);
      if (node.parameters.length > limits.parameters)
        problems.push(
          `${file.path}:${start} takes ${node.parameters.length} parameters; the limit is ${limits.parameters}`,
        );
    }
    ts.forEachChild(node, visit);
  };
  visit(file.syntax);
  return problems;
}
