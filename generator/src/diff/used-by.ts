import { posix, relative, resolve, sep } from 'node:path';
import type ts from 'typescript';
import { parseModelId } from '../catalog/model-id.ts';
import { toSubpath } from '../model/names.ts';
import { type Change, pickWorst } from './change.ts';
import type { DiffReport, UsedModels } from './diff-report.ts';
import { type Compiler, loadCompiler } from './type-check.ts';

/** Files that use a model, and the names that they import from it. `usesAll`: the files may use all of its names. */
type Use = { readonly files: Set<string>; readonly names: Set<string>; usesAll: boolean };

export type UseSearch = {
  /** Folder that `glob` and the reported files are relative to. */
  readonly workingFolder: string;
  readonly glob: string;
  /** Names of the packages with models. */
  readonly packages: readonly string[];
  /** Folders of the compared outputs. */
  readonly outputs: readonly string[];
  /** Ids of all models, including unchanged ones. */
  readonly models: readonly string[];
};

/**
 * Returns the part of a report that affects the files of a glob: changes of models that these files import, from a
 * package or by path, or whose ids they contain.
 */
export function selectUsed(report: DiffReport, search: UseSearch): UsedModels {
  const { workingFolder, glob } = search;
  const compiler = loadCompiler();
  const toName = (path: string): string => relative(resolve(workingFolder), path).split(sep).join('/');
  const folders = search.outputs.map((folder) => posix.join(toName(resolve(workingFolder, folder)), 'models'));
  const searched = [...new Set([...search.packages, ...folders])];
  // Uses by id and by subpath. For a renamed model, the former id leads to the same entry.
  const uses = new Map<string, Use>();
  const unchanged = search.models.map((id) => ({ id, formerId: id }));
  for (const { id, formerId = id } of [...unchanged, ...report.models]) {
    const use = { files: new Set<string>(), names: new Set<string>(), usesAll: false };
    for (const one of [id, formerId]) {
      const parsed = parseModelId(one);
      uses.set(one, use).set('problem' in parsed ? one : toSubpath(parsed.id), use);
    }
  }
  const endings = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
  const wanted = [glob.replace(/\*\*$/, '**/*')];
  const paths = compiler.sys.readDirectory(workingFolder, endings, ['**/node_modules'], wanted);
  const using = new Set<string>();
  for (const path of paths) {
    const file = toName(resolve(path));
    const text = compiler.sys.readFile(path) ?? '';
    const visit = (node: ts.Node): void => {
      compiler.forEachChild(node, visit);
      if (!compiler.isStringLiteralLike(node)) return;
      const subpath = readSubpath(node.text, file, searched);
      // A string that isn't an import may be the id of a model in a call.
      const use = uses.get(subpath ?? node.text);
      if (use !== undefined || subpath === 'all') using.add(file);
      const names = subpath === 'all' ? undefined : listImportedNames(node, compiler);
      for (const one of use ? [use] : subpath === 'all' ? uses.values() : []) {
        one.files.add(file);
        if (names === undefined) one.usesAll = true;
        else for (const name of names) one.names.add(name);
      }
    };
    visit(compiler.createSourceFile(path, text, compiler.ScriptTarget.Latest, true));
  }
  const models = report.models.flatMap((model) => {
    const use = uses.get(model.id);
    if (use === undefined || use.files.size === 0) return [];
    const changes = model.changes.filter((change) => use.usesAll || isRelevant(change, [...use.names]));
    const verdict = model.kind === 'changed' ? pickWorst(changes.map((change) => change.verdict)) : model.verdict;
    if (verdict === undefined) return [];
    const names = use.usesAll ? [] : [...use.names].sort();
    return [{ ...model, verdict, changes, names, usedIn: [...use.files].sort() }];
  });
  const files = new Set(models.flatMap(({ usedIn }) => usedIn)).size;
  const verdict = pickWorst(models.map((model) => model.verdict)) ?? 'none';
  return { glob, searched, read: paths.length, using: using.size, files, verdict, models };
}

/**
 * Returns the subpath of a model in an import specifier, `all` for the index of all models, or undefined. An alias such
 * as `@/generated/models/p/m` is recognised by its folder `models`.
 */
function readSubpath(specifier: string, file: string, searched: readonly string[]): string | undefined {
  const isRelative = /^\.\.?(?:\/|$)/.test(specifier);
  const path = isRelative ? posix.join(posix.dirname(file), specifier) : specifier;
  const root = searched.find((one) => path === one || path.startsWith(`${one}/`));
  const alias = isRelative ? -1 : path.lastIndexOf('/models/');
  if (root === undefined && alias < 0) return undefined;
  const subpath = path.slice(root === undefined ? alias + '/models/'.length : root.length + 1);
  return subpath.replace(/(?:\.d)?\.[cm]?[jt]s$|[./]schema\.json$/, '') || 'all';
}

/** Returns the names that an import statement lists; undefined if it may use all exported names. */
function listImportedNames({ parent }: ts.StringLiteralLike, compiler: Compiler): readonly string[] | undefined {
  if (compiler.isLiteralTypeNode(parent) && compiler.isImportTypeNode(parent.parent))
    return parent.parent.qualifier?.getText().split('.').slice(0, 1);
  const imported = compiler.isImportDeclaration(parent) ? parent.importClause?.namedBindings : undefined;
  const bindings = compiler.isExportDeclaration(parent) ? parent.exportClause : imported;
  if (bindings === undefined || !(compiler.isNamedImports(bindings) || compiler.isNamedExports(bindings)))
    return undefined;
  return [...bindings.elements].map(({ name, propertyName }) => (propertyName ?? name).text);
}

const exportsOfDirection = {
  input: /^(?:Input|inputSchema|isInput|validateInput)$/,
  output: /^(?:Output|outputSchema|isOutput|validateOutput)$/,
};

/** True if a change affects one of the imported names: it removes the name, or changes the input or output it describes. */
function isRelevant({ rule, before, after, direction }: Change, names: readonly string[]): boolean {
  if (rule === 'export-removed' || rule === 'export-added')
    return [before ?? after ?? []].flat().some((name) => names.includes(String(name)));
  const other = direction === 'input' ? 'output' : 'input';
  return names.some((name) => !exportsOfDirection[other].test(name));
}
