import { isJsonObject, type JsonObject, type JsonValue, type OpenApiDocument } from '../../../specs/src/index.ts';
import { type Code, code, comment, identifier, literal, propertyName } from './source.ts';

/** A word that an open set of errors lists, with what the document says of it. */
type KnownError = { readonly word: string; readonly status: number | undefined; readonly meaning: string };

/** The words of a schema of the document that lists them with `x-enum-descriptions` and, where each has one, `x-enum-statuses`. */
export function readKnownErrors(document: OpenApiDocument, name: string): readonly KnownError[] {
  const schema = document.components['schemas']?.[name];
  const branches = isJsonObject(schema) && Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isJsonObject) : [];
  return branches.flatMap((branch) => {
    const words = Array.isArray(branch['enum']) ? branch['enum'] : [];
    return words.filter((word) => typeof word === 'string').map((word) => readError(word, branch));
  });
}

function readError(word: string, branch: JsonObject): KnownError {
  const status = readMember(branch['x-enum-statuses'], word);
  const meaning = readMember(branch['x-enum-descriptions'], word);
  return {
    word,
    status: typeof status === 'number' ? status : undefined,
    meaning: typeof meaning === 'string' ? meaning : '',
  };
}

function readMember(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function printErrors(name: string, errors: readonly KnownError[]): Code {
  return code`export const ${identifier(name)} = {
${errors.map(
  ({
    word,
    status,
    meaning,
  }) => code`  ${propertyName(word)}: ${literal(status === undefined ? { meaning } : { status, meaning })},
`,
)}};
`;
}

export function printErrorsType(name: string, errors: readonly KnownError[]): Code {
  const docs = comment(['The known errors, by the word that an answer names. The set is open: others may come.']);
  return code`${docs}export declare const ${identifier(name)}: {
${errors.map(
  ({
    word,
    status,
  }) => code`  readonly ${propertyName(word)}: { ${status === undefined ? code`` : code`readonly status: ${literal(status)}; `}readonly meaning: string };
`,
)}};
`;
}
