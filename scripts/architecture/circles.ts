import type { SourceFile } from './source-files.ts';

/** Groups of files that import each other, type-only imports counted: they are tomorrow's real ones. */
export function circleProblems(files: readonly SourceFile[]): string[] {
  const arrows = new Map(
    files.map((file) => [file.path, file.imports.filter(({ isOwn }) => isOwn).map(({ target }) => target)]),
  );
  const finished = new Set<string>();
  const problems: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (finished.has(path)) return;
    const at = trail.indexOf(path);
    if (at >= 0) {
      problems.push(`import circle: ${[...trail.slice(at), path].join(' → ')}`);
      return;
    }
    for (const target of arrows.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of arrows.keys()) visit(path, []);
  return problems;
}
