import type { EmittedFile } from '../emit/emitted-file.ts';

/** The shipped validator as one script, since a page from the disk loads no modules. It leaves a function that makes one of a schema. */
export function printValidator(files: readonly EmittedFile[]): string {
  const modules = files.flatMap(({ path, contents }) => {
    const [, name] = /([^/]+)\.js$/.exec(path) ?? [];
    if (name === undefined) return [];
    const exported = [...contents.matchAll(/^export (?:const|function\*?|class) (\w+)/gm)].map(([, one]) => one);
    const body = contents
      .replace(
        /^import \{([^}]*)\} from '\.\/(.+?)\.js';$/gm,
        (_, names: string, file: string) => `const {${names.replaceAll(' as ', ': ')}} = load('${file}');`,
      )
      .replace(/^export (?=const|function|class)/gm, '');
    return `'${name}': () => {\n${body}\nreturn { ${exported.join(', ')} };\n}`;
  });
  return `(() => {
const loaded = {};
const load = (name) => (loaded[name] ??= modules[name]());
const modules = {\n${modules.join(',\n')}\n};
globalThis.switchyardValidator = (schema) => load('validator').createValidator(schema, load('linear-pattern').linearPattern);
})();
`;
}
