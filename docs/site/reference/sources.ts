import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { packageRoot } from '../../../specs/src/index.ts';
import { code, escapeText, table } from './markdown.ts';

/** The settings of `switchyard.config.ts`, from their type. */
export function configurationPage(): string {
  const path = 'scripts/cli/config.ts';
  const source = ts.createSourceFile(
    path,
    readFileSync(join(packageRoot(), path), 'utf8'),
    ts.ScriptTarget.ESNext,
    true,
  );
  const types = new Map(source.statements.filter(ts.isTypeAliasDeclaration).map((one) => [one.name.text, one.type]));
  const config = types.get('SwitchyardConfig');
  if (config === undefined) throw new Error(`${path} has no type SwitchyardConfig`);
  return `# Configuration

The default export of \`switchyard.config.ts\`, \`.mts\`, \`.js\` or \`.mjs\`. Flags win over environment variables, these over this file; every member is optional.

${table(['setting', 'type', 'meaning'], settingRows(config, '', types))}`;
}

type Types = ReadonlyMap<string, ts.TypeNode>;

/** A row for each member, followed by those of the members below it. */
function settingRows(type: ts.TypeNode, prefix: string, types: Types): string[][] {
  const members: readonly ts.TypeElement[] = objectIn(type, types)?.members ?? [];
  return members.filter(ts.isPropertySignature).flatMap((member) => {
    const given = member.type;
    if (given === undefined) return [];
    const name = `${prefix}${member.name.getText()}`;
    const below = settingRows(given, `${name}${isList(given) ? '[]' : ''}.`, types);
    const written = given.getText().replaceAll(/\s+/g, ' ');
    const shape = below.length === 0 ? written : isList(given) ? 'list' : 'object';
    return [[code(name), code(shape), escapeText(docOf(member))], ...below];
  });
}

/** The members of a type that is written as an object, also in a list or by a name of the same file. */
function objectIn(type: ts.TypeNode, types: Types): ts.TypeLiteralNode | undefined {
  if (ts.isTypeLiteralNode(type)) return type;
  if (ts.isTypeOperatorNode(type) || ts.isParenthesizedTypeNode(type)) return objectIn(type.type, types);
  if (ts.isArrayTypeNode(type)) return objectIn(type.elementType, types);
  const named = ts.isTypeReferenceNode(type) ? types.get(type.typeName.getText()) : undefined;
  return named === undefined ? undefined : objectIn(named, types);
}

function isList(type: ts.TypeNode): boolean {
  return ts.isArrayTypeNode(ts.isTypeOperatorNode(type) ? type.type : type);
}

function docOf(node: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(node)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
    .join(' ');
}

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
