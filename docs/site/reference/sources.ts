import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../../specs/src/index.ts';
import { escapeText } from './markdown.ts';

/** What each entry point of the package exports, with types and comments. */
export function libraryPage(): string {
  const manifest: { exports: Record<string, string | { types: string }> } = JSON.parse(
    readFileSync(join(packageRoot(), 'package.json'), 'utf8'),
  );
  const entries = Object.entries(manifest.exports).flatMap(([name, target]) =>
    typeof target === 'string'
      ? []
      : [{ name, file: join(packageRoot(), target.types.replace('./dist/', '').replace('.d.ts', '.ts')) }],
  );
  const options = { ...ts.getDefaultCompilerOptions(), strict: true, skipLibCheck: true, noEmit: true };
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    {
      ...options,
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      allowImportingTsExtensions: true,
      types: ['node'],
    },
  );
  const checker = program.getTypeChecker();
  const sections = entries.map(({ name, file }) => {
    const source = program.getSourceFile(file);
    const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} exports nothing`);
    const symbols = checker.getExportsOfModule(module).sort((a, b) => (a.name < b.name ? -1 : 1));
    return `## ${name.replace('.', 'openapi-switchyard')}\n\n${symbols.map((one) => exported(one, checker)).join('\n')}`;
  });
  return `# Library\n\nWhat programs import from \`openapi-switchyard\`.\n\n${sections.join('\n')}`;
}

function exported(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const declaration = target.declarations?.[0];
  const doc = escapeText(ts.displayPartsToString(target.getDocumentationComment(checker)));
  if (declaration === undefined) return `### ${symbol.name}\n`;
  const isType = ts.isTypeAliasDeclaration(declaration) || ts.isInterfaceDeclaration(declaration);
  const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.WriteArrowStyleSignature;
  const text = isType
    ? declaration.getText().replace(/^export /, '')
    : ts.isClassDeclaration(declaration)
      ? `class ${symbol.name}`
      : `${symbol.name}: ${checker.typeToString(checker.getTypeOfSymbolAtLocation(target, declaration), declaration, flags)}`;
  return `### ${symbol.name}\n\n${doc}\n\n\`\`\`ts\n${text}\n\`\`\`\n`;
}
