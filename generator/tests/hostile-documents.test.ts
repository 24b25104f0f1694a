import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { emitModel } from '../src/emit/emit-model.ts';
import { modelDocument } from './fake-router.ts';
import { readModel } from './read-model.ts';

/** Each would be code, the end of a comment or a different text, were it let through as it is. */
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

const settings = { scope: '@switchyard', generatorVersion: '0.0.0' };

/** The hostile text in every position that a document offers. */
function hostileDocument(text: string): string {
  const described = {
    type: 'object',
    title: text,
    description: text,
    default: { [text]: text },
    example: text,
    examples: [text, { [text]: [text] }],
    format: text,
    pattern: text,
    minimum: text,
    'x-enum': text,
    properties: { [text]: { type: 'string', enum: [text, 'plain'], description: text, default: text } },
    required: [text],
  };
  const components = {
    [`${text}Part`]: described,
    Other: { type: 'object', properties: { kind: { type: 'string' } } },
    Fixed: { const: { [text]: [text] } },
  };
  const pointer = `#/components/schemas/${`${text}Part`.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25')}`;
  const input = {
    type: 'object',
    description: text,
    properties: {
      part: { $ref: pointer, description: text },
      choice: {
        oneOf: [{ $ref: '#/components/schemas/Other' }, { $ref: pointer }],
        discriminator: { propertyName: 'kind', mapping: { [text]: '#/components/schemas/Other' } },
      },
      fixed: { $ref: '#/components/schemas/Fixed' },
      map: { type: 'object', additionalProperties: { const: text } },
      lost: { $ref: text },
    },
  };
  const document = modelDocument('p/m', {
    input,
    components,
    content: { [text]: { schema: { const: text } }, 'application/json': { schema: { $ref: pointer } } },
    root: {
      info: { title: text, version: text, description: text },
      servers: [{ url: text, variables: { [text]: { default: text } } }],
      'x-service-router-alt-providers': [{ provider: text, model_id: text }],
    },
  });
  return JSON.stringify(document).replaceAll('"operationId":"runModel"', `"operationId":${JSON.stringify(text)}`);
}

function emit(text: string): { declarations: string; script: string; mediaTypes: readonly string[] } {
  const { binding } = readModel(hostileDocument(text));
  const [declarations, script] = emitModel({ ...binding, entityTag: `"${text}"` }, settings);
  return {
    declarations: declarations?.contents ?? '',
    script: script?.contents ?? '',
    mediaTypes: binding.outputMediaTypes,
  };
}

describe.each(hostile.map((text) => ({ text, shown: JSON.stringify(text) })))(
  'a document full of $shown',
  ({ text }) => {
    const { declarations, script, mediaTypes } = emit(text);

    test('declares exactly what it should', () => {
      const source = ts.createSourceFile('index.d.ts', declarations, ts.ScriptTarget.Latest, true);
      expect(syntaxErrors('index.d.ts', declarations)).toEqual([]);
      expect(source.statements.map((statement) => ts.SyntaxKind[statement.kind])).toEqual([
        'ImportDeclaration',
        ...['Input', 'Output', 'Fixed', 'Other', 'Part'].map(() => 'TypeAliasDeclaration'),
        'FirstStatement', // declare const model
        'ModuleDeclaration',
      ]);
      expect(
        source.statements.flatMap((one) => (ts.isTypeAliasDeclaration(one) ? [one.name.text] : [])).slice(0, 2),
      ).toEqual(['Input', 'Output']);
    });

    test('keeps its wire names and values to the letter', () => {
      expect(literalsOf(declarations)).toContain(text);
    });

    test('gives a script of one data literal that runs nothing', async () => {
      const source = ts.createSourceFile('index.js', script, ts.ScriptTarget.Latest, true);
      expect(syntaxErrors('index.js', script)).toEqual([]);
      expect(source.statements).toHaveLength(1);
      const { model } = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(script)}`);
      expect(globalThis).not.toHaveProperty('pwned');
      expect(model.outputMediaTypes).toEqual(mediaTypes);
      expect(model.providers.alternates).toEqual([{ provider: text, modelId: text }]);
    });

    test('shows no line terminator, direction mark or control character of its own', () => {
      for (const file of [declarations, script]) expect(file).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u);
    });
  },
);

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

function literalsOf(text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('index.d.ts', text, ts.ScriptTarget.Latest));
  return found;
}
