/** `{provider}/{model}`: two non-empty segments (MR-GEN-03). */
export type ModelId = string & { readonly brand: 'ModelId' };

const longest = { id: 193, provider: 64, model: 128 };

/**
 * Parses a model id. Accepts any provider and model that can be a segment of a URL path. `problem`: why the text isn't an
 * id.
 */
export function parseModelId(text: string): { id: ModelId } | { problem: string } {
  const tooLong = { problem: `is longer than ${longest.provider}/${longest.model} characters` };
  if (text.length > longest.id) return tooLong;
  const [provider, model, ...rest] = text.split('/');
  if (!provider || !model || rest.length > 0) return { problem: 'does not have the form {provider}/{model}' };
  if (provider.length > longest.provider || model.length > longest.model) return tooLong;
  // URL parsers remove these segments, even percent-encoded ones, so the request would go to a different path.
  if ([provider, model].some((segment) => segment === '.' || segment === '..')) {
    return { problem: 'has a segment that cannot be used in a URL path' };
  }
  if (!text.isWellFormed() || /\p{Cc}/u.test(text))
    return { problem: 'contains control characters or invalid Unicode' };
  return { id: text as ModelId }; // The only place that creates a ModelId.
}

export function splitModelId(id: ModelId): [provider: string, model: string] {
  const slash = id.indexOf('/');
  return [id.slice(0, slash), id.slice(slash + 1)];
}

/** Prints the id as two percent-encoded path segments with a plain slash between them (MR-CAT-33). */
export function printModelPath(id: ModelId): string {
  return splitModelId(id).map(encodeURIComponent).join('/');
}
