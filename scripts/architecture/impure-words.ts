import ts from 'typescript';
import type { SourceFile } from './source-files.ts';

/** Globals and modules that reach outside, and the files that may name them; a folder ends with a slash. */
const impureWords: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    fetch: ['runtime/src/transport.ts', 'contract-tests/src/adapters/'],
    Date: [
      'sandbox/src/clock.ts',
      'generator/src/adapters/system-clock.ts',
      'contract-tests/src/adapters/system-clock.ts',
    ],
    setTimeout: [
      'sandbox/src/clock.ts',
      'generator/src/adapters/system-clock.ts',
      'generator/src/adapters/node-http.ts',
      'contract-tests/src/adapters/system-clock.ts',
    ],
    setInterval: [],
    performance: ['scripts/', 'contract-tests/src/adapters/system-clock.ts'],
    process: [
      'scripts/',
      'generator/src/adapters/',
      'sandbox/src/http/request-log.ts',
      'contract-tests/src/mock/prism-child.ts',
      'contract-tests/src/runner/run-with-vitest.ts',
    ],
    console: [],
    'Math.random': [],
    'node:fs': [
      'scripts/',
      'specs/src/package-root.ts',
      'specs/src/files.ts',
      'generator/src/adapters/',
      'sandbox/src/catalog-folder.ts',
      'contract-tests/src/report/required-rules.ts',
      'contract-tests/src/traceability/unobservable.ts',
    ],
    'node:fs/promises': ['scripts/', 'generator/src/adapters/', 'contract-tests/src/adapters/report-files.ts'],
    'node:http': [
      'generator/src/adapters/node-http.ts',
      'contract-tests/src/adapters/http-exchanger.ts',
      'sandbox/src/http/listen.ts',
    ],
    'node:https': ['generator/src/adapters/node-http.ts', 'contract-tests/src/adapters/http-exchanger.ts'],
    'node:child_process': ['scripts/', 'contract-tests/src/mock/start-mock.ts'],
  }),
);

/** Impure words outside the files that may say them; tests are free. */
export function impureProblems(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => !file.isTest)
    .flatMap((file) =>
      [...new Set(wordsIn(file))]
        .filter((word) => !isAllowed(word, file.path))
        .map((word) => `${file.path} says ${word}, which is for ${impureWords.get(word)?.join(', ') || 'no file'}`),
    );
}

function isAllowed(word: string, path: string): boolean {
  return (
    impureWords.get(word)?.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place)) ?? true
  );
}

function wordsIn(file: SourceFile): string[] {
  const words = file.imports.map(({ target }) => target).filter((target) => impureWords.has(target));
  const own = new Set<string>();
  const used: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if (
      (ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node)) &&
      ts.isIdentifier(node.name)
    )
      own.add(node.name.text);
    if (ts.isIdentifier(node) && impureWords.has(node.text) && isGlobalUse(node)) used.push(node.text);
    if (ts.isPropertyAccessExpression(node) && node.getText(file.syntax) === 'Math.random') words.push('Math.random');
    ts.forEachChild(node, visit);
  };
  visit(file.syntax);
  // A file that declares a name of its own means that one.
  return [...words, ...used.filter((word) => !own.has(word))];
}

// A member, a property key, a parameter or a name of our own that is spelt like the global is not the global.
function isGlobalUse(node: ts.Identifier): boolean {
  const parent = node.parent;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return true;
  return ts.isVariableDeclaration(parent)
    ? parent.initializer === node
    : ts.isShorthandPropertyAssignment(parent) || ts.isBinaryExpression(parent);
}
