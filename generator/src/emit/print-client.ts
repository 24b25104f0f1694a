import type { JsonObject } from '../../../specs/src/index.ts';
import { type Code, code, identifier, importType, join, literal } from './source.ts';

/** The client that people call, as a package offers it. */
export type ShippedClient = {
  /** Folders of the runtime that the package carries; the first one holds the client. */
  readonly folders: readonly string[];
  /** Folders whose entry point is a subpath of the package. */
  readonly subpaths: readonly string[];
  /** What the package exports of it as it is. */
  readonly values: readonly string[];
  /** A factory that is made from what is known of the API. */
  readonly factory?: { readonly name: string; readonly maker: string; readonly facts: JsonObject };
};

export function printShippedClient({ folders, values, factory }: ShippedClient): Code {
  const from = literal(entryOf(folders));
  const exported = code`export { ${join(values.map(identifier), code`, `)} } from ${from};
`;
  if (factory === undefined) return exported;
  const maker = identifier(factory.maker);
  return code`import { ${maker} } from ${from};

${exported}export const ${identifier(factory.name)} = /* @__PURE__ */ ${maker}(${literal(factory.facts)});
`;
}

/** Its types; a factory's client knows the models of the package. */
export function printShippedClientTypes({ folders, values, factory }: ShippedClient): Code {
  const entry = entryOf(folders);
  const from = literal(entry);
  const exported = code`export type * from ${from};
export { ${join(values.map(identifier), code`, `)} } from ${from};
`;
  if (factory === undefined) return exported;
  const client = code`${importType(entry, 'RouterClient')}<Models>`;
  return code`${exported}export declare function ${identifier(factory.name)}(options?: ${importType(entry, 'ModelRouterOptions')}): ${client};
`;
}

function entryOf(folders: readonly string[]): string {
  return `./runtime/${folders[0]}/index.js`;
}
