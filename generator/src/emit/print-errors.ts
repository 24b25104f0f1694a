import { isJsonObject, type JsonObject, type OpenApiDocument } from '../../../specs/src/index.ts';
import { type Code, code, comment, identifier, literal, propertyName } from './source.ts';

/** A word that an open set of errors lists, with what the document says of it. */
type KnownError = { readonly word: string; readonly facts: { readonly status?: number; readonly meaning: string } };

/** The words of a schema of the document that lists them with `x-enum-descriptions` and, where each has one, `x-enum-statuses`. */
export function readKnownErrors(document: OpenApiDocument, name: string): readonly KnownError[] {
  const schema = document.components['schemas']?.[name];
  const branches = isJsonObject(schema) && Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isJsonObject) : [];
  return branches.flatMap((branch) => {
    const words = Array.isArray(branch['enum']) ? branch['enum'].filter((word) => typeof word === 'string') : [];
    return words.map((word) => ({ word, facts: readFacts(word, branch) }));
  });
}

function readFacts(word: string, branch: JsonObject): KnownError['facts'] {
  const [status, text] = ['x-enum-statuses', 'x-enum-descriptions'].map((key) => {
    const values = branch[key];
    return isJsonObject(values) && Object.hasOwn(values, word) ? values[word] : undefined;
  });
  const meaning = typeof text === 'string' ? text : '';
  return typeof status === 'number' ? { status, meaning } : { meaning };
}

export function printErrors(name: string, errors: readonly KnownError[]): Code {
  const members = errors.map(({ word, facts }) => code`  ${propertyName(word)}: ${literal(facts)},\n`);
  return code`export const ${identifier(name)} = {\n${members}};\n`;
}

export function printErrorsType(name: string, errors: readonly KnownError[]): Code {
  const docs = comment(['The known errors, by the word that an answer names. The set is open: others may come.']);
  const members = errors.map(({ word, facts: { status } }) => {
    const ofStatus = status === undefined ? code`` : code`readonly status: ${literal(status)}; `;
    return code`  readonly ${propertyName(word)}: { ${ofStatus}readonly meaning: string };\n`;
  });
  return code`${docs}export declare const ${identifier(name)}: {\n${members}};\n`;
}
