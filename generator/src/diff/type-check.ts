import { OutOfWork } from '../../../specs/src/index.ts';
import type { IsOver } from '../deadline.ts';
import { readTypes } from '../emit/emit-model.ts';
import { breakCode, type Change, changeRules, type Direction, makeChange } from './change.ts';
import { createProgram, createTypeReader, loadCompiler } from './compiler.ts';
import { helpers, type Line, type Place, writeOlderCode } from './older-code.ts';
import { isPathWithin, quote, splitField } from './words.ts';

/** Declarations of a model in both outputs, and the names in the older declarations that inputs and outputs use. */
export type DeclarationPair = {
  readonly before: string;
  readonly after: string;
  readonly names: Readonly<Record<Direction, ReadonlySet<string>>>;
};
/** The changes found in a model's schemas, and its declarations if the compiler has to compare them. */
export type CheckedModel = {
  readonly changes: readonly Change[];
  readonly declarations: DeclarationPair | undefined;
};
/** Code for one exported type. */
type OlderCode = { readonly direction: Direction; readonly name: string; readonly root: Place };
/** A place where code for the older types doesn't compile with the newer ones. */
type Break = { readonly field: string; readonly code: string | undefined };

const maxSteps = 10_000;
const maxCode = 110;

/**
 * Returns the changes of each model, and marks those that break code. Code that uses each member of the older types is
 * compiled with the older and with the newer types. A break that no change explains becomes a change of its own.
 */
export function checkTypes(models: readonly CheckedModel[], isOver: IsOver = () => false): Change[][] {
  const files = models.flatMap(({ declarations }, index) =>
    (['before', 'after'] as const).flatMap((side): [string, string][] =>
      declarations === undefined ? [] : [[`/${index}/${side}.d.ts`, readTypes(declarations[side]) ?? '']],
    ),
  );
  if (files.length === 0) return models.map(({ changes }) => [...changes]);
  const uncompared = makeChange('schema-uncompared', 'input', { pointer: '', field: '' });
  const compiler = loadCompiler();
  const declared = createProgram(compiler, new Map(files));
  const types = createTypeReader(compiler, declared);
  const written = models.map(({ declarations }, index): OlderCode[] | 'uncompared' => {
    if (declarations === undefined) return [];
    const [before, after] = ['before', 'after'].map((side) => types.readExports(`/${index}/${side}.d.ts`));
    const walk = { reader: types, work: { left: maxSteps, isOver } };
    const write = (direction: Direction): OlderCode[] => {
      const root = direction === 'input' ? 'Input' : 'Output';
      return [...new Set([root, ...declarations.names[direction]])].flatMap((name): OlderCode[] => {
        const type = before?.get(name);
        if (type === undefined || after?.has(name) !== true) return [];
        return [{ direction, name, root: writeOlderCode(name, type, direction, walk) }];
      });
    };
    try {
      return [...write('input'), ...write('output')];
    } catch (error) {
      if (error instanceof OutOfWork) return 'uncompared';
      throw error;
    }
  });
  const uses = new Map<string, string>();
  const lines = written.map((all, index) => {
    const found = all === 'uncompared' ? [] : all.flatMap(({ root }) => listLines(root));
    const names = [...types.readExports(`/${index}/before.d.ts`).keys()].join();
    for (const side of found.length === 0 ? [] : ['before', 'after']) {
      const imports = `import type * as Before from './before'; import type * as Api from './${side}'; import type { ${names} } from './${side}';`;
      uses.set(`/${index}/${side}-uses.ts`, [...found.map(({ text }) => text), imports, helpers].join('\n'));
    }
    return found;
  });
  const program = createProgram(compiler, uses, declared);
  return models.map(({ changes }, index) => {
    const all = written[index] ?? [];
    if (all === 'uncompared' || isOver()) return [...changes, ...(all.length > 0 ? [uncompared] : [])];
    const refused = (side: 'before' | 'after'): ReadonlySet<Line | undefined> => {
      const file = program.getSourceFile(`/${index}/${side}-uses.ts`);
      const found = file ? [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)] : [];
      return new Set(
        found.map(({ start = 0 }) => lines[index]?.[file?.getLineAndCharacterOfPosition(start).line ?? -1]),
      );
    };
    const after = refused('after');
    const earlier = after.size === 0 ? after : refused('before');
    const broken = new Set([...after].filter((line) => !earlier.has(line)));
    const found = [...changes];
    for (const { direction, name, root } of all) {
      // Other lines that set members may also break if every input of the older type is accepted.
      const isWhole = direction === 'output' || broken.has(root.wholes.at(-1));
      for (const one of findBreaks(root, isWhole, broken)) explainBreak(one, direction, name, found);
    }
    return found;
  });
}

