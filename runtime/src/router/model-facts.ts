import type { AnyModel } from './router-types.ts';

export function toModel(target: string | AnyModel): AnyModel {
  return typeof target === 'string' ? { id: target } : target;
}

/** What the response of a run may be; undefined where nothing is known of it, as for other providers. */
export function findMediaTypes(
  { outputMediaTypes }: Omit<AnyModel, 'id'>,
  other: { readonly modelProvider?: unknown; readonly fallbackProvider?: unknown },
): readonly string[] | undefined {
  return other.modelProvider === undefined && other.fallbackProvider === undefined ? outputMediaTypes : undefined;
}
