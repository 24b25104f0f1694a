import { type Check, type Compile, decide, inside, type Run } from './check.ts';
import { all, checkCount } from './check-scalars.ts';
import { refuse, type ValuePath } from './failure.ts';
import { isContainer } from './ids.ts';
import type { SchemaObject } from './schema.ts';

export function checkItems({ prefixItems = [], items }: SchemaObject, compile: Compile): Check | undefined {
  if (prefixItems.length === 0 && items === undefined) return undefined;
  const first = prefixItems.map(compile);
  const rest = items === undefined ? undefined : compile(items);
  return ofArrays((value, path, run) => {
    const reached = rest === undefined ? Math.min(first.length, value.length) : value.length;
    if (run.evaluated !== undefined) run.evaluated.items = Math.max(run.evaluated.items, reached);
    const within = inside(run);
    let fits = true;
    for (let index = 0; index < reached; index++) {
      const check = first[index] ?? rest;
      if (check?.(value[index], { outer: path, step: index }, within) !== false) continue;
      if (run.failures === undefined) return false;
      fits = false;
    }
    return fits;
  });
}

function ofArrays(check: (value: readonly unknown[], path: ValuePath, run: Run) => boolean): Check {
  return (value, path, run) => !Array.isArray(value) || check(value, path, run);
}

export function checkLength({ minItems, maxItems, uniqueItems }: SchemaObject): Check | undefined {
  const countItems = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
  const checks = checkCount([minItems, maxItems], 'items', countItems);
  if (uniqueItems === true) {
    const reason = { type: 'unique_items', msg: 'must not have the same item twice' };
    checks.push(ofArrays((value, path, run) => !hasDuplicates(value, run) || refuse(run.failures, path, reason)));
  }
  return all(checks);
}

function hasDuplicates(items: readonly unknown[], { call }: Run): boolean {
  const seen = new Set<unknown>();
  for (const item of items) {
    // A text is no object, so that the name of one cannot be taken for the other.
    const key = isContainer(item) ? call.ids.identify(item) : typeof item === 'string' ? `"${item}` : item;
    if (seen.has(key)) return true;
    seen.add(key);
  }
  return false;
}

export function checkContains(schema: SchemaObject, compile: Compile): Check | undefined {
  const { contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema;
  if (contains === undefined) return undefined;
  const check = compile(contains);
  const reason = { type: 'contains', msg: 'must have the items that are asked for' };
  return ofArrays((value, path, run) => {
    const within = inside(run);
    const counts = { yes: 0, open: 0, no: 0 };
    for (const [index, item] of value.entries()) {
      const { fits } = decide(check, item, { outer: path, step: index }, within);
      counts[fits] += 1;
      if (fits !== 'no') run.evaluated?.others.add(index);
    }
    if (counts.yes > maxContains || counts.yes + counts.open < minContains) return refuse(run.failures, path, reason);
    if (counts.yes < minContains || counts.yes + counts.open > maxContains) run.call.isOpen = true;
    return true;
  });
}

/** Checks the items that no other part of the schema has evaluated. */
export function checkUnevaluatedItems({ unevaluatedItems }: SchemaObject, compile: Compile): Check | undefined {
  if (unevaluatedItems === undefined) return undefined;
  const check = compile(unevaluatedItems);
  return ofArrays((value, path, run) => {
    let fits = true;
    for (const [index, item] of value.entries()) {
      if (index < (run.evaluated?.items ?? 0) || run.evaluated?.others.has(index)) continue;
      if (!check(item, { outer: path, step: index }, inside(run))) fits = false;
    }
    if (run.evaluated !== undefined) run.evaluated.items = value.length;
    return fits;
  });
}
