import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';

export type SourceFile = {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly isTest: boolean;
  readonly lines: number;
  readonly imports: readonly { readonly target: string; readonly isOwn: boolean; readonly typeOnly: boolean }[];
  readonly syntax: ts.SourceFile;
};

const wings = ['specs', 'runtime', 'generator', 'sandbox', 'contract-tests', 'scripts'] as const;
export type Wing = (typeof wings)[number];

export function wingOf(path: string): Wing | undefined {
  return wings.find((wing) => path.startsWith(`${wing}/`));
}

export function readSourceFiles(root: string): SourceFile[] {
  return wings
    .flatMap((wing) =>
      readdirSync(join(root, wing), { recursive: true, encoding: 'utf8' }).map((name) => join(wing, name)),
    )
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts') && !path.includes('node_modules'))
    .sort()
    .map((path) => readSourceFile(root, path));
}

function readSourceFile(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const syntax = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  return {
    path,
    isTest: path.endsWith('.test.ts') || path.startsWith('contract-tests/tests/') || path.includes('/fixtures/'),
    lines: text.split('\n').length - 1,
    imports: importsOf(root, syntax),
    syntax,
  };
}

function importsOf(root: string, syntax: ts.SourceFile): SourceFile['imports'] {
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
