import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';

export type SourceFile = {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly module: Module;
  readonly isTest: boolean;
  readonly lines: number;
  readonly imports: readonly { readonly target: string; readonly isOwn: boolean; readonly typeOnly: boolean }[];
  /** The lines of each function with a body in braces. */
  readonly functions: readonly number[];
  readonly syntax: ts.SourceFile;
};

export const modules = ['specs', 'runtime', 'generator', 'sandbox', 'contract-tests', 'scripts'] as const;
export type Module = (typeof modules)[number];

export function findModule(path: string): Module | undefined {
  return modules.find((module) => path.startsWith(`${module}/`));
}

/** Every TypeScript and JavaScript source of the modules, sorted by path. */
export function readSourceFiles(root: string): SourceFile[] {
  return modules.flatMap((module) =>
    readdirSync(join(root, module), { recursive: true, encoding: 'utf8' })
      .map((name) => join(module, name).split(sep).join('/'))
      .filter((path) => /(?<!\.d)\.(?:ts|mjs)$/.test(path) && !path.includes('node_modules'))
      .sort()
      .map((path) => readSourceFile(root, module, path)),
  );
}

function readSourceFile(root: string, module: Module, path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const syntax = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  return {
    path,
    module,
    isTest: path.endsWith('.test.ts') || /\/(?:tests|fixtures)\//.test(path),
    lines: text.split('\n').length - 1,
    imports: listImports(root, syntax),
    functions: measureFunctions(syntax),
    syntax,
  };
}

function listImports(root: string, syntax: ts.SourceFile): SourceFile['imports'] {
  const found: SourceFile['imports'][number][] = [];
  const add = (specifier: ts.Node | undefined, typeOnly: boolean): void => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return;
    const isOwn = specifier.text.startsWith('.');
    const target = isOwn
      ? relative(root, resolve(root, dirname(syntax.fileName), specifier.text))
          .split(sep)
          .join('/')
      : specifier.text;
    found.push({ target, isOwn, typeOnly });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, node.importClause?.isTypeOnly === true);
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  return found;
}

function measureFunctions(syntax: ts.SourceFile): number[] {
  const found: number[] = [];
  const lineAt = (position: number): number => syntax.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined && ts.isBlock(node.body))
      found.push(lineAt(node.end) - lineAt(node.getStart(syntax)) + 1);
    ts.forEachChild(node, visit);
  };
  visit(syntax);
  return found;
}

const emptyNames = /(?:^|\/)(?:utils?|helpers?|common|misc|shared|lib|types)(?:\.ts|\/)/;

/** File names that do not say what is inside. */
export function findNameProblems(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => emptyNames.test(path))
    .map(({ path }) => `${path}: the name does not say what is inside`);
}
