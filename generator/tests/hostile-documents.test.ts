import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { type ModelId, parseModelId } from '../src/catalog/model-id.ts';
import { emitModel } from '../src/emit/emit-model.ts';
import { emitAllModels } from '../src/emit/emit-models-package.ts';
import { type EmittedFile, namePackages } from '../src/emit/emitted-file.ts';
import { hostileDocument } from './hostile-document.ts';
import { readModel } from './read-model.ts';

/** Texts that would run as code, end a comment or have another meaning if they were printed without escaping. */
const hostile = [
  '*/ globalThis.pwned = 1; /*',
  '"; globalThis.pwned = 1; "',
  "'; globalThis.pwned = 1; '",
  `\`\${globalThis.pwned = 1}\``,
  '\n} globalThis.pwned = 1; {\n',
  '\r\nexport const extra = 1;',
  '\u2028globalThis.pwned = 1;\u2029',
  '\\',
  '\\"; globalThis.pwned = 1; //',
  '\\u0022; globalThis.pwned = 1; //',
  '</script><script>globalThis.pwned = 1</script>',
  '@ts-nocheck',
  '@type {import("node:fs")}',
  '\u202e\u2066 ; \u0000 \ufeff \ud800',
  '__proto__',
  'constructor',
  `\${globalThis.pwned = 1}`,
  '*/',
  '*\u200b/ globalThis.pwned = 1; /\u200b*',
  '\u200b@ts-nocheck',
  '/*',
  '//',
  '{{#with}}{{{this}}}',
  '',
  ' ',
];

const settings = {
  packageNames: namePackages('@switchyard'),
  parts: 'all-validators' as const,
  generatorVersion: '0.0.0',
};

type EmittedModel = { declarations: string; scripts: EmittedFile[]; data: string; mediaTypes: readonly string[] };

function emit(text: string): EmittedModel {
  const { binding } = readModel(hostileDocument('p/m', text));
  const files = emitModel({ ...binding, entityTag: `"${text}"` }, settings);
  const readContents = (name: string): string => files.find(({ path }) => path.endsWith(name))?.contents ?? '';
  return {
    declarations: readContents('/m.d.ts'),
    scripts: files.filter(({ path }) => path.endsWith('.js')),
    data: readContents('/m.schema.json'),
    mediaTypes: binding.outputMediaTypes,
  };
}

/** Writes the emitted scripts to a folder, so that Node can run them. Their validators return their own schema. */
function writeScripts(scripts: readonly EmittedFile[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-hostile-'));
  const engine = `export const createValidator = (schema) => ({ accepts: () => true, validate: () => schema });`;
  const matcher = 'export const linearPattern = () => undefined;';
  const all = [
    ...scripts,
    { path: 'models/validation/validator.js', contents: engine },
    { path: 'models/validation/linear-pattern.js', contents: matcher },
    {
      path: 'models/validation/standard-schema.js',
      contents: 'export const standardSchema = (validator) => validator;',
    },
  ];
  for (const { path, contents } of [...all, { path: 'package.json', contents: '{"type":"module"}' }]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents);
  }
  return folder;
}

function allKeysIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...allKeysIn(member)]);
}