function listLines({ reads, uses, wholes, parts }: Place): Line[] {
  return [...reads, ...uses, ...wholes, ...parts.flatMap(listLines)];
}

/** Returns the innermost places whose code is broken. `isWhole`: code that needs whole types counts as well. */
function findBreaks(place: Place, isWhole: boolean, broken: ReadonlySet<Line | undefined>): Break[] {
  const { field, reads, uses, wholes, parts } = place;
  const asBreaks = (lines: readonly Line[]): Break[] => {
    const [first, ...others] = lines.filter((line) => broken.has(line)).map(({ code }) => code);
    return first === undefined
      ? []
      : [{ field, code: [first, ...others].find(({ length }) => length > 0 && length <= maxCode) }];
  };
  const lost = asBreaks(reads);
  if (lost.length > 0) return lost;
  const inner = parts.flatMap((part) => findBreaks(part, isWhole, broken));
  const own = asBreaks(uses);
  if (own.length > 0 || inner.length > 0 || !isWhole) return [...own, ...inner];
  return asBreaks(wholes);
}

/** Marks the change that most probably explains a break, or adds a change if none does. */
function explainBreak({ field, code }: Break, direction: Direction, exported: string, changes: Change[]): void {
  const name = exported === 'Input' || exported === 'Output' ? undefined : exported;
  const rate = ({ rule, verdict, direction: own, field: first, places = [], pointer }: Change): number => {
    const keepsCode = verdict === 'cosmetic' || (verdict !== 'breaking' && changeRules[rule].keepsCode);
    if (own !== direction || first === undefined || keepsCode) return 0;
    // If several changes of a member may be the reason, prefer one that removes what code uses.
    const more = changeRules[rule].breaksCodeIn?.includes(direction) ? 0.5 : verdict === 'breaking' ? 0.25 : 0;
    const all = [first, ...places];
    const isSameStep = all.some((place) => splitField(place).name === splitField(field).name);
    if (name !== undefined) return isPathWithin(pointer, `/$defs/${name}`) ? more + (isSameStep ? 4 : 3) : 0;
    if (all.includes(field)) return more + 5;
    if (field === '') return verdict === 'breaking' ? 1 : 0;
    if (all.some((place) => isPathWithin(place, field))) return more + 4;
    if (all.some((place) => isPathWithin(field, place))) return more + 3;
    return isSameStep ? more + 1 : 0;
  };
  const [cause] = changes.filter((one) => rate(one) > 0).sort((one, other) => rate(other) - rate(one));
  if (cause !== undefined) {
    changes[changes.indexOf(cause)] = breakCode(cause, cause.code ?? (name === undefined ? code : undefined));
    return;
  }
  // A name that isn't assignable breaks for the same reason as the members that are already explained.
  if (name !== undefined && changes.some((one) => one.direction === direction && one.breaks.includes('code'))) return;
  const message = `the TypeScript type${name === undefined ? '' : ` ${quote(name)}`} changed`;
  changes.push(
    makeChange('code-broken', direction, {
      pointer: '',
      field: name === undefined ? field : '',
      code: name === undefined ? code : undefined,
      message,
    }),
  );
}
