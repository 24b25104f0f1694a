import { posix, resolve, sep } from 'node:path';
import type ts from 'typescript';
import { parseModelId } from '../catalog/model-id.ts';
import { toSubpath } from '../model/names.ts';
import type { DiffReport, UsedPart } from './diff-report.ts';
import { pickWorst, type SchemaChange } from './schema-change.ts';
import { type Compiler, loadCompiler } from './type-check.ts';

/** What files use of a model: names that its declarations export, or all of it. */
type Use = { readonly files: Set<string>; readonly names: Set<string>; isWhole: boolean };

/** The part of the report that files of a folder use, by what they import and which model ids they write. */
export function selectUsed(report: DiffReport, folder: string, glob: string): UsedPart {
  const compiler = loadCompiler();
  const endings = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
  const files = compiler.sys.readDirectory(folder, endings, ['**/node_modules'], [glob.replace(/\*\*$/, '**/*')]);
  const newUse = (): Use => ({ files: new Set(), names: new Set(), isWhole: false });
  const uses = new Map(report.models.map(({ id }) => [id, newUse()]));
  for (const { id, formerId = id } of report.models) uses.set(formerId, uses.get(id) ?? newUse());
  for (const path of files) {
    const text = compiler.sys.readFile(path) ?? '';
    const name = posix.normalize(path.split(sep).join('/')).slice(resolve(folder).length + 1);
    const source = compiler.createSourceFile(path, text, compiler.ScriptTarget.Latest, true);
    noteUses(source, name, { compiler, uses });
  }
  const models = report.models.flatMap((model) => {
    const use = uses.get(model.id);
    if (use === undefined || use.files.size === 0) return [];
    const changes = model.changes.filter((change) => concerns(change, use));
    const verdict = model.kind === 'changed' ? pickWorst(changes.map((change) => change.verdict)) : model.verdict;
    if (verdict === undefined) return [];
    return [
      { ...model, verdict, changes, names: use.isWhole ? [] : [...use.names].sort(), usedIn: [...use.files].sort() },
    ];
  });
  const used = new Set(models.flatMap(({ usedIn }) => usedIn));
  return { glob, files: used.size, verdict: pickWorst(models.map(({ verdict }) => verdict)) ?? 'none', models };
}

type Search = { readonly compiler: Compiler; readonly uses: ReadonlyMap<string, Use> };

function noteUses(source: ts.SourceFile, file: string, { compiler, uses }: Search): void {
  const note = (text: string, names: readonly string[] | undefined): void => {
    for (const [id, use] of uses) {
      if (text !== id && !isModule(text, id)) continue;
      use.files.add(file);
      if (names === undefined) use.isWhole = true;
      else for (const name of names) use.names.add(name);
    }
  };
  const visit = (node: ts.Node): void => {
    // A call names its model, and so do `import()` and `require()`.
    if (compiler.isStringLiteralLike(node)) note(node.text, listNames(node, compiler));
    compiler.forEachChild(node, visit);
  };
  visit(source);
}

/** The names that are taken from the module that a text names; undefined for all. */
function listNames({ parent }: ts.StringLiteralLike, compiler: Compiler): readonly string[] | undefined {
  if (compiler.isLiteralTypeNode(parent) && compiler.isImportTypeNode(parent.parent))
    return parent.parent.qualifier?.getText().split('.').slice(0, 1);
  const imported = compiler.isImportDeclaration(parent) ? parent.importClause?.namedBindings : undefined;
  const bindings = compiler.isExportDeclaration(parent) ? parent.exportClause : imported;
  if (bindings === undefined || !(compiler.isNamedImports(bindings) || compiler.isNamedExports(bindings)))
    return undefined;
  return [...bindings.elements].map(({ name, propertyName }) => (propertyName ?? name).text);
}

/** Whether a specifier leads to a model's subpath, of a package or of a folder of plain files. */
function isModule(specifier: string, id: string): boolean {
  const parsed = parseModelId(id);
  const path = specifier.replace(/\.(?:[cm]?[jt]s|d\.ts|schema\.json)$/, '').replace(/\/schema\.json$/, '');
  return (
    (!('problem' in parsed) && path.endsWith(`/${toSubpath(parsed.id)}`)) ||
    path.endsWith('/models/all') ||
    (path.endsWith('/all') && path.startsWith('@'))
  );
}

const ofSide = {
  input: /^(?:Input|inputSchema|isInput|validateInput)$/,
  output: /^(?:Output|outputSchema|isOutput|validateOutput)$/,
};

/** Whether a change concerns what is used: a name that went, or a side of which something is used. */
function concerns({ rule, subject, direction }: SchemaChange, { names, isWhole }: Use): boolean {
  if (isWhole) return true;
  if (rule === 'export-removed' || rule === 'export-added') return names.has(subject ?? '');
  const other = direction === 'input' ? 'output' : 'input';
  return [...names].some((name) => !ofSide[other].test(name));
}