describe.each(hostile.map((text) => ({ text, shown: JSON.stringify(text) })))(
  'a document that contains $shown everywhere',
  ({ text }) => {
    const { declarations, scripts, data, mediaTypes } = emit(text);

    test('generated types declare exactly the expected names', () => {
      const source = ts.createSourceFile('index.d.ts', declarations, ts.ScriptTarget.Latest, true);
      expect(syntaxErrors('index.d.ts', declarations)).toEqual([]);
      expect(source.statements.map((statement) => ts.SyntaxKind[statement.kind])).toEqual([
        'ImportDeclaration',
        ...['Input', 'Output', 'Alternates', 'Fixed', 'Other', 'Part'].map(() => 'TypeAliasDeclaration'),
        ...['FirstStatement', 'ExportDeclaration', 'FirstStatement'], // model, its own name, details
        // Inputs also have a JSON Schema.
        ...[2, 1].flatMap((many) => [...Array(many).fill('FirstStatement'), ...Array(2).fill('FunctionDeclaration')]),
        'ModuleDeclaration',
      ]);
      expect(
        source.statements.flatMap((one) => (ts.isTypeAliasDeclaration(one) ? [one.name.text] : [])).slice(0, 2),
      ).toEqual(['Input', 'Output']);
    });

    test('generated types contain names and values from the document unchanged', () => {
      expect(listLiterals(declarations)).toContain(text);
    });

    test('generated scripts contain only data literals', async () => {
      expect(scripts.map(({ contents }) => parseStatements(contents))).toEqual([
        [
          ...Array(3).fill('ImportDeclaration'),
          ...['FirstStatement', 'ExportDeclaration', 'FirstStatement'], // model, its own name, details
          // Inputs also have a JSON Schema.
          ...[2, 1].flatMap((many) => [...Array(many).fill('FirstStatement'), ...Array(2).fill('FunctionDeclaration')]),
        ],
        ['ImportDeclaration', 'ImportDeclaration', 'FirstStatement'],
        ['ImportDeclaration', 'ImportDeclaration', 'FirstStatement'],
      ]);
      const folder = writeScripts(scripts);
      try {
        const script = await import(/* @vite-ignore */ join(folder, 'models/p/m.js'));
        expect(globalThis).not.toHaveProperty('pwned');
        expect(script.model.outputMediaTypes).toEqual(mediaTypes);
        expect(script.model.providers.alternates).toEqual([{ provider: text, modelId: text }]);
        expect(script.details).toMatchObject({ title: text, description: text, inputModalities: [text] });
        expect(allKeysIn(script.validateInput({}))).toContain(text);
        expect(Object.getPrototypeOf(script.validateOutput({}))).toBe(Object.prototype);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    test('the generated schema.json contains names and values from the document unchanged', () => {
      const keys = allKeysIn(JSON.parse(data));
      expect(keys.filter((key) => key === text).length).toBeGreaterThan(3);
      expect(data).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u);
    });

    test('the file with the types of all models declares those of each model in a namespace', async () => {
      const { id } = toModelId('p/m');
      const [{ contents }] = emitAllModels([id], () => declarations, settings);
      const types = [...contents].join('');
      const source = ts.createSourceFile('all.d.ts', types, ts.ScriptTarget.Latest, true);
      expect(syntaxErrors('all.d.ts', types)).toEqual([]);
      expect(source.statements.map((statement) => ts.SyntaxKind[statement.kind])).toEqual([
        'ModuleDeclaration',
        'InterfaceDeclaration',
        'FirstStatement',
        'ModuleDeclaration',
      ]);
    });

    test('generated code contains no line terminator, direction mark or control character from the document', () => {
      for (const file of [declarations, ...scripts.map(({ contents }) => contents)])
        expect(file).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u);
    });
  },
);

function parseStatements(script: string): string[] {
  expect(syntaxErrors('index.js', script)).toEqual([]);
  const source = ts.createSourceFile('index.js', script, ts.ScriptTarget.Latest, true);
  return source.statements.map((statement) => ts.SyntaxKind[statement.kind] ?? '');
}

function toModelId(text: string): { id: ModelId } {
  const parsed = parseModelId(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed;
}

function syntaxErrors(fileName: string, text: string): string[] {
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost({}),
    getSourceFile: (name) => (name === fileName ? ts.createSourceFile(name, text, ts.ScriptTarget.Latest) : undefined),
    fileExists: (name) => name === fileName,
    readFile: () => undefined,
  };
  const program = ts.createProgram([fileName], { allowJs: true, noLib: true, types: [] }, host);
  return program.getSyntacticDiagnostics().map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

function listLiterals(text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('index.d.ts', text, ts.ScriptTarget.Latest));
  return found;
}
