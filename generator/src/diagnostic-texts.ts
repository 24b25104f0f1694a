/** Explains all codes of diagnostics and failed runs, with advice. `npx openapi-switchyard explain` prints the texts. */
export const diagnosticTexts = {
  'brand-differs':
    'The extension keys of the document use a different brand, so the model is skipped. Set the brand with --brand or in the configuration.',
  'cache-empty':
    'The cache has no documents for an offline run. Run once without --offline, with the same router URL and credential, because each combination has its own cache.',
  'cache-unwritable':
    'The cache cannot be read or written, so every run downloads every document. Check the permissions of the --cache folder.',
  'catalog-empty': 'The catalog lists no models. Check the router URL and the credential, or pass --allow-empty.',
  'catalog-endless':
    'The catalog has more pages than the limit allows, probably because its cursors never end. Report this to its operators.',
  'catalog-entry-malformed': 'An entry of the catalog has no valid id and is skipped. Report this to its operators.',
  'catalog-malformed':
    'A page of the catalog does not have the documented format. A proxy or login page may be answering instead of the router: check the URL.',
  'cursor-loop': 'A cursor of the catalog leads back to an earlier page. Report this to its operators.',
  'cursor-missing': 'A page of the catalog has has_more but no cursor. Report this to its operators.',
  'cursor-rejected':
    'The router rejected its own cursor, for example because the catalog changed while it was read. Run again.',
  'diagnostics-omitted': 'There are more diagnostics than are listed. Fix the listed ones first.',
  'document-not-cached':
    'The document of this model is not in the cache. Run once without --offline, with the same router URL and credential.',
  'document-not-json':
    'The schema document is not valid JSON. A proxy or login page may be answering instead of the router; otherwise report this to the owner of the document.',
  'document-not-openapi': 'The schema document is not an OpenAPI document. Report this to its owner.',
  'document-not-read':
    'The document of this model could not be read from the router, for the reason in the message. Run again later.',
  'document-too-deep': 'The schema document is nested too deeply. Ask its owner to flatten it.',
  'document-too-large': 'The schema document exceeds the limits in docs/security.md. Ask its owner to shorten it.',
  'document-withheld':
    'The router lists the model but answers 403 or 404 for its document: this caller has no access, or the document was removed. Ask its operators.',
  'edited-by-hand':
    'A generated file was edited, so it was not overwritten. Move the edit elsewhere, or delete the file. If a formatter changed many files, exclude the output from it, delete the output and generate again.',
  'enum-malformed': 'An enum without values is ignored. Report this to the owner of the document.',
  'file-unreadable': 'A file or folder cannot be read. Check its permissions, and those of its parent folders.',
  'flag-malformed': 'The flag for authored schemas is not a boolean; the schema is treated as authored.',
  'input-impossible':
    'The schema accepts no input, so the model cannot be called. Often allOf extends an object with additionalProperties: false; its owner should use unevaluatedProperties for the whole schema instead.',
  'input-missing':
    'The document has no schema for a JSON input, so any object is accepted. Ask its owner to describe the input as application/json.',
  'items-doubled': 'Both items and prefixItems list the first items; prefixItems is used.',
  'items-numbered': 'items is an object with numbered members instead of a schema; they are ignored.',
  'lock-differs':
    'The output would differ from the lockfile: settings, documents or the generator have changed. Run without --frozen to accept the new output.',
  'lock-missing': 'A run with --frozen needs switchyard.lock.json. Run once without --frozen and commit it.',
  'lock-unavailable':
    'A document listed in the lockfile is neither in the cache nor at the source. Run without --frozen to update the lockfile.',
  'lockfile-damaged': 'The lockfile cannot be read, so a new one is written. Check the changes before you commit it.',
  'models-not-selected':
    'The files of models that --only or generate.only does not select are removed from the output. To keep them, select them too: --only accepts several globs, and without it every model is selected.',
  'not-ours':
    'A file that was not generated has the path of a generated one, so it was not overwritten. Move it, or choose a different --out.',
  'nullable-ignored':
    "nullable only has a meaning in OpenAPI 3.0, so null is not accepted here. In later versions, add 'null' to the types.",
  'operation-missing': 'The schema document has no operation that runs the model. Report this to its owner.',
  'output-missing':
    'The folder contains no readable lockfile of generate. Choose the output folder, or run npx openapi-switchyard generate. If a merge left conflict markers in the lockfile, first restore either version.',
  'output-unwritable': 'The output folder is not writable. Check --out and the permissions.',
  'path-collision': 'Two models would write the same file. Exclude one with --only.',
  'pattern-unread':
    'A pattern uses the syntax of a different regular expression engine, or cannot be matched in linear time. Only the server checks it; validators accept every value.',
  'proxy-unauthorised':
    'The proxy in HTTPS_PROXY or HTTP_PROXY rejected its credentials, and the router was not reached. Correct the user name and password in the URL of the proxy.',
  'redirect-refused':
    'The router redirected to a different origin. The redirect was not followed, because that origin would receive the credential. Configure the new URL.',
  'reference-dangling': 'The target of a reference does not exist; this part accepts any value.',
  'reference-external': 'A reference to another document is never followed; this part accepts any value.',
  'reference-malformed': 'A reference is not a string; this part accepts any value.',
  'required-malformed': 'required is not a list of names and is ignored.',
  'schema-impossible':
    'The values of an enum contradict its declared type, so no value can satisfy the schema. The types have the values of the enum. Report this to its owner.',
  'schema-malformed': 'A part of the schema is not valid JSON Schema; it accepts any value.',
  'schema-too-large': 'The schema has too many parts; the remaining ones accept any value.',
  'schema-too-deep': 'A part of the schema is nested too deeply; it accepts any value.',
  'selection-empty': 'A glob of --only or generate.only matches no model. Correct the glob.',
  'source-forbidden':
    'The credential has no access, or a proxy in front of the router rejected the request. Ask the operators for access.',
  'source-not-enabled':
    'The router is not enabled for the account of this credential. Ask its operators; a different credential of the same account will not help.',
  'source-not-json':
    'The response is not JSON: the URL does not lead to a router, or there is a login page in front of it.',
  'source-refused':
    'The router failed or rejected the request, for the reason in the message. Tell its operators if this keeps happening.',
  'source-unauthorised':
    'The credential is missing or was rejected. Set SWITCHYARD_API_KEY or SWITCHYARD_TOKEN to a valid one. A response without an error type may come from a proxy.',
  'source-unavailable': 'The router is overloaded or down. Run again later.',
  'source-unreachable': 'Could not connect to the router. Check URL, network and proxy.',
  'type-unknown': 'A type that JSON Schema does not define is ignored.',
} as const;
