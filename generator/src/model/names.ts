import type { DefinitionName } from '../../../specs/src/index.ts';
import { type ModelId, splitModelId } from '../catalog/model-id.ts';
import { toDigest } from '../content.ts';

// Reserved words, and names that the generated files use themselves.
const reserved = new Set(
  `any as async await bigint boolean break case catch class const continue debugger declare default delete do else enum
  export extends false finally for function get if implements import in infer instanceof interface intrinsic is keyof let
  module namespace never new null number object of package private protected public readonly require return satisfies set
  static string super switch symbol this throw true try type typeof undefined unique unknown using var void while with
  yield arguments eval globalThis Input Output Alternates Models ModelDescriptor ModelDetails JsonObjectSchema StandardSchema ValidationOptions ValidationResult model Uint8Array Record Array Object Symbol`.split(
    /\s+/,
  ),
);

/**
 * Returns a function that chooses the name of each definition, which is also the name of its type in generated code.
 * Names are unique within their file and close to the preferred one: `Image`, `Image2`, `Image3`.
 */
export function createTypeNames(): (preferred: string) => DefinitionName {
  const used = new Set<string>();
  // The next number for each name, so that many equal names don't all count from 2 again.
  const next = new Map<string, number>();
  return (preferred) => {
    const stem = makeTypeStem(preferred);
    let name = stem;
    for (let number = next.get(stem) ?? 2; reserved.has(name) || used.has(name); number++) {
      name = `${stem}${number}`;
      next.set(stem, number + 1);
    }
    used.add(name);
    return name as DefinitionName; // The only place that creates a DefinitionName.
  };
}

const longestName = 100;

/** Reduces a text to ASCII letters (`é` to `e`), digits, `_` and `$`, and capitalises it if anything had to change. */
function makeTypeStem(text: string): string {
  if (text.length <= longestName && /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(text)) return text;
  const words = text
    .slice(0, longestName)
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .split(/[^A-Za-z0-9_$]+/)
    .filter((word) => word !== '');
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  if (joined === '') return 'Part';
  return /^[0-9]/.test(joined) ? `Part${joined}` : joined;
}

/** Path of a model's files in the models package; also the subpath that users import the model from. */
type Subpath = string & { readonly brand: 'Subpath' };

/** Names that some file systems reserve. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/;
/** Names of files and folders at the top of the package, which no provider may use. */
const packageName = /^(?:package\.json|readme\.md|all(?:\.js|\.d\.ts)?|formats|validation|validators)$/;
/** Subpath of a model's schema, which no model may use as its name. */
const schemaName = /^schema\.json$/;
const longestSegment = 200;

/**
 * Returns the path of a model's files: its id, with unsafe characters encoded. Each character other than `a-z`, `0-9`,
 * `.`, `_` and `-` becomes `~` followed by its UTF-8 bytes in hex. A first or last dot, and the first letter of a name
 * that some file system reserves, are encoded in the same way. A path depends only on its id, and two ids never share a
 * path, not even on a case-insensitive file system.
 */
export function toSubpath(id: ModelId): Subpath {
  const [provider, model] = splitModelId(id);
  // The only place that creates a Subpath.
  return `${encodeSegment(provider, packageName)}/${encodeSegment(model, schemaName)}` as Subpath;
}

function encodeSegment(segment: string, reserved: RegExp): string {
  let encoded = segment.replace(/[^a-z0-9._-]/gu, escapeCharacter).replace(/\.$/, '~2e');
  if (/^[.]/.test(encoded) || deviceName.test(encoded) || encoded === 'node_modules' || reserved.test(encoded)) {
    encoded = escapeCharacter(encoded.charAt(0)) + encoded.slice(1);
  }
  if (encoded.length <= longestSegment) return encoded;
  // An encoded id never contains `~~`, because hex digits follow each `~`.
  return `${encoded.slice(0, longestSegment - 40).replace(/~.?$/, '')}~~${toDigest(segment).slice('sha256:'.length, 39)}`;
}

function escapeCharacter(character: string): string {
  return [...new TextEncoder().encode(character)].map((byte) => `~${byte.toString(16).padStart(2, '0')}`).join('');
}

/** Returns a variable name for a model, such as `still21` for `image-provider/still-2.1`. */
export function toOwnName(id: ModelId): string {
  const [, model] = splitModelId(id);
  const words = model.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const [first = '', ...rest] = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const name = (first.charAt(0).toLowerCase() + first.slice(1) + rest.join('')).slice(0, longestName);
  return /^[a-z]/.test(name) && !reserved.has(name) && !exportedNames.test(name)
    ? name
    : `modelOf${first}${rest.join('')}`.slice(0, longestName);
}

/** Names that the module of a model exports. */
const exportedNames =
  /^(?:model|details|(?:input|output)(?:Schema|JsonSchema)?|(?:is|validate)(?:Input|Output)|standardSchema)$/;
