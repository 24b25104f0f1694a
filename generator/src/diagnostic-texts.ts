/** Explanations of all codes of diagnostics and of failed generations, with advice; printed by `npx openapi-switchyard explain`. */
export const diagnosticTexts = {
  'acceptance-stale':
    'An entry of generate.accept matches nothing that is reported now, or its date has passed. Remove it, or give it a later date.',
  'brand-differs':
    'The document uses another brand in its extension keys. Set the brand with --brand or in the configuration.',
  'cache-empty': 'An offline generation found nothing in the cache. Run once without --offline.',
  'cache-unwritable':
    'The cache cannot be read or written, so each generation reads every document. Check the folder of --cache.',
  'catalog-empty': 'The catalog lists no model. Check address and credential; --allow-empty accepts it.',
  'catalog-endless': 'The catalog goes on beyond every bound. Its cursors lead nowhere; its owner has to look.',
  'catalog-entry-malformed': 'An entry of the catalog has no usable id and is left out. Its owner has to repair it.',
  'catalog-malformed': 'A page of the catalog is not of the documented form. Its owner has to repair it.',
  'cursor-loop': 'A cursor of the catalog leads back to an earlier page. Its owner has to repair it.',
  'cursor-missing': 'A page says that more follow and gives no cursor. Its owner has to repair it.',
  'cursor-rejected': 'The router rejected a cursor that it had given. Run again; it may have expired.',
  'diagnostics-omitted': 'More diagnostics exist than are listed. Solve the listed ones first.',
  'document-not-cached': 'An offline generation lacks the document of this model. Run once without --offline.',
  'document-not-json': 'The schema document is not valid JSON. Its owner has to repair it.',
  'document-not-openapi': 'The schema document is no OpenAPI document. Its owner has to repair it.',
  'document-not-read': 'The document of this model could not be read from the router; its message says why. Run again.',
  'document-too-deep': 'The schema document is nested too deeply to be read. Its owner has to flatten it.',
  'document-too-large':
    'The schema document is beyond the bounds of docs/security.md. Its owner has to split or shorten it.',
  'document-withheld':
    'The router lists the model and answers 403 or 404 for its document: this caller may not read it, or it went away. Ask its operators.',
  'edited-by-hand': 'A generated file was edited and is left as it is. Move the edit elsewhere, or delete the file.',
  'entity-tag-malformed': 'The document came with an entity tag that HTTP does not allow; it is read anew each time.',
  'entity-tag-restless': 'The same document came with another entity tag; each generation reads it again.',
  'entity-tag-reused':
    'Another document came with the same entity tag, so a cached copy cannot be trusted. Its owner has to repair it.',
  'enum-malformed': 'An enum without values is ignored. Its owner has to repair it.',
  'file-unreadable': 'A file or folder cannot be read. Check its rights.',
  'flag-malformed': 'The flag for authored schemas is not a boolean; the schema counts as authored.',
  'input-impossible':
    'No input is accepted, so that the model cannot be called. Often a closed object is extended by allOf: its owner has to open it, or close the whole with unevaluatedProperties.',
  'input-missing': 'The document gives no schema of the input; any object is accepted.',
  'items-doubled': 'items and prefixItems both list the first items; prefixItems counts.',
  'items-numbered': 'items holds numbered members instead of a schema; they are ignored.',
  'lock-differs': 'The lockfile does not describe what the source holds. Run without --frozen to update it.',
  'lock-missing': 'A frozen generation needs switchyard.lock.json. Run once without --frozen and commit it.',
  'lock-unavailable':
    'A document that the lockfile names is in neither cache nor source. Run without --frozen to update it.',
  'lockfile-damaged': 'The lockfile cannot be read and is written anew. Check what changed before you commit it.',
  'models-not-selected':
    'The output holds only the selected models: --only, or generate.only in the configuration, removed the files of others.',
  'not-ours': 'A file stands where a generated one belongs and is left as it is. Move it, or choose another --out.',
  'nullable-ignored':
    "nullable is a keyword of OpenAPI 3.0 only; in another version, list 'null' among the types, or the value null is refused.",
  'operation-missing': 'The schema document describes no call of the model. Its owner has to repair it.',
  'output-missing': 'The folder holds no generated output yet. Run npx openapi-switchyard generate.',
  'output-unwritable': 'The output folder cannot be written. Check --out and its rights.',
  'path-collision': 'Two models would write the same file. Leave one out with --only.',
  'pattern-unread':
    'A pattern is left to the server: it has the syntax of another engine, or cannot be matched in linear time. Nothing here refuses a value for it.',
  'redirect-refused':
    'The router answered with a redirect, which is not followed with a credential. Use the address it leads to.',
  'reference-circular': 'References lead in a circle without a schema; the part accepts any value.',
  'reference-dangling': 'A reference leads to nothing in the document; the part accepts any value.',
  'reference-external': 'A reference leads out of the document, which is never followed; the part accepts any value.',
  'reference-malformed': 'A reference is not a string; the part accepts any value.',
  'required-malformed': 'required is not a list of names and is ignored.',
  'schema-impossible':
    'No value satisfies the schema of a member, an item or an output, so that its type is never, or for an enum of another type the values of the enum. Its owner has to correct the schema.',
  'schema-malformed': 'A part of the schema is of another form than JSON Schema knows; it accepts any value.',
  'schema-too-large': 'The schema has too many parts to be compiled; the part accepts any value.',
  'schema-too-deep': 'A part of the schema is nested too deeply; it accepts any value.',
  'selection-empty': 'No model matches --only. Check the glob against npx openapi-switchyard generate without it.',
  'source-forbidden': 'The credential has no access to the router.',
  'source-not-enabled': 'The router is not enabled for this caller.',
  'source-not-json':
    'The address answers something other than JSON: it is not a router, or a login page is in front of it.',
  'source-refused': 'The router refused the request; its message says why.',
  'source-unauthorised': 'The credential was rejected. Set SWITCHYARD_API_KEY or SWITCHYARD_TOKEN.',
  'source-unavailable': 'The router fails or is overloaded. Run again later.',
  'source-unreachable': 'No connection to the router came about. Check address, network and proxy.',
  'type-unknown': 'A type that JSON Schema does not know is ignored.',
} as const;
