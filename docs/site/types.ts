import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../specs/src/index.ts';
import { escapeText } from './reference.ts';

/** What each entry point of the package exports, with types and comments. */
export function libraryPage(): string {
  const manifest: { exports: Record<string, { types?: string }> } = JSON.parse(
    readFileSync(join(packageRoot(), 'package.json'), 'utf8'),
  );
  const entries = Object.entries(manifest.exports).flatMap(([name, { types }]) =>
    types === undefined ? [] : [{ name, file: join(packageRoot(), types.slice('./dist/'.length, -'.d.ts'.length)) }],
  );
  const { config } = ts.readConfigFile(join(packageRoot(), 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, packageRoot());
  const program = ts.createProgram(
    entries.map(({ file }) => `${file}.ts`),
    options,
  );
  const checker = program.getTypeChecker();
  const sections = entries.map(({ name, file }) => {
    const source = program.getSourceFile(`${file}.ts`);
    const module = source === undefined ? undefined : checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file}.ts exports nothing`);
    const symbols = checker.getExportsOfModule(module).sort((a, b) => (a.name < b.name ? -1 : 1));
    return `## ${name.replace('.', 'openapi-switchyard')}\n\n${symbols.map((one) => renderExport(one, checker)).join('\n')}`;
  });
  return `# Library\n\nFor programs that import \`openapi-switchyard\`: every export with its type.\n\n${sections.join('\n')}`;
}

function renderExport(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const comment = escapeText(ts.displayPartsToString(target.getDocumentationComment(checker)));
  const text = (target.declarations ?? []).slice(0, 1).map((declaration) => {
    if (ts.isTypeAliasDeclaration(declaration) || ts.isInterfaceDeclaration(declaration)) return declaration.getText();
    if (ts.isClassDeclaration(declaration)) return `class ${symbol.name}`;
    const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.WriteArrowStyleSignature;
    const type = checker.getTypeOfSymbolAtLocation(target, declaration);
    return `${symbol.name}: ${checker.typeToString(type, declaration, flags)}`;
  });
  return `### ${symbol.name}\n\n${comment}\n\n\`\`\`ts\n${text.join('').replace(/^export /, '')}\n\`\`\`\n`;
}
