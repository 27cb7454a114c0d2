import { allForges, type ForgeSources } from './forge-settings.ts'

/**
 * The names of variables that have keys and tokens for Beadloom, whatever they are called, as the settings name them
 * right now: `keys` are those of models. A name once known stays, also while `forges.json` cannot be read.
 */
export function secretVariables(sources: ForgeSources, keys: readonly string[]): () => ReadonlySet<string> {
  const known = new Set(keys)
  return () => {
    try {
      for (const { tokenFrom } of allForges(sources))
        if (tokenFrom !== null && tokenFrom !== 'file') known.add(tokenFrom)
    } catch {
      // An unusable file is told by those who need a token from it.
    }
    return known
  }
}
