import type { Pattern } from './type-model.ts';

type Names = Pick<Pattern, 'starts' | 'ends'> & { readonly whole?: true };

/**
 * A regular expression that only says how names start or end, or names one outright; nothing for every other one. Read
 * as text: running a document's expressions over its own names would hand it our time.
 */
export function readNamePattern(expression: string): Names | undefined {
  const parts = /^(\^?)((?:[^\\^$.|?*+()[\]{}]|\\[-.$/])*)(?:\.[*+])?(\$?)$/.exec(expression);
  if (parts === null) return undefined;
  const [, start = '', middle = '', end = ''] = parts;
  const text = middle.replaceAll('\\', '');
  const isOpen = /\.[*+]\$?$/.test(expression);
  if (expression.endsWith('.+') || expression.endsWith('.+$')) return undefined; // says that there is one character more
  if (start === '^' && end === '$' && !isOpen) return { starts: text, ends: '', whole: true };
  if (start === '^') return { starts: text, ends: '' };
  if (text === '') return { starts: '', ends: '' };
  return end === '$' && !isOpen ? { starts: '', ends: text } : undefined;
}

export function isMatch({ starts, ends }: Names, name: string): boolean {
  return name.length >= starts.length + ends.length && name.startsWith(starts) && name.endsWith(ends);
}
